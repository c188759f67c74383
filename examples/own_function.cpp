// Minimise a function of your own and know how far from the optimum the answer can be.
#include <cmath>
#include <cstdio>

#include "geodescent/geodescent.hpp"

int main() {
  using namespace geodescent;

  // f(x) = log(sum_j exp(j x_j)) + 1/2 |x|^2. The first part is convex, so f is 1-strongly convex.
  const std::size_t n = 20;
  const FunctionObjective f({.dimension = n, .strong_convexity = 1.0},
                            [](std::span<const double> x, std::span<double> g) {
                              double sum = 0, squares = 0;
                              for (std::size_t j = 0; j < x.size(); ++j) {
                                g[j] = std::exp(static_cast<double>(j) * x[j]);
                                sum += g[j];
                                squares += x[j] * x[j];
                              }
                              for (std::size_t j = 0; j < x.size(); ++j)
                                g[j] = static_cast<double>(j) * g[j] / sum + x[j];
                              return std::log(sum) + 0.5 * squares;
                            });

  // Before trusting a gradient written by hand:
  const GradientCheck check = check_gradient(f, Vector(n, 0.1));
  std::printf("%s\n", check.message.c_str());

  const Result r = minimize(f);
  std::printf("%s: %s\n", to_string(r.status).data(), r.message.c_str());
  std::printf("f(x) = %.12g, and no point has a value below %.12g\n", r.value, r.lower_bound);
  std::printf("%llu iterations, %llu evaluations\n", static_cast<unsigned long long>(r.iterations),
              static_cast<unsigned long long>(r.counts.function_evaluations));
  return check.passed && r.status == Status::converged ? 0 : 1;
}
