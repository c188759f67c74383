// The commands and options of the program as plain data. Parser, help, man page and completions
// read this one tree.
#pragma once

#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace geodescent::cli {

/// The names of an option ("-c,--cost"), the placeholder of its value in the help ("C"), and its
/// description.
struct OptionText {
  std::string names;
  std::string value;
  std::string description;
};

/// Handles the words that an option is given.
struct HandledByParser {};  ///< --help and --version
using OneWord = std::function<void(const std::string&)>;
/// All words, also of an option that is repeated.
struct ManyWords {
  std::function<void(const std::vector<std::string>&)> set;
  bool in_pairs = false;   ///< two words each time
  std::string alone = {};  ///< a word that may be given without a second one; `set` gets it twice
};
using Effect = std::variant<HandledByParser, bool*, OneWord, ManyWords>;

/// An option, or a positional argument: its name has no dash.
struct Option {
  OptionText text;
  std::string group;
  Effect effect;
  bool is_required = false;
  std::vector<const Option*> needed;
  std::vector<const Option*> excluded;
  bool given = false;  ///< by the command line that was parsed

  Option* required();
  Option* needs(const Option* other);
  Option* excludes(const Option* other);
};

/// An option of another program without a counterpart, and the answer to it.
struct ForeignOption {
  std::string name;
  std::string answer;
};

/// The program, a command of it, or a command of a command. Its first option is --help.
struct Command {
  explicit Command(std::string command_name, std::string about = "", const Command* above = nullptr);
  Command(const Command&) = delete;  // commands have pointers to their parents
  Command& operator=(const Command&) = delete;

  std::string name;
  std::string description;
  std::string footer;
  const Command* parent;
  std::function<void()> callback;  ///< called after parsing a command line that names the command
  std::list<Option> options;
  std::list<Command> commands;
  std::vector<ForeignOption> foreign_options;

  Command& add_command(std::string command_name, std::string about);
  /// The options added from here on belong to this group.
  void start_group(std::string group);
  Option* add(OptionText text, Effect effect);
  /// By one of its names, such as "--l2"; null if there is none.
  const Option* find(std::string_view option_name) const;
  /// The same for an option that exists.
  Option* option(std::string_view option_name);

 private:
  std::string group_;
};

/// The error for `typed`, an unknown option: the answer to a foreign option, else the nearest
/// option.
std::string unknown_option_text(const Command& command, std::string_view typed);

bool is_positional(const Option& option);
bool takes_value(const Option& option);
/// Its names with their dashes, in the order of the declaration: short ones first.
std::vector<std::string> switches_of(const Option& option);
/// Names joined by ", ", for example "-c, --cost"; the bare name of a positional.
std::string shown_names(const Option& option);
/// Its choices, if it has any. A value is written in capitals ("FILE"), choices are not
/// ("wolfe|exact").
std::vector<std::string> choices_of(const Option& option);
/// Whether its value is the name of a file: all positionals without choices are, and options whose
/// value is "FILE...".
bool takes_file(const Option& option);
/// Whether its value is the name of a folder: options whose value is "DIR".
bool takes_folder(const Option& option);

std::vector<const Option*> positionals_of(const Command& command);
std::vector<const Option*> options_of(const Command& command);
/// All commands below it, each followed by its own.
std::vector<const Command*> all_commands_of(const Command& command);
/// The words that name it: "geodescent bench paper"; without the program: "bench paper".
std::string full_name_of(const Command& command);
std::string command_words_of(const Command& command);
/// The names of its groups of options, the one with --help last.
std::vector<std::string> groups_of(const Command& command);
/// "geodescent train [options] DATA [MODEL]", "geodescent bench COMMAND [options] ..."
std::string synopsis_of(const Command& command);
/// The first line of its description, and the rest.
std::string summary_of(const Command& command);
std::string details_of(const Command& command);

/// The parts of `text` between separators. A separator at the end starts no further part.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace geodescent::cli
