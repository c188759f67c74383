// Declaring options so that a wrong value is refused with the range or the choices in the message.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "geodescent/data/libsvm.hpp"

namespace geodescent::cli {

/// The numbers an option takes. Infinities and nan are in no range.
struct Range {
  double least = 0;
  bool least_allowed = true;
  double most = std::numeric_limits<double>::infinity();
  bool most_allowed = true;

  bool contains(double value) const;
  std::string text() const;  ///< "over 0 and at most 1"
};

inline constexpr Range positive{.least_allowed = false};
inline constexpr Range not_negative{};
inline constexpr Range any_number{.least = -std::numeric_limits<double>::infinity()};
/// What fits the 32-bit indices of the matrix.
inline constexpr Range feature_counts{.least = 1, .most = 4294967295.0};

/// Throw CLI::ValidationError, in the name of `option`, for a text that is no such number.
double parse_real(const std::string& option, const std::string& text, const Range& range);
std::uint64_t parse_whole(const std::string& option, const std::string& text, const Range& range,
                          const std::string& or_what = "");
std::string parse_choice(const std::string& option, const std::string& text, const std::vector<std::string>& choices);
/// Several of the choices, separated by commas, none of them twice.
std::vector<std::string> parse_list(const std::string& option, const std::string& text,
                                    const std::vector<std::string>& choices);
/// The names of a table of losses or methods.
template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& item : table) names.emplace_back(item.name);
  return names;
}
/// "wolfe|exact"
std::string shown_choices(const std::vector<std::string>& choices);

/// The names of an option ("-c,--cost"), what stands for its value in the help ("C"), and what it does.
struct OptionText {
  std::string names;
  std::string value;
  std::string description;
};

template <class Target>
CLI::Option* add_real(CLI::App& app, const OptionText& text, Target& target, const Range& range) {
  const auto parse = [&target, range, name = text.names](const std::string& given) {
    target = parse_real(name, given, range);
  };
  return app.add_option_function<std::string>(text.names, parse, text.description)->type_name(text.value);
}

template <class Target>
CLI::Option* add_whole(CLI::App& app, const OptionText& text, Target& target, const Range& range) {
  const auto parse = [&target, range, name = text.names](const std::string& given) {
    target = static_cast<Target>(parse_whole(name, given, range));
  };
  return app.add_option_function<std::string>(text.names, parse, text.description)->type_name(text.value);
}

/// A whole number, or the word auto for none.
template <class Target>
CLI::Option* add_whole_or_auto(CLI::App& app, const OptionText& text, std::optional<Target>& target,
                               const Range& range) {
  const auto parse = [&target, range, name = text.names](const std::string& given) {
    target.reset();
    if (given != "auto") target = static_cast<Target>(parse_whole(name, given, range, " or auto"));
  };
  return app.add_option_function<std::string>(text.names, parse, text.description)->type_name(text.value + "|auto");
}

/// A number of bytes: 1000, 500k, 20M, 8G.
CLI::Option* add_bytes(CLI::App& app, const OptionText& text, std::optional<double>& target);
inline constexpr double bytes_of_a_gigabyte = 1e9;

/// `text.value` is not used: the choices stand for the value in the help.
template <class Target>
CLI::Option* add_choice(CLI::App& app, const OptionText& text, Target& target,
                        const std::vector<std::string>& choices) {
  const auto parse = [&target, choices, name = text.names](const std::string& given) {
    target = parse_choice(name, given, choices);
  };
  return app.add_option_function<std::string>(text.names, parse, text.description)->type_name(shown_choices(choices));
}

CLI::Option* add_list(CLI::App& app, const OptionText& text, std::vector<std::string>& target,
                      const std::vector<std::string>& choices);
/// The same without a choice of words, and for numbers.
CLI::Option* add_texts(CLI::App& app, const OptionText& text, std::vector<std::string>& target);
CLI::Option* add_reals(CLI::App& app, const OptionText& text, std::vector<double>& target, const Range& range);
CLI::Option* add_text(CLI::App& app, const OptionText& text, std::string& target);
CLI::Option* add_switch(CLI::App& app, const std::string& name, bool& target, const std::string& description);

/// --bias, -w, --row-weights and --weight-feature, as train and verify have them.
CLI::Option* add_bias(CLI::App& app, const std::string& description, Bias& target);
void add_class_weights(CLI::App& app, std::vector<ClassWeight>& target);
void add_row_weights(CLI::App& app, std::string& file, std::optional<std::uint32_t>& feature);

/// --index-base, as train, predict and info have it.
CLI::Option* add_index_base(CLI::App& app, std::string& target);
IndexBase index_base(const std::string& choice);

// The other direction: what help, man page and completion show of an option.

/// Names joined by ", ", for example "-c, --cost"; the bare name of a positional.
std::string shown_names(const CLI::Option& option);
/// Its choices, when it has any. A value is written in capitals ("FILE"), choices are not ("wolfe|exact").
std::vector<std::string> choices_of(const CLI::Option& option);
/// Whether its value is the name of a file: all positionals without choices are, and options whose value is "FILE...".
bool takes_file(const CLI::Option& option);
/// Whether its value is the name of a folder: options whose value is "DIR".
bool takes_folder(const CLI::Option& option);

std::vector<const CLI::Option*> positionals_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& app);
/// The commands directly below the program or a command.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
/// All commands below it, each followed by its own.
std::vector<const CLI::App*> all_commands_of(const CLI::App& app);
/// The innermost command that was parsed; the program itself where none was.
const CLI::App& parsed_command(const CLI::App& program);
/// What is typed to reach it: "geodescent bench paper"; and the same without the program: "bench paper".
std::string full_name_of(const CLI::App& app);
std::string command_words_of(const CLI::App& app);
/// The names of its groups of options, the one with --help last.
std::vector<std::string> groups_of(const CLI::App& app);
/// "geodescent train [options] DATA [MODEL]", "geodescent bench COMMAND [options] ..."
std::string synopsis_of(const CLI::App& app);
/// The first line of its description, and all that follows.
std::string summary_of(const CLI::App& app);
std::string details_of(const CLI::App& app);

}  // namespace geodescent::cli
