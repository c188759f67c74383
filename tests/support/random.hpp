// Random numbers with the same bits everywhere. Distributions of the standard library differ
// between implementations.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

#include "support/reference/real.hpp"

namespace geodescent::testing {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform in the logarithm.
  double log_uniform(double low, double high) { return low * std::pow(high / low, uniform()); }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  bool chance(double probability) { return uniform() < probability; }

  /// Standard normal (the polar method of Marsaglia).
  double normal() {
    for (;;) {
      const double u = uniform(-1, 1), v = uniform(-1, 1), s = u * u + v * v;
      if (s > 0 && s < 1) return u * std::sqrt(-2 * std::log(s) / s);
    }
  }
  Vector normal_vector(std::size_t size, double scale = 1) {
    Vector v(size);
    for (double& e : v) e = scale * normal();
    return v;
  }
  /// Uniform on the unit sphere.
  Vector unit_vector(std::size_t size) {
    Vector v = normal_vector(size);
    const double length = norm(v);
    for (double& e : v) e /= length;
    return v;
  }
  /// A random orthogonal matrix: Gram-Schmidt, done twice, on random rows.
  RealMatrix orthogonal(std::size_t size) {
    RealMatrix m(size, size);
    for (std::size_t i = 0; i < size; ++i) {
      RealVector v = real(normal_vector(size));
      for (int again = 0; again < 2; ++again)
        for (std::size_t k = 0; k < i; ++k) {
          const std::span<const Real> before = std::span(m.entries).subspan(k * size, size);
          const Real projection = real_dot(v, before);
          for (std::size_t j = 0; j < size; ++j) v[j] -= projection * before[j];
        }
      const Real length = std::sqrt(squared_length(v));
      for (std::size_t j = 0; j < size; ++j) m(i, j) = v[j] / length;
    }
    return m;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace geodescent::testing
