// Random numbers with the same bits on every platform. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace geodescent {

/// The C++ standard defines the engine exactly, but not its distributions. So the conversions are
/// written here.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  /// Uniform in 0 .. bound - 1, for bound <= 2^32.
  std::uint64_t below(std::uint64_t bound) { return ((engine_() >> 32) * bound) >> 32; }

  /// Approximately normal with mean 0 and variance 1: the sum of four uniform 16-bit numbers. Needs
  /// no log or cos.
  double bell() {
    const std::uint64_t bits = engine_();
    const auto sum =
        static_cast<std::int64_t>((bits & 0xffff) + ((bits >> 16) & 0xffff) + ((bits >> 32) & 0xffff) + (bits >> 48));
    constexpr double centre = 4 * 32767.5;
    constexpr double deviation = 37837.22;  // sqrt(4 (2^32 - 1) / 12)
    return (static_cast<double>(sum) - centre) / deviation;
  }

 private:
  std::mt19937_64 engine_;
};

template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[random.below(left)]);
}

}  // namespace geodescent
