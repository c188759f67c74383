// "It guarantees the function value is strictly decreasing" (paper, after Lemma 1): Algorithm 2 on
// random problems.
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "geodescent/optimize/minimize.hpp"
#include "support/numbers.hpp"
#include "support/problems.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

/// Runs `geod`. An iteration lowers f by at least |g|^2/(2 beta), with g the gradient in its
/// middle. While that exceeds rounding, f must decrease.
void expect_strict_descent(const Problem& p, const Vector& x0) {
  const Optimum optimum = newton(p.truth);
  const Real floor = 32 * eps * p.truth.at(optimum.x).magnitude;
  double before = std::numeric_limits<double>::infinity();
  std::uint64_t checked = 0;
  std::ignore =
      minimize(*p.objective, "geod", x0, {.gap_tolerance = 0, .max_iterations = 300}, [&](const Progress& at) {
        const Real promised = at.gradient_norm * at.gradient_norm / (2 * p.truth.beta);
        if (at.iteration > 0 && promised > floor) {
          EXPECT_LT(at.value, before) << p.name << ", iteration " << at.iteration << ": f should fall by " << promised
                                      << ", its gap is " << before - optimum.value;
          ++checked;
        }
        before = at.value;
        return true;
      });
  EXPECT_GE(checked, 2u) << p.name << ": the test has seen too little";
}

class Descent : public ::testing::TestWithParam<double> {};

TEST_P(Descent, OfGeodIsStrictInEveryIterationForEveryLoss) {
  Random random(23);
  for (const LossInfo& loss : losses())
    for (const DataShape& shape :
         {DataShape{.rows = 60, .columns = 12}, DataShape{.rows = 15, .columns = 40, .density = 0.3}}) {
      const Problem p = risk_problem(random, loss.name, GetParam(), shape);
      expect_strict_descent(p, Vector(p.truth.dimension));
      expect_strict_descent(p, random.normal_vector(p.truth.dimension, 3));
    }
}

TEST_P(Descent, OfGeodIsStrictInEveryIterationForQuadraticsAndUsersFunctions) {
  Random random(29);
  const double alpha = GetParam();
  for (const Problem& p : {random_quadratic(random, spectrum(20, alpha, 2)), sparse_quadratic(random, 30),
                           user_problem("log-sum-exp", log_sum_exp(random, 15, 6, alpha)),
                           user_problem("pseudo-Huber", pseudo_huber(random, 15, 6, alpha))})
    expect_strict_descent(p, random.normal_vector(p.truth.dimension, 2));
}

TEST_P(Descent, OfEveryMethodThatPromisesItIsMonotone) {
  // Not strictly, but never upward by more than rounding. `afgwr` restarts instead of increasing f.
  Random random(31);
  for (const LossInfo& loss : losses()) {
    const Problem p = risk_problem(random, loss.name, GetParam(), {.rows = 60, .columns = 12});
    for (const std::string_view method :
         {std::string_view("geod"), std::string_view("geod-fixed"), std::string_view("sd"), std::string_view("afgwr"),
          std::string_view("lbfgs"), with_gradients, with_quasi_newton, with_newton}) {
      double before = std::numeric_limits<double>::infinity();
      minimize_with(method, *p.objective, Vector(12, 1.0), {.gap_tolerance = 0, .max_iterations = 100},
                    [&](const Progress& at) {
                      const double value = at.method->iterate().value;
                      EXPECT_LE(value, before + 8 * eps * std::abs(at.reference_value))
                          << method << " on " << loss.name << ", iteration " << at.iteration;
                      before = value;
                      return true;
                    });
    }
  }
}

/// The iterations until f is at most `value`.
std::uint64_t iterations_to(double value, std::string_view method, const Objective& f) {
  return minimize_with(method, f, {}, {.gap_tolerance = 0, .max_iterations = 2000},
                       [=](const Progress& at) { return at.value > value; })
      .iterations;
}

/// The directions are those of L-BFGS, but each line is searched almost to its minimum.
TEST_P(Descent, WithQuasiNewtonDirectionsTakesFewerIterationsThanWithLbfgs) {
  Random random(37);
  std::uint64_t ours = 0, theirs = 0;
  for (const char* loss : {"logistic", "smoothed-hinge", "squared-hinge"})
    for (const Bias bias : {Bias::none, Bias::free})
      for (const DataShape& shape : {DataShape{.rows = 300, .columns = 30, .noise = 0.1},
                                     DataShape{.rows = 500, .columns = 60, .density = 0.2, .noise = 0.2}}) {
        const Problem p = risk_problem(random, loss, GetParam(), shape, bias);
        const Result best = minimize(*p.objective, {}, {.gap_tolerance = 1e-10});
        const double value = best.value + 1e-6 * (best.reference_value - best.value);
        ours += iterations_to(value, with_quasi_newton, *p.objective);
        theirs += iterations_to(value, "lbfgs", *p.objective);
      }
  EXPECT_LE(static_cast<double>(ours), 0.97 * static_cast<double>(theirs));
}

INSTANTIATE_TEST_SUITE_P(Alpha, Descent, ::testing::Values(1, 1e-2, 1e-4, 1e-6, 1e-8),
                         [](const auto& test) { return "case_" + std::to_string(test.index); });

}  // namespace
}  // namespace geodescent::testing
