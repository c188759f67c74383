// Minimise a function without knowing how strongly convex it is: the gap is then an estimate, and
// the result says so.
#include <cmath>
#include <cstdio>

#include "geodescent/geodescent.hpp"

int main() {
  using namespace geodescent;

  // Logistic growth fitted to counts: log(1 + e^(a + b t)) summed over t, less the data's part.
  // Convex, and nobody knows the smallest curvature.
  const std::size_t n = 2;
  const FunctionObjective f({.dimension = n}, [](std::span<const double> x, std::span<double> g) {
    double value = 0;
    g[0] = g[1] = 0;
    for (int t = -10; t <= 10; ++t) {
      const double z = x[0] + x[1] * t, seen = t > 0 ? 0.8 : 0.1;
      value += std::log1p(std::exp(-std::abs(z))) + std::fmax(z, 0.0) - seen * z;
      const double slope = 1 / (1 + std::exp(-z)) - seen;
      g[0] += slope;
      g[1] += slope * t;
    }
    return value;
  });

  const Result r = minimize(f);
  std::printf("%s\n", r.message.c_str());
  std::printf("f(x) = %.12g, %s lower bound %.12g\n", r.value, r.proven() ? "proven" : "estimated", r.lower_bound);
  return r.status == Status::converged && !r.proven() ? 0 : 1;
}
