// The commands and options of the program as plain data. Parser, help, man page and completions read this one tree.
#pragma once

#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace geodescent::cli {

/// The names of an option ("-c,--cost"), what stands for its value in the help ("C"), and what it does.
struct OptionText {
  std::string names;
  std::string value;
  std::string description;
};

/// What happens to the words that an option is given.
struct HandledByParser {};  ///< --help and --version
using OneWord = std::function<void(const std::string&)>;
/// All words, also of an option that is repeated.
struct ManyWords {
  std::function<void(const std::vector<std::string>&)> set;
  bool in_pairs = false;   ///< two words at a time: the next word is another argument
  std::string alone = {};  ///< a word that is given without the second one of its pair; `set` gets it twice
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

/// An option of another program that has no counterpart, and the answer to whoever gives it.
struct ForeignOption {
  std::string name;
  std::string answer;
};

/// The program, a command of it, or a command of a command. Its first option is --help.
struct Command {
  explicit Command(std::string command_name, std::string about = "", const Command* above = nullptr);
  Command(const Command&) = delete;  // commands know where their parents are
  Command& operator=(const Command&) = delete;

  std::string name;
  std::string description;
  std::string footer;
  const Command* parent;
  std::function<void()> callback;  ///< called when a command line that names the command was parsed
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

/// What to say to `typed`, which is no option of the command: the answer to a foreign option, else the nearest option.
std::string unknown_option_text(const Command& command, std::string_view typed);

bool is_positional(const Option& option);
bool takes_value(const Option& option);
/// Its names with their dashes, in the order of the declaration: short ones first.
std::vector<std::string> switches_of(const Option& option);
/// Names joined by ", ", for example "-c, --cost"; the bare name of a positional.
std::string shown_names(const Option& option);
/// Its choices, when it has any. A value is written in capitals ("FILE"), choices are not ("wolfe|exact").
std::vector<std::string> choices_of(const Option& option);
/// Whether its value is the name of a file: all positionals without choices are, and options whose value is "FILE...".
bool takes_file(const Option& option);
/// Whether its value is the name of a folder: options whose value is "DIR".
bool takes_folder(const Option& option);

std::vector<const Option*> positionals_of(const Command& command);
std::vector<const Option*> options_of(const Command& command);
/// All commands below it, each followed by its own.
std::vector<const Command*> all_commands_of(const Command& command);
/// What is typed to reach it: "geodescent bench paper"; and the same without the program: "bench paper".
std::string full_name_of(const Command& command);
std::string command_words_of(const Command& command);
/// The names of its groups of options, the one with --help last.
std::vector<std::string> groups_of(const Command& command);
/// "geodescent train [options] DATA [MODEL]", "geodescent bench COMMAND [options] ..."
std::string synopsis_of(const Command& command);
/// The first line of its description, and all that follows.
std::string summary_of(const Command& command);
std::string details_of(const Command& command);

/// The parts of `text` between separators. A separator at the end starts no further part.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace geodescent::cli
