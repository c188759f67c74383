// Decimal numbers at the head of a text that ends with a newline and is followed by padding.
// Internal to the library.
#pragma once

#include <fast_float/fast_float.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "data/text/digits.hpp"

namespace geodescent {

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// The end of the token at p: the next blank, control character, or start of a comment.
inline const char* token_end(const char* p) {
  while (static_cast<unsigned char>(*p) > ' ' && *p != '#') ++p;
  return p;
}

/// Any number, including nan and inf. Returns its end, or p if there is none. Numbers that are too
/// small become 0, numbers that are too large inf.
inline const char* scan_any_number(const char* p, double& value) {
  const char* const start = *p == '+' && p[1] != '-' ? p + 1 : p;
  const auto result = fast_float::from_chars(start, token_end(start), value);
  return result.ec == std::errc::invalid_argument ? p : result.ptr;
}

/// The digits that follow `number`. More than 19 overflow, which the caller detects by their count.
inline const char* scan_digits(const char* p, std::uint64_t& number) {
  static constexpr std::array<std::uint64_t, 9> shift{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  for (;;) {
    const LeadingDigits head = leading_digits(p);
    number = shift[head.count] * number + head.number;
    p += head.count;
    if (head.count < 8) return p;
  }
}

/// Reads a plain decimal, as most numbers are. Returns its end, or null if there is another number
/// at `start`, or none. The value is finite. d digits m and k decimals with m <= 2^53 and k <= 22
/// are m / 10^k by one exactly rounded division (Clinger), since m and 10^k have no rounding error.
inline const char* scan_plain_number(const char* const start, double& value) {
  static constexpr std::array<double, 23> powers_of_ten{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr std::uint64_t exact_limit = std::uint64_t{1} << 53;
  constexpr std::ptrdiff_t safe_digits = 19;                              // they fit 64 bits
  if (is_digit(*start) && static_cast<unsigned char>(start[1]) <= ' ') {  // most values of binary features
    value = *start - '0';
    return start + 1;
  }
  const char* p = start;
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;
  const char* const digits = p;
  std::uint64_t mantissa = 0;
  if (is_digit(*p) && p[1] == '.') {
    mantissa = static_cast<std::uint64_t>(*p - '0');
    ++p;
  } else {
    p = scan_digits(p, mantissa);
  }
  std::ptrdiff_t count = p - digits, decimals = 0;
  if (*p == '.') {
    const char* const first = ++p;
    p = scan_digits(p, mantissa);
    decimals = p - first;
    count += decimals;
  }
  if (count == 0 || count > safe_digits || mantissa > exact_limit || (*p | 0x20) == 'e') [[unlikely]]
    return nullptr;
  double magnitude = static_cast<double>(mantissa);
  if (decimals != 0) magnitude /= powers_of_ten[static_cast<std::size_t>(decimals)];
  value = negative ? -magnitude : magnitude;
  return p;
}

}  // namespace geodescent
