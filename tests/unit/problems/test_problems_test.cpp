#include "geodescent/optimize/test_problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "geodescent/optimize/minimize.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

/// f and its gradient at a point, in long double.
struct Known {
  RealVector x;
  RealVector gradient;
  Real value;

  Known(const TestProblem& problem, const Vector& at)
      : x(real(at)), gradient(at.size()), value(problem.evaluate_precisely(x, gradient)) {}
};

Real largest(const RealVector& v) {
  Real most = 0;
  for (const Real e : v) most = std::max(most, std::abs(e));
  return most;
}

class Problems : public ::testing::TestWithParam<std::string_view> {
 protected:
  const TestProblem& problem = test_problem(GetParam());

  /// The start, points on the way to the minimum, and mixtures of them, coordinate by coordinate:
  /// this is where methods go, whatever the scales of the variables.
  std::vector<Vector> points() const {
    std::vector<Vector> found{problem.start};
    for (const std::uint64_t iterations : {3u, 12u, 40u})
      found.push_back(
          minimize(problem.function(), "lbfgs", problem.start, {.gap_tolerance = 0, .max_iterations = iterations}).x);
    Random random(5);
    for (int k = 0; k < 4; ++k) {
      Vector mixed(problem.dimension());
      for (std::size_t j = 0; j < mixed.size(); ++j)
        mixed[j] = found[0][j] + random.uniform() * (found[1 + random.below(3)][j] - found[0][j]);
      found.push_back(mixed);
    }
    return found;
  }

  /// Those at which f is finite.
  std::vector<Known> known() const {
    std::vector<Known> found;
    for (const Vector& x : points())
      if (Known at(problem, x); std::isfinite(at.value)) found.push_back(std::move(at));
    return found;
  }
};

TEST_P(Problems, StartIsFinite) {
  Vector g(problem.dimension());
  EXPECT_TRUE(std::isfinite(problem.evaluate(problem.start, g)));
  for (const double v : g) EXPECT_TRUE(std::isfinite(v));
  EXPECT_GT(norm(g), 0);
}

TEST_P(Problems, GradientIsTheDerivative) {
  for (const Known& at : known()) {
    const std::size_t stride = std::max<std::size_t>(1, problem.dimension() / 50);
    for (std::size_t j = 0; j < problem.dimension(); j += stride) {
      RealVector x = at.x, ignored(x.size());
      const Real width = 0x1p-28L * std::max(Real{1}, std::abs(x[j]));
      x[j] = at.x[j] + width;
      const Real above = problem.evaluate_precisely(x, ignored);
      x[j] = at.x[j] - width;
      const Real below = problem.evaluate_precisely(x, ignored);
      EXPECT_NEAR(static_cast<double>((above - below) / (2 * width)), static_cast<double>(at.gradient[j]),
                  static_cast<double>(1e-7L * largest(at.gradient) + 1e-9L * std::abs(at.value)))
          << j;
    }
  }
}

TEST_P(Problems, LiesAboveItsTangents) {
  const std::vector<Known> all = known();
  ASSERT_GE(all.size(), 4u);
  for (const Known& a : all)
    for (const Known& b : all) {
      Real tangent = a.value;
      for (std::size_t j = 0; j < a.x.size(); ++j) tangent += a.gradient[j] * (b.x[j] - a.x[j]);
      EXPECT_GE(b.value, tangent - 1e-15L * (std::abs(tangent) + std::abs(a.value)));
    }
}

TEST_P(Problems, IsNotQuadratic) {
  // Between two points of a quadratic function the mean of the slopes gives the difference of the
  // values.
  const std::vector<Known> all = known();
  const Known &a = all[0], &b = all[1];
  Real mean = 0, spread = 0;
  for (std::size_t j = 0; j < a.x.size(); ++j) {
    mean += (a.gradient[j] + b.gradient[j]) / 2 * (b.x[j] - a.x[j]);
    spread += (b.gradient[j] - a.gradient[j]) / 2 * (b.x[j] - a.x[j]);
  }
  EXPECT_GT(std::abs(b.value - a.value - mean), 1e-3L * spread);
}

TEST_P(Problems, IsTheSameInBothPrecisions) {
  const Real at_start = largest(Known(problem, problem.start).gradient);
  for (const Vector& x : points()) {
    const Known precise(problem, x);
    Vector g(x.size());
    const double value = problem.evaluate(x, g);
    ASSERT_EQ(std::isfinite(value), std::isfinite(precise.value));
    if (!std::isfinite(value)) continue;
    EXPECT_NEAR(value, static_cast<double>(precise.value), 1e-13 * (1 + std::abs(value)));
    const double scale = static_cast<double>(std::max(at_start, largest(precise.gradient)));
    for (std::size_t j = 0; j < x.size(); ++j)
      EXPECT_NEAR(g[j], static_cast<double>(precise.gradient[j]), 1e-12 * scale);
  }
}

TEST_P(Problems, HasTheSameBitsEveryTime) {
  for (const Vector& x : points()) {
    Vector first(x.size()), second(x.size());
    const double once = problem.evaluate(x, first);
    if (!std::isfinite(once)) continue;
    EXPECT_EQ(problem.evaluate(x, second), once);
    EXPECT_EQ(second, first);
  }
}

TEST_P(Problems, NoValueIsBelowTheMinimum) {
  if (!problem.minimum) return;  // no formula gives it
  for (const Known& at : known()) EXPECT_GE(at.value, *problem.minimum - 1e-17L * std::abs(*problem.minimum));
}

TEST_P(Problems, FunctionOutlivesItsProblem) {
  const FunctionObjective f = TestProblem(problem).function();
  Vector g(problem.dimension()), expected(problem.dimension());
  EXPECT_EQ(f.evaluate(problem.start, g), problem.evaluate(problem.start, expected));
  EXPECT_EQ(g, expected);
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> found;
  for (const TestProblem& problem : test_problems()) found.push_back(problem.name);
  return found;
}
INSTANTIATE_TEST_SUITE_P(All, Problems, ::testing::ValuesIn(names()),
                         [](const auto& test) { return test_name(test.param); });

TEST(TestProblems, AreManyAndInOrder) {
  const auto all = test_problems();
  EXPECT_GE(all.size(), 12u);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &TestProblem::dimension));
  EXPECT_EQ(all.front().dimension(), 2u);
  EXPECT_EQ(all.back().dimension(), 1000u);
  std::set<std::string_view> different;
  for (const TestProblem& problem : all) {
    EXPECT_FALSE(problem.summary.empty());
    EXPECT_TRUE(different.insert(problem.name).second) << problem.name;
  }
}

TEST(TestProblems, UnknownNameIsRefusedWithTheNames) {
  try {
    test_problem("rosenbrock");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("powell-singular"), std::string::npos) << error.what();
  }
}

TEST(TestProblems, BarriersAreInfiniteOutside) {
  for (const char* name : {"analytic-centre", "box-barrier"}) {
    const TestProblem& problem = test_problem(name);
    Vector far(problem.dimension(), 2), g(problem.dimension());
    EXPECT_EQ(problem.evaluate(far, g), std::numeric_limits<double>::infinity()) << name;
    EXPECT_TRUE(std::isnan(g[0])) << name;
  }
}

TEST(TestProblems, ExponentialsOfLongStepsAreNeverNumbersThatAreWrong) {
  for (const char* name : {"posynomial", "matrix-balancing", "poisson-regression", "valley"}) {
    const TestProblem& problem = test_problem(name);
    Vector far(problem.dimension()), g(problem.dimension());
    for (std::size_t j = 0; j < far.size(); ++j) far[j] = j % 2 == 0 ? 1e4 : 0;
    EXPECT_FALSE(std::isfinite(problem.evaluate(far, g))) << name;
  }
  for (const char* name : {"log-sum-exp", "logistic-regression", "robust-regression", "optimal-transport",
                           "maximum-entropy", "minimax-fit", "log-cosh-chain"}) {
    const TestProblem& problem = test_problem(name);
    Vector far(problem.dimension()), g(problem.dimension());
    for (std::size_t j = 0; j < far.size(); ++j) far[j] = j % 2 == 0 ? 1e8 : -1e8;
    EXPECT_TRUE(std::isfinite(problem.evaluate(far, g))) << name << " overflows";
    EXPECT_TRUE(std::isfinite(norm(g))) << name;
  }
}

}  // namespace
}  // namespace geodescent::testing
