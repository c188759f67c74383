#include "common/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

namespace geodescent::cli {
namespace {

constexpr std::string_view help_group = "Options";  // CLI11's default, where --help lives

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

/// "--cost" for the names "-c,--cost".
std::string long_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& option, const std::string& text, const std::string& expected) {
  throw CLI::ValidationError(long_name(option), fmt::format("'{}' given, but it takes {}", text, expected));
}

/// The words of a list, separated by commas; an empty one is refused.
std::vector<std::string> words_of(const std::string& option, const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin) refuse(option, text, "words separated by commas");
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

bool Range::contains(double value) const {
  if (!std::isfinite(value)) return false;
  return (least_allowed ? value >= least : value > least) && (most_allowed ? value <= most : value < most);
}

std::string Range::text() const {
  std::string result = fmt::format("{} {}", least_allowed ? "of at least" : "over", least);
  if (std::isfinite(most)) result += fmt::format(" and {} {:.10g}", most_allowed ? "at most" : "below", most);
  return result;
}

double parse_real(const std::string& option, const std::string& text, const Range& range) {
  const std::optional<double> value = number_in<double>(text);
  if (!value || !range.contains(*value)) refuse(option, text, "a number " + range.text());
  return *value;
}

std::uint64_t parse_whole(const std::string& option, const std::string& text, const Range& range,
                          const std::string& or_what) {
  const std::optional<std::uint64_t> value = number_in<std::uint64_t>(text);
  if (!value || !range.contains(static_cast<double>(*value)))
    refuse(option, text, "a whole number " + range.text() + or_what);
  return *value;
}

std::string parse_choice(const std::string& option, const std::string& text, const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  refuse(option, text, choices.size() == 1 ? "only " + choices[0] : "one of " + joined(choices, ", "));
}

std::vector<std::string> parse_list(const std::string& option, const std::string& text,
                                    const std::vector<std::string>& choices) {
  std::vector<std::string> result;
  for (const std::string& word : CLI::detail::split(text, ',')) {
    if (std::find(result.begin(), result.end(), word) != result.end()) refuse(option, text, "each name once");
    result.push_back(parse_choice(option, word, choices));
  }
  return result;
}

std::string shown_choices(const std::vector<std::string>& choices) { return joined(choices, "|"); }

CLI::Option* add_list(CLI::App& app, const OptionText& text, std::vector<std::string>& target,
                      const std::vector<std::string>& choices) {
  const auto parse = [&target, choices, name = text.names](const std::string& given) {
    target = parse_list(name, given, choices);
  };
  return app.add_option_function<std::string>(text.names, parse, text.description)->type_name(text.value);
}

CLI::Option* add_texts(CLI::App& app, const OptionText& text, std::vector<std::string>& target) {
  const auto parse = [&target, name = text.names](const std::string& given) { target = words_of(name, given); };
  return app.add_option_function<std::string>(text.names, parse, text.description)->type_name(text.value);
}

CLI::Option* add_reals(CLI::App& app, const OptionText& text, std::vector<double>& target, const Range& range) {
  const auto parse = [&target, range, name = text.names](const std::string& given) {
    target.clear();
    for (const std::string& word : words_of(name, given)) {
      target.push_back(parse_real(name, word, range));
      if (std::find(target.begin(), target.end() - 1, target.back()) != target.end() - 1)
        refuse(name, given, "each number once");
    }
  };
  return app.add_option_function<std::string>(text.names, parse, text.description)->type_name(text.value);
}

CLI::Option* add_bytes(CLI::App& app, const OptionText& text, std::optional<double>& target) {
  const auto parse = [&target, name = text.names](const std::string& given) {
    constexpr std::string_view suffixes = "kMG";
    double factor = 1;
    std::string digits = given;
    const std::size_t suffix = given.empty() ? std::string_view::npos : suffixes.find(given.back());
    if (suffix != std::string_view::npos) {
      factor = std::pow(1e3, static_cast<double>(suffix + 1));
      digits.pop_back();
    }
    const std::optional<double> value = number_in<double>(digits);
    if (!value || !positive.contains(*value))
      refuse(name, given, "a number of bytes over 0, such as 1000000, 500M or 8G");
    target = *value * factor;
  };
  return app.add_option_function<std::string>(text.names, parse, text.description)->type_name(text.value);
}

CLI::Option* add_text(CLI::App& app, const OptionText& text, std::string& target) {
  return app.add_option(text.names, target, text.description)->type_name(text.value);
}

CLI::Option* add_switch(CLI::App& app, const std::string& name, bool& target, const std::string& description) {
  return app.add_flag(name, target, description)->disable_flag_override();
}

CLI::Option* add_bias(CLI::App& app, const std::string& description, Bias& target) {
  const std::vector<std::string> names{"free", "regularized", "none"};
  const auto parse = [&target, names](const std::string& given) {
    for (const Bias bias : {Bias::free, Bias::regularized, Bias::none})
      if (parse_choice("--bias", given, names) == to_string(bias)) target = bias;
  };
  return app.add_option_function<std::string>("--bias", parse, description)->type_name(shown_choices(names));
}

void add_class_weights(CLI::App& app, std::vector<ClassWeight>& target) {
  // Two values, so that LIBLINEAR's -w1 5 is understood as well as -w 1 5.
  const auto parse = [&target](const std::vector<std::string>& given) {
    for (std::size_t i = 0; i + 1 < given.size(); i += 2)
      target.push_back({parse_real("-w", given[i], any_number), parse_real("-w", given[i + 1], not_negative)});
  };
  app.add_option_function<std::vector<std::string>>(
         "-w,--class-weight", parse, "the weight of the rows with this label; can be given several times")
      ->type_size(2)
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->allow_extra_args(false)  // two words each time: the next ones are files
      ->type_name("LABEL WEIGHT");
}

void add_row_weights(CLI::App& app, std::string& file, std::optional<std::uint32_t>& feature) {
  add_text(app, {"--row-weights", "FILE", "the weights of the rows, one number a line"}, file);
  add_whole(app, {"--weight-feature", "J", "feature J of a row is its weight, and no feature"}, feature,
            {.least = 0, .most = 4294967294.0});
}

CLI::Option* add_index_base(CLI::App& app, std::string& target) {
  return add_choice(app,
                    {"--index-base", "",
                     "first index of a row: auto takes 0 where an index 0 occurs in the file, else 1 (default auto)"},
                    target, {"auto", "0", "1"});
}

IndexBase index_base(const std::string& choice) {
  if (choice == "0") return IndexBase::zero;
  return choice == "1" ? IndexBase::one : IndexBase::automatic;
}

std::string shown_names(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name();
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return joined(names, ", ");
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string value = option.get_type_name();
  const bool capitals = std::any_of(value.begin(), value.end(), [](unsigned char c) { return std::isupper(c) != 0; });
  if (capitals || value.empty()) return {};
  return CLI::detail::split(value, '|');
}

bool takes_file(const CLI::Option& option) {
  if (option.get_positional()) return choices_of(option).empty();
  return option.get_type_name().rfind("FILE", 0) == 0;
}

bool takes_folder(const CLI::Option& option) { return option.get_type_name() == "DIR"; }

std::vector<const CLI::Option*> positionals_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->nonpositional(); });
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::App*> all_commands_of(const CLI::App& app) {
  std::vector<const CLI::App*> result;
  for (const CLI::App* command : commands_of(app)) {
    result.push_back(command);
    const auto below = all_commands_of(*command);
    result.insert(result.end(), below.begin(), below.end());
  }
  return result;
}

const CLI::App& parsed_command(const CLI::App& program) {
  const auto parsed = program.get_subcommands();
  return parsed.empty() ? program : parsed_command(*parsed.front());
}

std::string full_name_of(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return parent == nullptr ? app.get_name() : fmt::format("{} {}", full_name_of(*parent), app.get_name());
}

std::string command_words_of(const CLI::App& app) {
  const std::string name = full_name_of(app);
  const std::size_t blank = name.find(' ');
  return blank == std::string::npos ? "" : name.substr(blank + 1);
}

std::vector<std::string> groups_of(const CLI::App& app) {
  std::vector<std::string> groups;
  for (const CLI::Option* option : options_of(app)) {
    const std::string& group = option->get_group();
    if (group != help_group && std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  groups.emplace_back(help_group);
  return groups;
}

std::string synopsis_of(const CLI::App& app) {
  if (!commands_of(app).empty()) return full_name_of(app) + " COMMAND [options] ...";
  std::string result = full_name_of(app) + " [options]";
  for (const CLI::Option* option : positionals_of(app)) {
    const std::vector<std::string> choices = choices_of(*option);
    std::string shown = choices.empty() ? option->get_name() : joined(choices, "|");
    if (option->get_expected_max() > 1) shown += "...";
    result += fmt::format(fmt::runtime(option->get_required() ? " {}" : " [{}]"), shown);
  }
  return result;
}

std::string summary_of(const CLI::App& app) {
  const std::string text = app.get_description();
  return text.substr(0, text.find('\n'));
}

std::string details_of(const CLI::App& app) {
  const std::string text = app.get_description();
  const std::size_t start = text.find_first_not_of('\n', std::min(text.find('\n'), text.size()));
  return start == std::string::npos ? "" : text.substr(start);
}

}  // namespace geodescent::cli
