// Declaration of options. The error for a wrong value has the range or the choices.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/options/command_line.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent::cli {

/// The numbers that an option takes. Infinities and NaN are never in range.
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
/// The numbers of features that 32-bit indices allow.
inline constexpr Range feature_counts{.least = 1, .most = 4294967295.0};

/// Throws UsageError: the option was given `text`, but it takes `expected`.
[[noreturn]] void refuse_value(const std::string& option, const std::string& text, const std::string& expected);
/// Throw UsageError with the name of `option` for a text that is not such a number.
double parse_real(const std::string& option, const std::string& text, const Range& range);
std::uint64_t parse_whole(const std::string& option, const std::string& text, const Range& range,
                          const std::string& or_what = "");
std::string parse_choice(const std::string& option, const std::string& text, const std::vector<std::string>& choices);
/// The names of a table of losses or methods.
template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& item : table) names.emplace_back(item.name);
  return names;
}
/// "wolfe|exact"
std::string shown_choices(const std::vector<std::string>& choices);

template <class Target>
Option* add_real(Command& app, const OptionText& text, Target& target, const Range& range) {
  const auto parse = [&target, range, name = text.names](const std::string& given) {
    target = parse_real(name, given, range);
  };
  return app.add(text, parse);
}

template <class Target>
Option* add_whole(Command& app, const OptionText& text, Target& target, const Range& range) {
  const auto parse = [&target, range, name = text.names](const std::string& given) {
    target = static_cast<Target>(parse_whole(name, given, range));
  };
  return app.add(text, parse);
}

/// A whole number, or the word auto for none.
template <class Target>
Option* add_whole_or_auto(Command& app, const OptionText& text, std::optional<Target>& target, const Range& range) {
  const auto parse = [&target, range, name = text.names](const std::string& given) {
    target.reset();
    if (given != "auto") target = static_cast<Target>(parse_whole(name, given, range, " or auto"));
  };
  return app.add({text.names, text.value + "|auto", text.description}, parse);
}

/// A number of bytes: 1000, 500k, 20M, 8G.
Option* add_bytes(Command& app, const OptionText& text, std::optional<double>& target);
inline constexpr double bytes_of_a_gigabyte = 1e9;

/// `text.value` is not used: the choices stand for the value in the help.
template <class Target>
Option* add_choice(Command& app, const OptionText& text, Target& target, const std::vector<std::string>& choices) {
  const auto parse = [&target, choices, name = text.names](const std::string& given) {
    target = parse_choice(name, given, choices);
  };
  return app.add({text.names, shown_choices(choices), text.description}, parse);
}

// A list is written with commas, with blanks or with the option repeated: --l2 1,2, --l2 1 2, --l2
// 1 --l2 2. No item is given twice.
Option* add_list(Command& app, const OptionText& text, std::vector<std::string>& target);
Option* add_list(Command& app, const OptionText& text, std::vector<std::string>& target,
                 const std::vector<std::string>& choices);
Option* add_list(Command& app, const OptionText& text, std::vector<double>& target, const Range& range);
/// Paths. A word that is an existing path is not split at its commas.
Option* add_path_list(Command& app, const OptionText& text, std::vector<std::string>& target);

Option* add_text(Command& app, const OptionText& text, std::string& target);
/// Several positionals.
Option* add_words(Command& app, const OptionText& text, std::vector<std::string>& target);
Option* add_switch(Command& app, const std::string& name, bool& target, const std::string& description);

/// --bias, -w, --row-weights and --weight-feature of train and verify.
Bias parse_bias(const std::string& text);
template <class Target>
Option* add_bias(Command& app, const std::string& description, Target& target) {
  return app.add({"--bias", "free|regularized|none", description},
                 [&target](const std::string& given) { target = parse_bias(given); });
}
/// LIBLINEAR's -B.
Bias parse_bias_constant(const std::string& text);
template <class Target>
Option* add_bias_constant(Command& app, Target& target) {
  return app
      .add({"-B", "1|-1", "--bias in LIBLINEAR's numbers: 1 regularized, -1 none"},
           [&target](const std::string& given) { target = parse_bias_constant(given); })
      ->excludes(app.option("--bias"));
}
void add_class_weights(Command& app, std::vector<ClassWeight>& target, bool& balanced);
void add_row_weights(Command& app, std::string& file, std::optional<std::uint32_t>& feature);

/// --index-base of train, info and convert.
Option* add_index_base(Command& app, std::string& target);
IndexBase index_base(const std::string& choice);
/// The numbering of the model if it is known, else the choice. Throws UsageError if they contradict
/// each other.
IndexBase index_base(const std::string& choice, const LinearModel& model);

/// --line-limit of every command that reads LIBSVM text.
Option* add_line_limit(Command& app, std::size_t& target);

}  // namespace geodescent::cli
