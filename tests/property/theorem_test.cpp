// Theorem 1 and section 2.1: the minimiser stays in every ball, and the balls shrink at the
// promised rate.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "geodescent/optimize/minimize.hpp"
#include "optimize/oracles/decorated_objective.hpp"
#include "support/numbers.hpp"
#include "support/problems.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

constexpr std::string_view methods_with_balls[] = {"geod", "geod-fixed", "ball"};
constexpr std::size_t ball_counts[] = {2, 10, 100};

std::vector<Problem> theorem_problems(double alpha) {
  Random random(31);
  std::vector<Problem> all{random_quadratic(random, spectrum(12, alpha, 1)), sparse_quadratic(random, 25),
                           user_problem("log-sum-exp", log_sum_exp(random, 15, 6, alpha)),
                           user_problem("pseudo-Huber", pseudo_huber(random, 15, 6, alpha))};
  for (const LossInfo& loss : losses()) {
    all.push_back(risk_problem(random, loss.name, alpha, {.rows = 50, .columns = 9}));
    all.push_back(risk_problem(random, loss.name, alpha, {.rows = 12, .columns = 25, .density = 0.4}));
  }
  return all;
}

struct Run {
  std::string_view method;
  double line_tolerance;
  std::optional<std::size_t> balls = {};

  MethodChoice choice() const {
    const MethodChoice tight = with_setting(method, "line-tolerance", fmt::format("{}", line_tolerance));
    return balls ? with_setting(tight, "balls", std::to_string(*balls)) : tight;
  }
};

void PrintTo(const Run& r, std::ostream* out) {
  *out << r.method << ", balls " << r.balls.value_or(1) << ", line tolerance " << r.line_tolerance;
}

std::string name_of(const Run& r) {
  const std::string balls = r.balls ? "_" + std::to_string(*r.balls) + "_balls" : "";
  return test_name(std::string(r.method) + balls +
                   (r.line_tolerance < 0.1   ? "_tight"
                    : r.line_tolerance < 0.7 ? "_half"
                                             : "_sloppy"));
}

/// f - v is accurate to about the rounding of f, so R^2 to (2/alpha) times that. The `ball` method
/// accumulates one rounding of R^2 per iteration.
Real rounding_of_radius(const Problem& p, Real magnitude, std::uint64_t iteration) {
  return 2 / p.truth.alpha * 8 * eps * magnitude * (2 + static_cast<Real>(iteration));
}

class Balls : public ::testing::TestWithParam<Run> {};

TEST_P(Balls, ContainTheMinimiserInEveryIteration) {
  for (const double alpha : {1.0, 1e-2, 1e-4, 1e-6, 1e-8}) {
    for (const Problem& p : theorem_problems(alpha)) {
      const Optimum optimum = newton(p.truth);
      const Vector x0 = Random(7).normal_vector(p.truth.dimension);
      const Real magnitude = std::max(p.truth.at(real(x0)).magnitude, p.truth.at(optimum.x).magnitude);
      const Options options{.gap_tolerance = 0, .max_iterations = 100};
      std::ignore = minimize(*p.objective, GetParam().choice(), x0, options, [&](const Progress& at) {
        const std::optional<Ball> ball = at.method->ball();
        if (!ball) {
          ADD_FAILURE() << "the method has no ball";
          return false;
        }
        const Real distance2 = squared_distance(real(ball->centre), optimum.x);
        EXPECT_LE(distance2, ball->squared_radius + rounding_of_radius(p, magnitude, at.iteration))
            << p.name << ", alpha " << alpha << ", iteration " << at.iteration;
        return true;
      });
    }
  }
}

std::vector<Run> runs(std::initializer_list<double> tolerances) {
  std::vector<Run> all;
  for (const std::string_view m : methods_with_balls)
    for (const double t : tolerances) all.push_back({m, t});
  for (const std::size_t balls : ball_counts)
    for (const double t : tolerances) all.push_back({"geod", t, balls});
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Balls, ::testing::ValuesIn(runs({1e-12, 0.5, 0.9})),
                         [](const auto& test) { return name_of(test.param); });

class Contraction : public ::testing::TestWithParam<Run> {};

TEST_P(Contraction, HasThePromisedRateInEveryIteration) {
  for (const double alpha : {1.0, 1e-1, 1e-2, 1e-4, 1e-6}) {
    for (const Problem& p : theorem_problems(alpha)) {
      const Real kappa = p.truth.beta / p.truth.alpha;
      const Real rate = GetParam().method == "ball" ? 1 - 1 / kappa : 1 - 1 / std::sqrt(kappa);
      const Vector x0 = Random(7).normal_vector(p.truth.dimension);
      const Real magnitude = p.truth.at(real(x0)).magnitude;
      const Options options{.gap_tolerance = 0, .max_iterations = 200};
      const std::string beta = fmt::format("{}", static_cast<double>(p.truth.beta));
      const MethodChoice method = with_setting(GetParam().choice(), "smoothness", beta);
      Real before = -1;
      std::uint64_t checked = 0;
      std::ignore = minimize(*p.objective, method, x0, options, [&](const Progress& at) {
        const Real radius2 = at.method->ball()->squared_radius;
        const Real rounding = rounding_of_radius(p, magnitude, 1);
        if (at.iteration > 0) {
          EXPECT_LE(radius2, rate * before + rounding)
              << p.name << ", alpha " << alpha << ", iteration " << at.iteration;
          ++checked;
        }
        before = radius2;
        return radius2 > 100 * rounding;
      });
      EXPECT_TRUE(kappa < 2 || checked >= 3) << p.name << ": the test has seen too little";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Contraction, ::testing::ValuesIn(runs({1e-12})),
                         [](const auto& test) { return name_of(test.param); });

// At the same points a further ball can only raise the minimum of the enclosing model. Over a run
// the points differ, so runs are compared on average.
TEST(ManyBalls, NeedFewerIterationsForTheSameProof) {
  const auto iterations_to_proof = [](const Problem& p, std::size_t balls) {
    const Options options{.gap_tolerance = 1e-6, .max_iterations = 2000};
    return static_cast<double>(minimize(*p.objective, Geod{.balls = balls}, {}, options).iterations);
  };
  double ratios = 0, count = 0;
  for (const Problem& p : theorem_problems(1e-4)) {
    ratios += std::log(iterations_to_proof(p, 10) / iterations_to_proof(p, 1));
    ++count;
  }
  EXPECT_LT(std::exp(ratios / count), 1);
}

TEST(ManyBalls, OneIsAlgorithmTwoBitForBit) {
  for (const Problem& p : theorem_problems(1e-4)) {
    const Options options{.gap_tolerance = 0, .max_iterations = 50};
    const Result by_default = minimize(*p.objective, "geod", {}, options);
    const Result asked = minimize(*p.objective, Geod{.balls = 1}, {}, options);
    EXPECT_EQ(asked.x, by_default.x) << p.name;
    EXPECT_EQ(asked.lower_bound, by_default.lower_bound) << p.name;
  }
}

// With memory an iteration ends before the search along the gradient, which the theorem includes.
// So it is one search behind.
TEST(ContractionWithMemory, HasTheRateOfTheTheorem) {
  for (const double alpha : {1e-1, 1e-2, 1e-4, 1e-6})
    for (const std::size_t memory : {1u, 3u, 30u})
      for (const Problem& p : theorem_problems(alpha)) {
        if (p.objective->oracle()->image_size() == 0) continue;
        const Real kappa = p.truth.beta / p.truth.alpha, rate = 1 - 1 / std::sqrt(kappa);
        const Vector x0 = Random(7).normal_vector(p.truth.dimension);
        const Real rounding = rounding_of_radius(p, p.truth.at(real(x0)).magnitude, 1);
        const Options options{.gap_tolerance = 0, .max_iterations = 200};
        const GeodMemory method{.memory = memory, .line_tolerance = 1e-12};
        Real promised = -1;
        std::uint64_t checked = 0;
        std::ignore = minimize(*p.objective, method, x0, options, [&](const Progress& at) {
          const Real radius2 = at.method->ball()->squared_radius;
          if (at.iteration == 0) promised = radius2;
          if (at.iteration > 1) promised *= rate;
          EXPECT_LE(radius2, promised + rounding)
              << p.name << ", alpha " << alpha << ", memory " << memory << ", iteration " << at.iteration;
          ++checked;
          return radius2 > 100 * rounding;
        });
        EXPECT_TRUE(kappa < 2 || checked >= 3) << p.name << ": the test has seen too little";
      }
}

/// A decorator without subspace searches.
class NoSubspace final : public OracleDecorator {
 public:
  using OracleDecorator::OracleDecorator;
  SubspaceModel* subspace() override { return nullptr; }

 private:
  std::unique_ptr<Oracle> decorate(std::unique_ptr<Oracle> f) override {
    return std::make_unique<NoSubspace>(std::move(f));
  }
};

template <class Decorator>
DecoratedObjective decorated(const Objective& f) {
  return {f, [](std::unique_ptr<Oracle> oracle) { return std::make_unique<Decorator>(std::move(oracle)); }};
}

TEST(ContractionWithMemory, HasTheRateOfTheTheoremByItsLinesAlone) {
  for (const double alpha : {1e-2, 1e-4})
    for (const Problem& p : theorem_problems(alpha)) {
      if (p.objective->oracle()->image_size() == 0) continue;
      const DecoratedObjective f = decorated<NoSubspace>(*p.objective);
      // A slope towards the centre below a tenth of the gap is accepted.
      const Real rate = 1 - 0.9L / std::sqrt(p.truth.beta / p.truth.alpha);
      const Vector x0 = Random(7).normal_vector(p.truth.dimension);
      const Real rounding = rounding_of_radius(p, p.truth.at(real(x0)).magnitude, 1);
      const Options options{.gap_tolerance = 0, .max_iterations = 200};
      const GeodMemory method{.directions = "gradients", .line_tolerance = 1e-12};
      Real promised = -1;
      std::ignore = minimize(f, method, x0, options, [&](const Progress& at) {
        const Real radius2 = at.method->ball()->squared_radius;
        if (at.iteration == 0) promised = radius2;
        if (at.iteration > 1) promised *= rate;
        EXPECT_LE(radius2, promised + rounding) << p.name << ", alpha " << alpha << ", iteration " << at.iteration;
        return radius2 > 100 * rounding;
      });
    }
}

/// A decorator whose lower models are lower by 1: valid, but the gap never falls below 1.
class WeakModels final : public OracleDecorator {
 public:
  using OracleDecorator::OracleDecorator;
  Evaluation gradient(const Point& p, std::span<double> g) override {
    Evaluation e = OracleDecorator::gradient(p, g);
    e.offset -= 1;
    return e;
  }

 private:
  std::unique_ptr<Oracle> decorate(std::unique_ptr<Oracle> f) override {
    return std::make_unique<WeakModels>(std::move(f));
  }
};

/// The passes of one kind in each iteration, with directions that never halve the gap.
std::vector<std::uint64_t> passes_of(std::uint64_t Counts::*counted, std::string_view directions,
                                     std::uint64_t iterations) {
  Random random(383);
  const Problem p = risk_problem(random, "smoothed-hinge", 1e-8, {.rows = 400, .columns = 80, .noise = 0.1});
  const DecoratedObjective weak = decorated<WeakModels>(*p.objective);
  const Options options{.gap_tolerance = 0, .max_iterations = iterations};
  std::vector<std::uint64_t> passes;
  std::uint64_t before = 0;
  std::ignore = minimize(weak, GeodMemory{.directions = std::string(directions)}, {}, options, [&](const Progress& at) {
    const std::uint64_t more = at.counts.*counted - std::exchange(before, at.counts.*counted);
    if (at.iteration > 0) passes.push_back(more);
    return true;
  });
  return passes;
}

TEST(ContractionWithMemory, GoesOnWithGradientsWhenNewtonDoesNotHalveTheGap) {
  const std::vector<std::uint64_t> passes = passes_of(&Counts::backward_passes, "newton", 80);
  const auto without_hessian = std::ranges::count(passes, 1u);
  EXPECT_GE(static_cast<std::ptrdiff_t>(passes.size()) - without_hessian, 25);
  EXPECT_GE(without_hessian, 1) << "it never went on with gradients";
}

TEST(ContractionWithMemory, AnIterationOfGeodFollowsWhenQuasiNewtonDoesNotHalveTheGap) {
  const std::vector<std::uint64_t> passes = passes_of(&Counts::forward_passes, "quasi-newton", 100);
  const auto guarded = std::ranges::count(passes, 2u);
  EXPECT_GE(guarded, 1) << "it never did";
  EXPECT_LE(guarded, 100 / 30) << "patience";
}

}  // namespace
}  // namespace geodescent::testing
