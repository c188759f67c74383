// The promises of every method about its results: correct, proven, counted, and with the same bits
// in every run.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "contract/methods/method_fixture.hpp"
#include "geodescent/optimize/quadratic.hpp"

namespace geodescent::testing {
namespace {

class MethodContract : public MethodFixture {};

TEST_P(MethodContract, FindsTheMinimumOfEveryObjectiveAndProvesIt) {
  for (const Problem& p : all) {
    SCOPED_TRACE(p.name);
    const Optimum optimum = newton(p.truth);
    const Result r = run(p, {.gap_tolerance = 1e-6, .max_iterations = 20000});
    EXPECT_EQ(r.status, Status::converged) << r.message;
    EXPECT_LE(r.relative_gap(), 1e-6);
    EXPECT_LE(r.lower_bound, optimum.lower);
    EXPECT_GE(r.gap(), p.truth.at(real(r.x)).value - optimum.lower);
    // alpha/2 |x - x*|^2 <= f(x) - f*.
    EXPECT_LE(squared_distance(real(r.x), optimum.x), 2 / p.truth.alpha * r.gap());
    const Sample start = p.truth.at(real(start_for(p)));
    EXPECT_LE(std::abs(r.reference_value - start.value), 4 * eps * start.magnitude);
  }
}

TEST_P(MethodContract, TheObserverSeesTheStartFirstAndThenEveryIteration) {
  for (const Problem& p : all) {
    SCOPED_TRACE(p.name);
    const Sample start = p.truth.at(real(start_for(p)));
    std::uint64_t expected = 0;
    const Result r = run(p, {.gap_tolerance = 1e-6, .max_iterations = 30}, [&](const Progress& at) {
      EXPECT_EQ(at.iteration, expected++);
      if (at.iteration == 0) {
        EXPECT_LE(std::abs(at.value - start.value), 4 * eps * start.magnitude);
        EXPECT_EQ(at.value, at.reference_value);
        EXPECT_NEAR(at.gradient_norm, static_cast<double>(std::sqrt(squared_length(start.gradient))),
                    1e-12 * at.gradient_norm);
      }
      EXPECT_GE(at.gap(), 0);
      EXPECT_GE(at.relative_gap(), 0);
      return true;
    });
    EXPECT_EQ(expected, r.iterations + 1);
  }
}

TEST_P(MethodContract, TheBestValueNeverRisesAndTheLowerBoundNeverFalls) {
  for (const Problem& p : all) {
    SCOPED_TRACE(p.name);
    double value = std::numeric_limits<double>::infinity(), bound = -value;
    run(p, {.gap_tolerance = 0, .max_iterations = 60}, [&](const Progress& at) {
      EXPECT_LE(at.value, value) << at.iteration;
      // The reported bound is capped by the value, which falls.
      EXPECT_GE(at.lower_bound, std::min(bound, at.value)) << at.iteration;
      value = at.value;
      bound = at.lower_bound;
      return true;
    });
  }
}

TEST_P(MethodContract, CountsOnlyGrowAndEndInTheResult) {
  for (const Problem& p : all) {
    SCOPED_TRACE(p.name);
    Counts before;
    double seconds = 0;
    const Result r = run(p, {.gap_tolerance = 0, .max_iterations = 10}, [&](const Progress& at) {
      EXPECT_GE(at.counts.forward_passes, before.forward_passes);
      EXPECT_GE(at.counts.backward_passes, before.backward_passes);
      EXPECT_GE(at.counts.line_evaluations, before.line_evaluations);
      EXPECT_GE(at.seconds, seconds);
      before = at.counts;
      seconds = at.seconds;
      return true;
    });
    EXPECT_GE(r.counts.forward_passes, before.forward_passes);
    EXPECT_GE(r.counts.function_evaluations, before.function_evaluations);
    EXPECT_GE(r.seconds, seconds);
    if (has_image(p)) {
      EXPECT_EQ(r.counts.function_evaluations, 0u);
    } else {
      EXPECT_EQ(r.counts.forward_passes + r.counts.backward_passes, 0u);
    }
  }
}

struct Trace {
  std::vector<double> numbers;
  Vector x;
  bool operator==(const Trace&) const = default;
};

Trace trace(const Objective& f, std::string_view method, const Vector& x0) {
  Trace t;
  const Result r = minimize_with(method, f, x0, {.gap_tolerance = 0, .max_iterations = 12}, [&](const Progress& at) {
    t.numbers.insert(t.numbers.end(),
                     {at.value, at.lower_bound, at.gradient_norm, static_cast<double>(at.counts.line_evaluations)});
    return true;
  });
  t.numbers.insert(t.numbers.end(), {r.value, r.lower_bound, r.gradient_norm});
  t.x = r.x;
  return t;
}

TEST_P(MethodContract, RunsAreTheSameToTheLastBitForEveryNumberOfThreads) {
  Random random(167);
  const RandomData tall = random_data(random, Task::classification, {.rows = 12000, .columns = 10});
  const RandomData wide = random_data(random, Task::regression, {.rows = 200, .columns = 5000, .density = 0.05});
  const std::unique_ptr<Objective> logistic = make_risk("logistic", tall.data, 1e-3),
                                   squared = make_risk("squared", wide.data, 1e-3);
  const Quadratic chain = worst_case(10000, 100);
  for (const Objective* f : {static_cast<const Objective*>(logistic.get()),
                             static_cast<const Objective*>(squared.get()), static_cast<const Objective*>(&chain)}) {
    const Vector x0 = random.normal_vector(f->dimension(), 0.1);
    set_threads(1);
    const Trace alone = trace(*f, GetParam(), x0);
    for (const int count : {1, 2, 3, 8}) {
      set_threads(count);
      EXPECT_TRUE(trace(*f, GetParam(), x0) == alone) << count << " threads, dimension " << f->dimension();
    }
  }
}

TEST_P(MethodContract, AMethodUsedAgainDoesNotRememberTheRunBefore) {
  const std::unique_ptr<Method> method = make_variant(GetParam());
  for (const Problem& p : all) {
    SCOPED_TRACE(p.name);
    const auto once = [&](Method& m) {
      return minimize(*p.objective, m, start_for(p), {.gap_tolerance = 0, .max_iterations = 8}).x;
    };
    const Vector again = once(*method);  // after runs on other objectives
    EXPECT_EQ(again, once(*make_variant(GetParam())));
    EXPECT_EQ(again, once(*method));
  }
}

INSTANTIATE_TEST_SUITE_P(All, MethodContract, ::testing::ValuesIn(method_variants()),
                         [](const auto& test) { return test_name(test.param); });

TEST(MethodTable, HasTheMethodsOfThePaper) {
  for (const std::string_view name : {"geod", "geod-fixed", "geod-memory", "ball", "sd", "afg", "afgwr", "lbfgs"}) {
    EXPECT_NE(MethodChoice(name).make(), nullptr);
  }
  for (std::size_t i = 0; i < methods().size(); ++i) {
    EXPECT_FALSE(methods()[i].summary.empty());
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(methods()[i].name, methods()[k].name);
  }
}

TEST(MethodTable, AnUnknownNameIsRefusedWithTheKnownOnes) {
  try {
    std::ignore = MethodChoice("newton");
    FAIL() << "no exception";
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string_view(e.what()).find("newton"), std::string_view::npos);
    for (const MethodInfo& m : methods()) EXPECT_NE(std::string_view(e.what()).find(m.name), std::string_view::npos);
  }
}

}  // namespace
}  // namespace geodescent::testing
