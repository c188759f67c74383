#include "matrix/packed_numbers.hpp"

#include <bit>
#include <cstdint>

namespace geodescent {
namespace {

constexpr std::size_t bits_of_a_word = 32;

std::size_t words_for(std::size_t numbers) { return (numbers + bits_of_a_word - 1) / bits_of_a_word; }

}  // namespace

PackedNumbers::PackedNumbers(std::span<const double> numbers) : size_(numbers.size()), packed_(words_for(size_)) {
  std::vector<std::uint32_t> words(packed_.size());
  for (std::size_t i = 0; i < size_; ++i) {
    if (std::bit_cast<std::uint64_t>(numbers[i]) == 0) continue;
    words[i / bits_of_a_word] |= std::uint32_t{1} << (i % bits_of_a_word);
    packed_.push_back(numbers[i]);
  }
  for (std::size_t w = 0; w < words.size(); ++w) packed_[w] = words[w];
}

void PackedNumbers::unpack(std::span<const double> packed, std::span<double> numbers) {
  std::size_t next = words_for(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto word = static_cast<std::uint32_t>(packed[i / bits_of_a_word]);
    numbers[i] = (word >> (i % bits_of_a_word) & 1) != 0 ? packed[next++] : 0;
  }
}

}  // namespace geodescent
