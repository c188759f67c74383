#include "matrix/packed_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace geodescent {
namespace {

constexpr std::size_t bits_of_a_word = 32;

std::size_t words_for(std::size_t numbers) { return (numbers + bits_of_a_word - 1) / bits_of_a_word; }

bool is_left_out(double number) { return std::bit_cast<std::uint64_t>(number) == 0; }

}  // namespace

std::vector<double> packed(std::span<const double> numbers) {
  const auto zeros = static_cast<std::size_t>(std::ranges::count_if(numbers, is_left_out));
  const std::size_t words = words_for(numbers.size()), size = words + numbers.size() - zeros;
  if (size >= numbers.size()) return {};
  std::vector<double> all(words);
  all.reserve(size);
  for (std::size_t w = 0; w < words; ++w) {
    const std::size_t first = w * bits_of_a_word, end = std::min(numbers.size(), first + bits_of_a_word);
    std::uint32_t word = 0;
    for (std::size_t i = first; i < end; ++i) {
      if (is_left_out(numbers[i])) continue;
      word |= std::uint32_t{1} << (i - first);
      all.push_back(numbers[i]);
    }
    all[w] = word;
  }
  return all;
}

void unpack(std::span<const double> packed, std::span<double> numbers) {
  std::size_t next = words_for(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto word = static_cast<std::uint32_t>(packed[i / bits_of_a_word]);
    numbers[i] = (word >> (i % bits_of_a_word) & 1) != 0 ? packed[next++] : 0;
  }
}

}  // namespace geodescent
