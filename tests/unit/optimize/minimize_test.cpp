// The driver with methods of the test's own, so that each of its decisions can be provoked.
#include "geodescent/optimize/minimize.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "geodescent/optimize/function.hpp"
#include "geodescent/optimize/quadratic.hpp"
#include "support/numbers.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

/// 1/2 |x - 1|^2 + 3 in two dimensions.
FunctionObjective bowl() {
  return FunctionObjective({.dimension = 2, .strong_convexity = 1}, [](std::span<const double> x, std::span<double> g) {
    g[0] = x[0] - 1;
    g[1] = x[1] - 1;
    return 3 + 0.5 * (g[0] * g[0] + g[1] * g[1]);
  });
}

/// A method that follows a script: the point, value and bound of each iteration.
class Scripted final : public Method {
 public:
  struct Stop {
    Vector x;
    double value;
    double lower_bound;
    double rounding = 0;
    Step step = Step::progressed;  // what the step that led here says
    double gradient_norm = 1;
  };
  explicit Scripted(std::vector<Stop> stops) : stops_(std::move(stops)) {}

  void start(Oracle&, std::span<const double>) override { k_ = 0; }
  Step step() override {
    if (++k_ == stops_.size()) throw std::logic_error("the run goes on where it should have ended");
    return stops_[k_].step;
  }
  Iterate iterate() const override {
    const Stop& s = stops_[k_];
    return {&s.x, s.value, s.gradient_norm, s.lower_bound, s.rounding};
  }

 private:
  std::vector<Stop> stops_;
  std::size_t k_ = 0;
};

double f(double a, double b) { return 3 + 0.5 * ((a - 1) * (a - 1) + (b - 1) * (b - 1)); }

TEST(Minimize, AMethodOfAUserNeedsNoTable) {
  Scripted method({{{0, 0}, f(0, 0), 1}, {{0.5, 0.5}, f(0.5, 0.5), 2}, {{1, 1}, 3, 3}});
  const Result r = minimize(bowl(), method, {}, {.gap_tolerance = 1e-9});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.x, (Vector{1, 1}));
  EXPECT_EQ(r.value, 3);
  EXPECT_EQ(r.iterations, 2u);
}

TEST(Minimize, KeepsTheBestPointOfAMethodThatIsNotMonotone) {
  Scripted method({{{0, 0}, f(0, 0), 0}, {{0.9, 0.9}, f(0.9, 0.9), 0}, {{5, 5}, f(5, 5), 0}, {{4, 4}, f(4, 4), 0}});
  const Result r = minimize(bowl(), method, {}, {.gap_tolerance = 0, .max_iterations = 3});
  EXPECT_EQ(r.x, (Vector{0.9, 0.9}));
  EXPECT_DOUBLE_EQ(r.value, f(0.9, 0.9));
  EXPECT_NEAR(r.gradient_norm, std::sqrt(2 * 0.01), 1e-15);
}

TEST(Minimize, KeepsTheBestBoundOfAMethodWhoseBoundFalls) {
  Scripted method({{{0, 0}, f(0, 0), 2.5}, {{0.5, 0}, f(0.5, 0), 1}, {{0.6, 0}, f(0.6, 0), 0}});
  double shown = 0;
  std::ignore = minimize(bowl(), method, {}, {.gap_tolerance = 0, .max_iterations = 2}, [&](const Progress& at) {
    shown = at.lower_bound;
    return true;
  });
  EXPECT_EQ(shown, 2.5);
}

TEST(Minimize, DoesNotBelieveACachedValueBelowTheTruth) {
  // The method claims 3 + 1e-12 at (0, 0), where f is 4: the gap must come from the point, not from
  // the claim.
  Scripted method({{{2, 2}, f(2, 2), 0}, {{0, 0}, 3 + 1e-12, 3}, {{0, 0}, 3 + 1e-12, 3}});
  const Result r = minimize(bowl(), method, {}, {.gap_tolerance = 1e-6, .max_iterations = 2});
  EXPECT_NE(r.status, Status::converged);
  EXPECT_EQ(r.value, 4);
  EXPECT_GE(r.gap(), 1);
}

// At this iteration the cached value meets the tolerance and the fresh one does not. That must not
// hide another reason to stop.
const std::vector<Scripted::Stop> deceived{{{2, 2}, f(2, 2), 0}, {{0, 0}, 3 + 1e-12, 3}};

TEST(Minimize, KeepsTheIterationLimitWhenAToleranceIsMetByTheCachedValueOnly) {
  Scripted method(deceived);
  const Result r = minimize(bowl(), method, {}, {.gap_tolerance = 1e-6, .max_iterations = 1});
  EXPECT_EQ(r.status, Status::iteration_limit) << r.message;
  EXPECT_EQ(r.iterations, 1u);
  EXPECT_EQ(r.value, 4);
}

TEST(Minimize, ObeysTheObserverWhenAToleranceIsMetByTheCachedValueOnly) {
  Scripted method(deceived);
  const Result r =
      minimize(bowl(), method, {}, {.gap_tolerance = 1e-6}, [](const Progress& at) { return at.iteration < 1; });
  EXPECT_EQ(r.status, Status::stopped_by_observer) << r.message;
  EXPECT_EQ(r.iterations, 1u);
}

TEST(Minimize, StartsAMethodAgainWhoseValuesHaveDriftedButNotForEver) {
  std::vector<Scripted::Stop> stops = deceived;
  stops[1].step = Step::stalled;
  Scripted method(stops);
  const Result r = minimize(bowl(), method, {}, {.gap_tolerance = 1e-6});
  EXPECT_EQ(r.status, Status::precision_limit) << r.message;
  EXPECT_GT(r.iterations, 1u);
  EXPECT_LT(r.iterations, 20u);
  EXPECT_EQ(r.value, f(r.x[0], r.x[1]));
}

TEST(Minimize, StopsAtThePrecisionLimitWhenTheMethodStalls) {
  Scripted method({{{0, 0}, 4, 1}, {{0.5, 0.5}, f(0.5, 0.5), 2, 1e-3, Step::stalled}});
  const Result r = minimize(bowl(), method, {}, {.gap_tolerance = 1e-9});
  EXPECT_EQ(r.status, Status::precision_limit);
  EXPECT_GE(r.gap(), r.value - 3);
  EXPECT_NE(r.message.find("finds no lower value"), std::string::npos);
}

TEST(Minimize, AStallThatMeetsTheToleranceIsConvergence) {
  Scripted method({{{0, 0}, 4, 1}, {{0.999, 1}, 3.1, 2, 1e-3, Step::stalled}});
  const Result r = minimize(bowl(), method, {}, {.gap_tolerance = 1e-3});
  EXPECT_EQ(r.status, Status::converged) << "the fresh bound at the last point is good enough: " << r.message;
}

TEST(Minimize, ANotFiniteStepReturnsThePointBefore) {
  Scripted method({{{0, 0}, 4, 1}, {{0.5, 0.5}, f(0.5, 0.5), 2}, {{7, 7}, -100, 2, 0, Step::not_finite}});
  const Result r = minimize(bowl(), method, {}, {.gap_tolerance = 1e-9});
  EXPECT_EQ(r.status, Status::not_finite);
  EXPECT_EQ(r.x, (Vector{0.5, 0.5}));
  EXPECT_EQ(r.value, f(0.5, 0.5));
  EXPECT_NE(r.message.find("iteration 2"), std::string::npos) << r.message;
}

TEST(Minimize, RoundingOfALaterBoundExcusesNoEarlierOne) {
  const auto steps = [](std::span<const double> x, std::span<double> g) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      g[i] = static_cast<double>(i + 1) * (x[i] - 1);
      value += g[i] * (x[i] - 1) / 2;
    }
    return value;
  };
  for (const char* method : {"geod-memory", "geod", "lbfgs"})
    for (const double claimed : {1e100, 1e200, 1e300}) {
      const Result r = minimize(steps, method, Vector(10), {.strong_convexity = claimed});
      EXPECT_TRUE(r.status == Status::not_strongly_convex || r.value == r.reference_value)
          << method << ", " << claimed << ": " << r.message;
    }
}

TEST(Minimize, ABoundAboveTheValueIsAContradiction) {
  Scripted method({{{0, 0}, 4, 1}, {{0.5, 0.5}, f(0.5, 0.5), 3.9}});
  const Result r = minimize(bowl(), method, {}, {.gap_tolerance = 0});
  EXPECT_EQ(r.status, Status::not_strongly_convex);
  EXPECT_EQ(r.lower_bound, -infinity);
  EXPECT_EQ(r.value, f(0.5, 0.5));
  EXPECT_NE(r.message.find("3.9"), std::string::npos) << r.message;
}

TEST(Minimize, ABoundAboveTheValueByRoundingIsNone) {
  const Scripted::Stop last{{1, 1}, 3, 3 + 1e-12, 1e-11};
  Scripted method({{{0, 0}, 4, 1}, last, last, last, last, last});  // nothing moves any more
  const Result r = minimize(bowl(), method, {}, {.gap_tolerance = 0});
  EXPECT_EQ(r.status, Status::precision_limit) << r.message;
  EXPECT_LE(r.lower_bound, 3);
  EXPECT_GE(r.gap(), 0);
}

TEST(Minimize, TheGapCoversWhatIsNotKnownOfTheValue) {
  // f is computed to a millionth: a bound equal to the value it returns still leaves three
  // millionths unproven.
  const FunctionObjective rough({.dimension = 1, .strong_convexity = 1, .relative_precision = 1e-6},
                                [](std::span<const double> x, std::span<double> g) {
                                  g[0] = x[0] - 1;
                                  return 3 + 0.5 * g[0] * g[0];
                                });
  Scripted method({{{0}, 3.5, 1}, {{1}, 3, 3}});
  const Result r = minimize(rough, method, {}, {.gap_tolerance = 1e-9, .max_iterations = 1});
  EXPECT_NE(r.status, Status::converged) << r.message;
  EXPECT_GE(r.gap(), 2.999e-6);
}

TEST(Minimize, StartsFromZeroWhenNoStartIsGiven) {
  const Result r = minimize(bowl(), "geod", {}, {.max_iterations = 0});
  EXPECT_EQ(r.x, (Vector{0, 0}));
  EXPECT_EQ(r.value, 4);
  EXPECT_EQ(r.reference_value, 4);
}

TEST(Minimize, UsesTheTrivialBoundOfARisk) {
  const Dataset data{"one", std::make_shared<DenseRows>(Vector{1}, 1), {1}, 1};
  const std::unique_ptr<Objective> risk = make_risk("squared", data, 1e-9);
  const Result r = minimize(*risk, "sd", Vector{1e3}, {.gap_tolerance = 0, .max_iterations = 0});
  EXPECT_LE(r.lower_bound, 0);
  EXPECT_GE(r.lower_bound, -1e-6) << "|g|^2/(2 alpha) is 5e14, but a risk is not negative";
}

TEST(Result, RelativeGapIsTheGapAsPartOfThePossibleImprovement) {
  Result r;
  r.value = 5;
  r.lower_bound = 4;
  r.reference_value = 14;
  EXPECT_EQ(r.gap(), 1);
  EXPECT_EQ(r.relative_gap(), 0.1);
  r.reference_value = 4;  // nothing could be gained
  EXPECT_EQ(r.relative_gap(), infinity);
  r.value = 4;
  EXPECT_EQ(r.relative_gap(), 0);
  r.lower_bound = -infinity;
  r.reference_value = 14;
  EXPECT_EQ(r.relative_gap(), infinity);
}

TEST(Status, HasTheNamesOfTheDocumentation) {
  EXPECT_EQ(to_string(Status::converged), "converged");
  EXPECT_EQ(to_string(Status::iteration_limit), "iteration_limit");
  EXPECT_EQ(to_string(Status::time_limit), "time_limit");
  EXPECT_EQ(to_string(Status::stopped_by_observer), "stopped_by_observer");
  EXPECT_EQ(to_string(Status::precision_limit), "precision_limit");
  EXPECT_EQ(to_string(Status::not_finite), "not_finite");
  EXPECT_EQ(to_string(Status::not_strongly_convex), "not_strongly_convex");
}

TEST(Minimize, TakesACallableAndWhatIsKnownAboutIt) {
  const auto bowl_at_one = [](std::span<const double> x, std::span<double> g) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      g[i] = x[i] - 1;
      value += 0.5 * g[i] * g[i];
    }
    return value;
  };
  const Result proven = minimize(bowl_at_one, Vector(3), {.strong_convexity = 1});
  EXPECT_EQ(proven.status, Status::converged) << proven.message;
  EXPECT_TRUE(proven.proven());
  ASSERT_EQ(proven.x.size(), 3u) << "the dimension is that of the start";
  for (const double v : proven.x) EXPECT_NEAR(v, 1, 1e-3);
  const Result estimated = minimize(bowl_at_one, Lbfgs{.memory = 5}, Vector(3), {}, {.gradient_tolerance = 1e-9});
  EXPECT_FALSE(estimated.proven());
  EXPECT_NEAR(estimated.x[0], 1, 1e-8);
  EXPECT_THROW(std::ignore = minimize(bowl_at_one, Vector(3), {.dimension = 4, .strong_convexity = 1}),
               std::invalid_argument);
}

TEST(Minimize, PlansAsItSaysBeforehand) {
  Random random(61);
  for (const std::size_t columns : {10u, 3000u}) {
    const RandomData data =
        random_data(random, Task::classification, {.rows = 200, .columns = columns, .density = 0.2});
    const auto f = make_risk("logistic", data.data, 1e-4);
    const Options options{.gap_tolerance = 1e-3, .keep_dual = true};
    const Memory planned = planned_memory(*f, {}, options).value(), kept = minimize(*f, {}, options).memory.value();
    EXPECT_EQ(planned.along, kept.along);
    EXPECT_EQ(planned.directions, kept.directions);
    EXPECT_EQ(planned.balls, kept.balls);
    EXPECT_EQ(planned.bytes, kept.bytes);
  }
  EXPECT_FALSE(planned_memory(bowl(), "geod").has_value());
}

TEST(Minimize, RefusesAnUnknownMethod) { EXPECT_THROW(std::ignore = minimize(bowl(), "adam"), std::invalid_argument); }

TEST(Minimize, TheMessageOfConvergenceHoldsItsNumbers) {
  const Result r = minimize(bowl(), "sd", Vector{50, -20}, {.gap_tolerance = 1e-5});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_NE(r.message.find("gap"), std::string::npos) << r.message;
  EXPECT_NE(r.message.find("1e-05"), std::string::npos) << r.message;
}

/// The number that follows `before` in the text.
double number_after(const std::string& text, const std::string& before) {
  const std::size_t found = text.find(before);
  EXPECT_NE(found, std::string::npos) << before << " in " << text;
  return found == std::string::npos ? 0 : std::strtod(text.c_str() + found + before.size(), nullptr);
}

// Gaps are upper bounds: their text is not below them, whatever ended the run.
TEST(Minimize, TheMessageIsTrueAsPrinted) {
  const auto expect_true = [](const Result& r) {
    const double gap = number_after(r.message, "gap ");
    EXPECT_GE(gap, r.gap()) << r.message;
    EXPECT_LE(gap, 1.01 * r.gap()) << r.message;
    if (r.message.find("possible improvement") == std::string::npos) return;
    EXPECT_GE(number_after(r.message, fmt::format("gap {:.3g}, ", gap)), r.relative_gap()) << r.message;
  };
  for (int k = 1; k <= 20; ++k) {
    const Vector x0{50.0 + k, -20.0 / k};
    const double bound = 3 - 0.0123 / k;
    const Vector x{1 + 0.0123 * k, 1};
    const auto stops = [&] { return Scripted({{x0, f(x0[0], x0[1]), 0}, {x, f(x[0], x[1]), bound}}); };
    Scripted relative = stops(), absolute = stops(), limited = stops(), by_gradient = stops();
    const Result r = minimize(bowl(), relative, x0, {.gap_tolerance = 0.1});
    EXPECT_EQ(r.status, Status::converged);
    expect_true(r);
    expect_true(minimize(bowl(), absolute, x0, {.gap_tolerance = 0, .absolute_gap_tolerance = 0.1}));
    expect_true(minimize(bowl(), limited, x0, {.gap_tolerance = 0, .max_iterations = 1}));
    const Result flat = minimize(bowl(), by_gradient, x0, {.gap_tolerance = 0, .gradient_tolerance = 1.5});
    expect_true(flat);
    EXPECT_GE(number_after(flat.message, "gradient norm "), flat.gradient_norm) << flat.message;
  }
}

}  // namespace
}  // namespace geodescent::testing
