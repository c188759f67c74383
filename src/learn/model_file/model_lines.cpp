#include "learn/model_file/model_lines.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "geodescent/error.hpp"

namespace geodescent {
namespace {

constexpr const char* remedy_for_bad_line = "train the model again";
constexpr const char* remedy_for_cut_file = "it may be cut off: copy it again or train the model again";
constexpr const char* blanks = " \t\r";

bool starts_with_key(std::string_view line, std::string_view key) {
  return line.starts_with(key) && (line.size() == key.size() || line[key.size()] == ' ');
}

}  // namespace

std::string_view ModelLines::next() {
  ++line_;
  if (rest_.empty()) fail("the file ends too early", remedy_for_cut_file);
  const std::size_t newline = rest_.find('\n');
  if (newline == std::string_view::npos) fail("the last line of the file has no end", remedy_for_cut_file);
  std::string_view line = rest_.substr(0, newline);
  rest_.remove_prefix(newline + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool ModelLines::next_is(std::string_view key) const {
  const std::string_view line = rest_.substr(0, rest_.find_first_of("\r\n"));
  return starts_with_key(line, key);
}

std::string_view ModelLines::value_of(std::string_view key) {
  const std::string_view line = next();
  if (!starts_with_key(line, key)) {
    fail(fmt::format("expected the line '{} ...', found {}", key, shown(line)), remedy_for_bad_line);
  }
  return line.substr(std::min(line.size(), key.size() + 1));
}

bool ModelLines::at_end() const { return rest_.find_first_not_of(" \t\r\n") == std::string_view::npos; }

double ModelLines::number(std::string_view text) const {
  double value = 0;
  const auto result = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::invalid_argument || result.ptr != text.data() + text.size()) {
    fail(fmt::format("{} is not a number", shown(text)), remedy_for_bad_line);
  }
  if (!std::isfinite(value)) fail(fmt::format("{} is not finite", shown(text)), remedy_for_bad_line);
  return value;
}

std::uint64_t ModelLines::count(std::string_view text) const {
  constexpr std::size_t safe_digits = 19;
  const bool digits = !text.empty() && text.size() <= safe_digits &&
                      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) fail(fmt::format("{} is not a whole number", shown(text)), remedy_for_bad_line);
  std::uint64_t value = 0;
  for (const char c : text) value = 10 * value + static_cast<std::uint64_t>(c - '0');
  return value;
}

void ModelLines::fail(const std::string& reason, const std::string& remedy) const {
  throw InputError(fmt::format("{}:{}: {}; {}", name_, line_, reason, remedy));
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = without_blanks(text); !text.empty(); text = without_blanks(text)) {
    const std::size_t length = std::min(text.size(), text.find_first_of(blanks));
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return words;
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 32;
  std::string result = "'";
  for (const char c : text.substr(0, longest)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > longest ? "...'" : "'");
}

}  // namespace geodescent
