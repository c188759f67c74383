// Numbers of which many are 0, packed for a message.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace geodescent {

/// A bit for each number, in words of 32 bits that are stored as numbers, then the numbers that are not +0. All numbers
/// are unpacked with their bits.
class PackedNumbers {
 public:
  explicit PackedNumbers(std::span<const double> numbers);

  /// Shorter than the numbers themselves.
  bool is_shorter() const { return packed_.size() < size_; }
  std::span<const double> packed() const { return packed_; }

  static void unpack(std::span<const double> packed, std::span<double> numbers);

 private:
  std::size_t size_;
  std::vector<double> packed_;
};

}  // namespace geodescent
