#include "optimize/models/simplex_qp.hpp"

#include <algorithm>

namespace geodescent {

void SimplexQp::improve(std::span<double> w, std::span<double> gradient, double tolerance, int steps) const {
  const std::size_t n = b.size();
  const auto g = [&](std::size_t i, std::size_t j) { return gram[i * stride + j]; };
  for (std::size_t i = 0; i < n; ++i) {
    gradient[i] = b[i];
    for (std::size_t j = 0; j < n; ++j) gradient[i] -= g(i, j) * w[j];
  }
  for (int step = 0; step < steps; ++step) {
    std::size_t up = 0;
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (gradient[i] > gradient[up]) up = i;
      mean += w[i] * gradient[i];
    }
    if (!(gradient[up] - mean > tolerance)) return;

    // Moves weight to `up` from the item where that gains most, until the slope between them is 0
    // or the item has no weight.
    std::size_t down = n;
    double most_gain = 0, moved = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double slope = gradient[up] - gradient[j];
      if (!(w[j] > 0) || !(slope > 0)) continue;
      const double curvature = g(up, up) - 2 * g(up, j) + g(j, j);
      const double t = curvature > 0 ? std::min(w[j], slope / curvature) : w[j];
      const double gain = t * (slope - 0.5 * t * curvature);
      if (gain > most_gain) most_gain = gain, moved = t, down = j;
    }
    if (down == n) return;
    w[up] += moved;
    w[down] = moved < w[down] ? w[down] - moved : 0;
    for (std::size_t i = 0; i < n; ++i) gradient[i] -= moved * (g(i, up) - g(i, down));
  }
}

}  // namespace geodescent
