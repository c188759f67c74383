// Tests of the reference itself: derivatives, bounds on curvature, proofs of minima.
#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

TEST(Oracle, SatisfiesTheNormalEquationsOfRidgeRegression) {
  Random random(1);
  for (const double lambda : {1.0, 1e-4, 1e-8}) {
    const RandomData data = random_data(random, Task::regression, {.rows = 30, .columns = 8});
    const RealVector w = newton(true_risk("squared", data, lambda)).x;
    const RealVector residual = along(times(data.rows, w), -1, data.targets);
    const RealVector left = transposed_times(data.rows, residual);
    for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(static_cast<double>(left[j] + 30 * lambda * w[j]), 0, 1e-16);
  }
}

TEST(Oracle, ProvesTheMinimumToSeventeenDigitsForEveryLossAndLambda) {
  Random random(2);
  for (const LossInfo& loss : losses())
    for (const double lambda : {1.0, 1e-4, 1e-8})
      for (const DataShape& shape :
           {DataShape{.rows = 40, .columns = 8}, DataShape{.rows = 10, .columns = 25, .density = 0.3}}) {
        const RandomData data = random_data(random, loss.task, shape);
        const Optimum optimum = newton(true_risk(loss.name, data, lambda));
        EXPECT_LE(optimum.value - optimum.lower, 1e-17L * optimum.value) << loss.name << " " << lambda;
      }
}

// Extrapolated differences of long double values: an error below 1e-10 where the function is
// smooth.
void expect_consistent(const SmoothFunction& f, const RealVector& x, const RealVector& d) {
  const Real h = 1e-4L;
  const auto value = [&](Real t) { return f.at(along(x, t, d)).value; };
  const auto slope = [&](Real t) { return real_dot(f.at(along(x, t, d)).gradient, d); };
  const auto quotient = [](const auto& g, Real step) { return (g(step) - g(-step)) / (2 * step); };
  const auto derivative = [&](const auto& g) { return (4 * quotient(g, h / 2) - quotient(g, h)) / 3; };
  const Sample s = f.at(x);
  EXPECT_NEAR(static_cast<double>(real_dot(s.gradient, d)), static_cast<double>(derivative(value)), 1e-10);
  EXPECT_NEAR(static_cast<double>(real_dot(d, times(s.hessian, d))), static_cast<double>(derivative(slope)), 1e-10);
}

TEST(Oracle, DerivativesAreDerivativesAndCurvaturesLieBetweenAlphaAndBeta) {
  Random random(3);
  const RandomData labelled = random_data(random, Task::classification, {.rows = 30, .columns = 6});
  for (const SmoothFunction& f :
       {true_risk("logistic", labelled, 0.1), log_sum_exp(random, 9, 5, 0.1), pseudo_huber(random, 9, 5, 0.1),
        random_quadratic(random, spectrum(6, 0.1, 10)).truth, sparse_quadratic(random, 12).truth}) {
    for (int k = 0; k < 5; ++k) {
      const RealVector x = real(random.normal_vector(f.dimension));
      expect_consistent(f, x, real(random.unit_vector(f.dimension)));
      const RealMatrix hessian = f.at(x).hessian;
      EXPECT_GE(smallest_eigenvalue(hessian), f.alpha);
      EXPECT_LE(largest_eigenvalue(hessian), f.beta);
    }
  }
}

}  // namespace
}  // namespace geodescent::testing
