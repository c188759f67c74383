// Section 4.2 of the paper: on the worst-case function GeoD has the optimal rate, with a better
// constant than Nesterov's method.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "geodescent/optimize/minimize.hpp"
#include "geodescent/optimize/quadratic.hpp"

namespace geodescent::testing {
namespace {

constexpr std::size_t n = 200;
constexpr double beta = 1e4;

/// min f: Q is tridiagonal with 2 beta + 1 and -beta, and f* = beta/2 - b.x*/2 = beta/2 (1 - x*_1).
/// x* solves the recurrence of Q x = beta e_1: x*_i = sinh((n + 1 - i) t) / sinh((n + 1) t), 2 cosh
/// t = 2 + 1/beta.
double minimum() {
  const long double t = std::acosh(1 + 0.5L / beta), m = n;
  return static_cast<double>(0.5L * beta * (1 - std::sinh(m * t) / std::sinh((m + 1) * t)));
}

/// Iterations until (f - f*) / (f(0) - f*) <= 1e-6.
std::uint64_t iterations(std::string_view method) {
  const double f_star = minimum();
  std::uint64_t needed = 0;
  std::ignore =
      minimize(worst_case(n, beta), method, {}, {.gap_tolerance = 0, .max_iterations = 3000}, [&](const Progress& at) {
        needed = at.iteration;
        return at.value - f_star > 1e-6 * (at.reference_value - f_star);
      });
  return needed;
}

TEST(WorstCase, GeodNeedsAtMostThreeFifthsOfTheIterationsOfAfg) {
  const std::uint64_t geod = iterations("geod"), afg = iterations("afg");
  EXPECT_LT(afg, 3000u);
  EXPECT_LE(static_cast<double>(geod), 0.6 * static_cast<double>(afg)) << geod << " against " << afg;
}

TEST(WorstCase, IsProvenToTheSameAccuracyByEveryMethodButTheSlowOnes) {
  const double f_star = minimum();
  for (const MethodInfo& m : methods()) {
    if (m.name == "sd" || m.name == "ball") continue;  // rate 1 - 1/kappa, kappa = 4e4
    const Result r = minimize(worst_case(n, beta), m.name, {}, {.gap_tolerance = 1e-6, .max_iterations = 20000});
    EXPECT_EQ(r.status, Status::converged) << m.name << ": " << r.message;
    EXPECT_LE(r.lower_bound, f_star * (1 + 1e-12));
    EXPECT_GE(r.value, f_star - 1e-14 * beta) << "f is a difference of numbers of the size of beta";
  }
}

}  // namespace
}  // namespace geodescent::testing
