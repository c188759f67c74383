// Decimal digits, eight at a time. A text is read in words of 64 bits, so that the length of a
// number costs no branch: branch predictors cannot guess it. Internal to the library.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace geodescent {

/// Number of bytes behind the text that are read. They do not affect results.
inline constexpr std::size_t text_padding = 16;

/// The digits at the head of a text: at most the first eight.
struct LeadingDigits {
  unsigned count;
  std::uint64_t number;
};

/// The eight bytes at p, the first one lowest.
inline std::uint64_t eight_bytes(const char* p) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

inline LeadingDigits leading_digits(const char* p) {
  constexpr std::uint64_t every = 0x0101010101010101;
  const std::uint64_t digits = eight_bytes(p) ^ (every * '0');  // a digit becomes its value, all else more than 9
  const std::uint64_t others = (((digits & (every * 0x7f)) + every * (0x80 - 10)) | digits) & (every * 0x80);
  const unsigned count = static_cast<unsigned>(std::countr_zero(others)) / 8;
  // The first digit is in the lowest byte. The shifts fill the word from below with zeros, which
  // are leading zeros of the number. There are two of them because a shift by 64 is undefined.
  const std::uint64_t ones = count == 8 ? digits : (digits << (8 * (7 - count))) << 8;
  const std::uint64_t pairs = (10 * ones + (ones >> 8)) & 0x00ff00ff00ff00ff;
  const std::uint64_t fours = (100 * pairs + (pairs >> 16)) & 0x0000ffff0000ffff;
  return {count, (10000 * fours + (fours >> 32)) & 0xffffffff};
}

}  // namespace geodescent
