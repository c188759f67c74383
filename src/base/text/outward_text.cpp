#include "base/text/outward_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

namespace geodescent {
namespace {

/// A positive number as 0.d1d2d3... times a power of ten.
struct Decimal {
  std::string digits;
  int point;  ///< the exponent of ten
};

/// All significant digits: a double has at most 767.
Decimal exactly(double positive) {
  const std::string text = fmt::format("{:.770e}", positive);  // d.ddd...e+xx
  const std::size_t e = text.find('e');
  return {text[0] + text.substr(2, e - 2), std::stoi(text.substr(e + 1)) + 1};
}

/// Truncates to `count` digits. With `away`, rounds away from 0 unless the removed digits are all
/// 0.
void shorten(Decimal& number, std::size_t count, bool away) {
  const bool exact = number.digits.find_first_not_of('0', count) == std::string::npos;
  number.digits.resize(count);
  if (exact || !away) return;
  const std::size_t last_that_grows = number.digits.find_last_not_of('9');
  if (last_that_grows == std::string::npos) {  // 999 becomes 1000
    number.digits.assign(count, '0');
    number.digits[0] = '1';
    ++number.point;
    return;
  }
  ++number.digits[last_that_grows];
  std::fill(number.digits.begin() + static_cast<std::ptrdiff_t>(last_that_grows) + 1, number.digits.end(), '0');
}

/// Formats like "{:.<n>g}" for n digits: no trailing zeros, an exponent where it is shorter.
std::string general_form(const Decimal& number) {
  const int exponent = number.point - 1, count = static_cast<int>(number.digits.size());
  const std::string digits = number.digits.substr(0, number.digits.find_last_not_of('0') + 1);  // the first is never 0
  if (exponent < -4 || exponent >= count) {
    const std::string mantissa = digits.size() == 1 ? digits : fmt::format("{}.{}", digits[0], digits.substr(1));
    return fmt::format("{}e{}{:02}", mantissa, exponent < 0 ? '-' : '+', std::abs(exponent));
  }
  if (number.point <= 0) return fmt::format("0.{:0<{}}{}", "", -number.point, digits);
  const auto before_point = static_cast<std::size_t>(number.point);
  if (digits.size() <= before_point) return fmt::format("{:0<{}}", digits, before_point);
  return fmt::format("{}.{}", digits.substr(0, before_point), digits.substr(before_point));
}

std::string shown(double number, int digits, bool upward) {
  if (number == 0 || !std::isfinite(number)) return fmt::format("{:g}", number);
  const bool negative = number < 0;
  Decimal decimal = exactly(std::abs(number));
  shorten(decimal, static_cast<std::size_t>(digits), upward != negative);
  return fmt::format("{}{}", negative ? "-" : "", general_form(decimal));
}

}  // namespace

std::string text_above(double number, int digits) { return shown(number, digits, true); }

std::string text_below(double number, int digits) { return shown(number, digits, false); }

std::string gap_text(double gap, double relative_gap) {
  return fmt::format("{}, {}", text_above(gap, 3),
                     relative_gap == std::numeric_limits<double>::infinity()
                         ? "no improvement is proven"
                         : fmt::format("{} of the possible improvement", text_above(relative_gap, 3)));
}

}  // namespace geodescent
