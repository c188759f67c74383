// The program of the README, word for word.
#include <cmath>

#include "geodescent/geodescent.hpp"
using namespace geodescent;

int main() {
  // f(x) = sum_j ((j + 1) x_j^2 + cos(x_j)) / 2: its curvature is nowhere below 1/2.
  const auto f = [](std::span<const double> x, std::span<double> gradient) {
    double value = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double a = static_cast<double>(j + 1);
      value += 0.5 * (a * x[j] * x[j] + std::cos(x[j]));
      gradient[j] = a * x[j] - 0.5 * std::sin(x[j]);
    }
    return value;
  };
  const Result r = minimize(f, Vector(10, 1.0), {.strong_convexity = 0.5});
  // r.x is the best point found, r.value its value, and no point has a value below r.lower_bound.
  return r.status == Status::converged && r.gap() < 1e-4 ? 0 : 1;
}
