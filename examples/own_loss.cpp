// Add a loss of your own without touching the library: any type with these members will do.
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "geodescent/geodescent.hpp"

/// Pseudo-Huber regression: sqrt(1 + (z - y)^2) - 1.
struct PseudoHuber {
  static constexpr std::string_view name = "pseudo-huber";
  static constexpr geodescent::Task task = geodescent::Task::regression;

  geodescent::LossValue operator()(double z, double y) const {
    const double r = z - y, root = std::sqrt(1 + r * r);
    return {r * r / (1 + root), r / root, 1 / (root * root * root)};
  }
  double conjugate(double s, double y) const {
    return std::abs(s) > 1 ? std::numeric_limits<double>::infinity() : s * y + 1 - std::sqrt((1 - s) * (1 + s));
  }
  double curvature_bound() const { return 1; }
};

int main() {
  using namespace geodescent;

  // Five rows of two features, y about 2 a_1 - a_2, and one outlier.
  const auto rows = std::make_shared<DenseRows>(Vector{1, 0, 0, 1, 1, 1, 2, 1, 1, 2}, 2);
  const Dataset data{"example", rows, {2, -1, 1.1, 3, 100}, 10};

  const RegularizedRisk<PseudoHuber> f(data, 1e-3);
  const Result r = minimize(f, "lbfgs");
  std::printf("%s: w = (%.4f, %.4f), proven gap %.2g\n", to_string(r.status).data(), r.x[0], r.x[1], r.gap());
  return r.status == Status::converged ? 0 : 1;
}
