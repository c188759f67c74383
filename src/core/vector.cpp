#include "geodescent/vector.hpp"

#include <cassert>
#include <cmath>

#include "geodescent/parallel.hpp"

namespace geodescent {
double dot(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  const auto product = [&](std::size_t i) { return std::array{a[i] * b[i]}; };
  return parallel::sum<parallel::Sums<1>>(
             parallel::cut(a.size()),
             [&](std::size_t begin, std::size_t end) { return parallel::sum_in_lanes<1>(begin, end, product); })
      .of[0];
}

double squared_norm(std::span<const double> a) { return dot(a, a); }

double norm(std::span<const double> a) { return std::sqrt(squared_norm(a)); }

void combine(std::span<double> out, double s, std::span<const double> a, double t, std::span<const double> b) {
  assert(out.size() == a.size() && a.size() == b.size());
  parallel::for_each(parallel::cut(out.size()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = s * a[i] + t * b[i];
  });
}

}  // namespace geodescent
