#include "data/text/number_lines.hpp"

#include <fast_float/fast_float.h>

#include <cmath>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "data/io/text_source.hpp"
#include "data/text/file_kind.hpp"
#include "data/text/line_limit.hpp"
#include "data/text/text_quote.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

class NumberLines {
 public:
  explicit NumberLines(std::string name) : name_(std::move(name)) {}

  /// Takes the lines that are complete; returns the rest.
  std::string_view take(std::string_view text) {
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      take_line(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
    return text;
  }

  void require_short(std::string_view unfinished) const {
    if (unfinished.size() > least_line_limit)
      throw InputError(fmt::format("{}:{}: the line is longer than {} bytes; give one number a line", name_, line_ + 1,
                                   least_line_limit));
  }

  Vector numbers;

 private:
  void take_line(std::string_view line) {
    ++line_;
    line = trimmed(line);
    if (line.empty()) return;
    if (line.front() == '+') line.remove_prefix(1);
    double value = 0;
    const auto result = fast_float::from_chars(line.data(), line.data() + line.size(), value);
    const char* const wrong = result.ec == std::errc::invalid_argument || !std::isfinite(value)
                                  ? "is not a finite number"
                              : result.ptr != line.data() + line.size() ? "is followed by other text"
                                                                        : nullptr;
    if (wrong != nullptr) fail(line, wrong);
    numbers.push_back(value);
  }

  [[noreturn]] void fail(std::string_view line, const char* wrong) const {
    const std::string_view kind = kind_of_file(line);
    const std::string seen = kind.empty() ? "" : fmt::format("this looks like {}; ", kind);
    throw InputError(
        fmt::format("{}:{}: {} {}; {}give one number a line", name_, line_, quoted(line.data()), wrong, seen));
  }

  std::string name_;
  std::uint64_t line_ = 0;
};

}  // namespace

Vector read_number_lines(const std::string& path) {
  TextSource source(path);
  NumberLines lines(source.name());
  std::string unfinished;
  for (std::string_view piece = source.read(); !piece.empty(); piece = source.read()) {
    unfinished.append(piece);
    unfinished = std::string(lines.take(unfinished));
    lines.require_short(unfinished);
  }
  unfinished += '\n';
  lines.take(unfinished);
  return std::move(lines.numbers);
}

}  // namespace geodescent
