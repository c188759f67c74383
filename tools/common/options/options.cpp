#include "common/options/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include "base/text/near_words.hpp"
#include "common/command.hpp"

namespace geodescent::cli {
namespace {

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

/// 500M is 500000000. Empty if the text is not a number over 0.
std::optional<double> bytes_in(const std::string& text) {
  constexpr std::string_view suffixes = "kMG";
  double factor = 1;
  std::string digits = text;
  const std::size_t suffix = text.empty() ? std::string_view::npos : suffixes.find(text.back());
  if (suffix != std::string_view::npos) {
    factor = std::pow(1e3, static_cast<double>(suffix + 1));
    digits.pop_back();
  }
  const std::optional<double> value = number_in<double>(digits);
  if (!value || !positive.contains(*value)) return std::nullopt;
  return *value * factor;
}

/// Splits a word of a list at its commas, which spaces may follow. Refuses an empty item.
void split_at_commas(const std::string& option, const std::string& word, std::vector<std::string>& items) {
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find(',', begin), word.size());
    begin = std::min(word.find_first_not_of(' ', begin), end);
    if (end == begin) refuse_value(option, word, "items separated by commas or blanks");
    items.push_back(word.substr(begin, end - begin));
    begin = end + 1;
  }
}

/// The only reader of lists. `read` makes an item of its text or refuses it; `is_whole` says which
/// words are not split.
template <class Item, class Read>
Option* add_items(Command& app, const OptionText& text, std::vector<Item>& target, const Read& read,
                  bool (*is_whole)(const std::string&)) {
  const auto parse = [&target, read, is_whole, name = text.names](const std::vector<std::string>& words) {
    std::vector<std::string> items;
    for (const std::string& word : words) {
      if (is_whole(word))
        items.push_back(word);
      else
        split_at_commas(name, word, items);
    }
    target.clear();
    for (const std::string& item : items) {
      Item value = read(item);
      if (std::ranges::find(target, value) != target.end())
        throw UsageError(fmt::format("{}: {} is given twice", long_name(name), item));
      target.push_back(std::move(value));
    }
  };
  return app.add(text, ManyWords{parse});
}

bool never(const std::string& /*word*/) { return false; }

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

}  // namespace

void refuse_value(const std::string& option, const std::string& text, const std::string& expected) {
  throw UsageError(fmt::format("{}: '{}' given, but it takes {}", long_name(option), text, expected));
}

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
  if (!value || !range.contains(*value)) refuse_value(option, text, "a number " + range.text());
  return *value;
}

std::uint64_t parse_whole(const std::string& option, const std::string& text, const Range& range,
                          const std::string& or_what) {
  const std::optional<std::uint64_t> value = number_in<std::uint64_t>(text);
  if (!value || !range.contains(static_cast<double>(*value)))
    refuse_value(option, text, "a whole number " + range.text() + or_what);
  return *value;
}

std::string parse_choice(const std::string& option, const std::string& text, const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  refuse_value(option, text,
               (choices.size() == 1 ? "only " + choices[0] : "one of " + joined(choices, ", ")) +
                   did_you_mean(text, {choices.begin(), choices.end()}));
}

std::string shown_choices(const std::vector<std::string>& choices) { return joined(choices, "|"); }

Option* add_list(Command& app, const OptionText& text, std::vector<std::string>& target) {
  return add_items(app, text, target, std::identity{}, never);
}

Option* add_list(Command& app, const OptionText& text, std::vector<std::string>& target,
                 const std::vector<std::string>& choices) {
  const auto read = [choices, name = text.names](const std::string& item) { return parse_choice(name, item, choices); };
  return add_items(app, text, target, read, never);
}

Option* add_list(Command& app, const OptionText& text, std::vector<double>& target, const Range& range) {
  const auto read = [range, name = text.names](const std::string& item) { return parse_real(name, item, range); };
  return add_items(app, text, target, read, never);
}

Option* add_path_list(Command& app, const OptionText& text, std::vector<std::string>& target) {
  return add_items(app, text, target, std::identity{}, exists);
}

Option* add_bytes(Command& app, const OptionText& text, std::optional<double>& target) {
  const auto parse = [&target, name = text.names](const std::string& given) {
    target = bytes_in(given);
    if (!target) refuse_value(name, given, "a number of bytes over 0, such as 1000000, 500M or 8G");
  };
  return app.add(text, parse);
}

Option* add_text(Command& app, const OptionText& text, std::string& target) {
  return app.add(text, [&target](const std::string& given) { target = given; });
}

Option* add_words(Command& app, const OptionText& text, std::vector<std::string>& target) {
  return app.add(text, ManyWords{[&target](const std::vector<std::string>& words) { target = words; }});
}

Option* add_switch(Command& app, const std::string& name, bool& target, const std::string& description) {
  return app.add({name, "", description}, &target);
}

Bias parse_bias(const std::string& text) {
  const std::string name = parse_choice("--bias", text, {"free", "regularized", "none"});
  return name == "free" ? Bias::free : name == "none" ? Bias::none : Bias::regularized;
}

Bias parse_bias_constant(const std::string& text) {
  if (text != "1" && text != "-1")
    refuse_value("-B", text, "1 (--bias regularized) or -1 (--bias none); another constant feature is not supported");
  return text == "1" ? Bias::regularized : Bias::none;
}

void add_class_weights(Command& app, std::vector<ClassWeight>& target, bool& balanced) {
  const std::string names = "-w,--class-weight", word = "balanced";
  const auto number = [names](const std::string& text, const Range& range) {
    const std::optional<double> value = number_in<double>(text.starts_with('+') ? text.substr(1) : text);
    if (!value || !range.contains(*value))
      refuse_value(names, text, "a label and a weight of at least 0, such as -w 1 5, or the word balanced");
    return *value;
  };
  // Pairs, so that LIBLINEAR's -w1 5 is understood as well as -w 1 5.
  const auto parse = [&target, &balanced, number, word](const std::vector<std::string>& given) {
    for (std::size_t i = 0; i + 1 < given.size(); i += 2) {
      if (given[i] == word && given[i + 1] == word)
        balanced = true;
      else
        target.push_back({number(given[i], any_number), number(given[i + 1], not_negative)});
    }
    if (balanced && !target.empty())
      throw UsageError("--class-weight balanced sets the weights of all classes; leave out the others");
  };
  app.add({names, "LABEL WEIGHT|balanced",
           "the weight of the rows with this label; can be repeated. balanced: each class gets the same total weight, "
           "as in scikit-learn"},
          ManyWords{parse, true, word});
}

void add_row_weights(Command& app, std::string& file, std::optional<std::uint32_t>& feature) {
  add_text(app, {"--row-weights", "FILE", "weights of the rows, one number a line"}, file);
  add_whole(app, {"--weight-feature", "J", "feature J is the weight of its row, not a feature"}, feature,
            {.least = 0, .most = 4294967294.0});
}

Option* add_index_base(Command& app, std::string& target) {
  return add_choice(app,
                    {"--index-base", "",
                     "number of the first feature: auto is 0 if an index 0 occurs in the file, else 1 (default auto)"},
                    target, {"auto", "0", "1"});
}

IndexBase index_base(const std::string& choice) {
  if (choice == "0") return IndexBase::zero;
  return choice == "1" ? IndexBase::one : IndexBase::automatic;
}

IndexBase index_base(const std::string& choice, const LinearModel& model) {
  const int known = model.zero_based ? 0 : 1;
  if (choice != "auto" && !model.has_section) return index_base(choice);
  if (choice != "auto" && choice != std::to_string(known))
    throw UsageError(
        fmt::format("--index-base {} contradicts the model: the features of its training data are numbered from {}; "
                    "leave out --index-base, or train the model with --index-base {}",
                    choice, known, choice));
  return model.zero_based ? IndexBase::zero : IndexBase::one;
}

Option* add_line_limit(Command& app, std::size_t& target) {
  const OptionText text{"--line-limit", "SIZE", "length of the longest line; a longer one is an error (default 500M)"};
  return app.add(text, [&target](const std::string& given) {
    const std::optional<double> bytes = bytes_in(given);
    if (!bytes || *bytes < 1e6 || *bytes > 1e12)
      refuse_value("--line-limit", given, "a number of bytes from 1M to 1000G, such as 500M");
    target = static_cast<std::size_t>(*bytes);
  });
}

}  // namespace geodescent::cli
