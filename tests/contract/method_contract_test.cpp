// What the documentation of Method and minimize promises, for every method on every kind of objective.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "contract/allocations.hpp"
#include "contract/objectives.hpp"
#include "geodescent/function.hpp"
#include "geodescent/minimize.hpp"
#include "geodescent/parallel.hpp"
#include "geodescent/quadratic.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

class MethodContract : public ::testing::TestWithParam<std::string_view> {
 protected:
  ~MethodContract() override { set_threads(threads_before_); }

  static Vector start_for(const Problem& p) { return Random(11).normal_vector(p.truth.dimension); }
  static Result run(const Problem& p, const Options& options, const Observer& observer = {}) {
    return minimize_with(GetParam(), *p.objective, start_for(p), options, observer);
  }

  std::vector<Problem> all = objectives();

 private:
  int threads_before_ = threads();
};

// ------------------------------------------------------------------------------------------------------------- results

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
      // The bound shown is cut at the value, which falls.
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

// ---------------------------------------------------------------------------------------------------------------- cost

TEST_P(MethodContract, EveryIterationCostsOneForwardAndOneBackwardPassAndOneForAHessian) {
  for (const LineSearch search : {LineSearch::wolfe, LineSearch::exact})
    for (const Problem& p : all) {
      if (!has_image(p)) continue;
      SCOPED_TRACE(p.name);
      Options options{.gap_tolerance = 0, .max_iterations = 120};  // well into the rounding floor
      options.method.line_search = search;
      const bool hessians = GetParam() == with_newton && p.objective->cost().hessian_products > 0;
      Counts before;
      std::uint64_t wrong = 0;
      run(p, options, [&](const Progress& at) {
        if (at.iteration > 0) {
          wrong += at.counts.forward_passes != before.forward_passes + 1;
          wrong += at.counts.backward_passes != before.backward_passes + (hessians ? 2 : 1);
        } else {
          EXPECT_LE(at.counts.forward_passes, 2u);
          EXPECT_EQ(at.counts.backward_passes, 1u);
        }
        before = at.counts;
        return true;
      });
      EXPECT_EQ(wrong, 0u);
    }
}

TEST_P(MethodContract, AStepAllocatesNothing) {
  // Large enough for two threads to share the rows, the columns, or both.
  Random random(157);
  std::vector<Problem> problems = all;
  const RandomData tall = random_data(random, Task::classification, {.rows = 9000, .columns = 8});
  const RandomData wide = random_data(random, Task::regression, {.rows = 40, .columns = 9000, .density = 0.05});
  problems.push_back({"tall", make_risk("logistic", tall.data, 1e-3), {}});
  problems.push_back({"wide", make_risk("huber", wide.data, 1e-3), {}});
  problems.push_back({"long worst case", std::make_shared<Quadratic>(worst_case(9000, 100)), {}});
  const auto sphere = [](std::span<const double> x, std::span<double> g) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      value += 0.5 * static_cast<double>(i + 1) * (x[i] - 1) * (x[i] - 1),
          g[i] = static_cast<double>(i + 1) * (x[i] - 1);
    return value;
  };
  problems.push_back(
      {"user's function",
       std::make_shared<FunctionObjective>(FunctionProperties{.dimension = 5, .strong_convexity = 1}, sphere),
       {}});
  for (const int count : {1, 2}) {
    set_threads(count);
    for (const Problem& p : problems) {
      if (p.name.starts_with("user's function in")) continue;  // these allocate themselves
      SCOPED_TRACE(p.name);
      for (const LineSearch search : {LineSearch::wolfe, LineSearch::exact}) {
        MethodSettings settings;
        settings.line_search = search;
        settings.memory = 3;  // so that it is filled, and overwritten
        const std::unique_ptr<Method> method = make_variant(GetParam(), settings);
        method->start(*p.objective, random.normal_vector(p.objective->dimension()));
        const std::uint64_t before = allocations();
        for (int k = 0; k < 12; ++k) {
          method->step();
          method->iterate();
        }
        EXPECT_EQ(allocations(), before) << count << " threads";
      }
    }
  }
}

TEST_P(MethodContract, AStepAllocatesNothingWhenItIsTheFirstToNeedManyThreads) {
  // Two blocks in a pass, sixteen in a sum over rows: threads for the latter must not be made in a step. No other test
  // of this program uses so many, so none has made them already.
  Random random(163);
  const RandomData data = random_data(random, Task::regression, {.rows = 16 * 2048, .columns = 1});
  const std::unique_ptr<Objective> f = make_risk("huber", data.data, 1e-3);
  static int many = 9;  // each method gets one thread more than the last
  set_threads(++many);
  const std::unique_ptr<Method> method = make_variant(GetParam());
  method->start(*f, Vector{3});
  const std::uint64_t before = allocations();
  for (int k = 0; k < 3; ++k) method->step();
  EXPECT_EQ(allocations(), before);
}

TEST_P(MethodContract, TheDriverAllocatesNothingBetweenIterations) {
  for (const Problem& p : all) {
    if (!has_image(p)) continue;
    SCOPED_TRACE(p.name);
    std::uint64_t first = 0, last = 0;
    run(p, {.gap_tolerance = 0, .max_iterations = 40}, [&](const Progress& at) {
      last = allocations();
      if (at.iteration == 0) first = last;
      return true;
    });
    EXPECT_EQ(last, first);
  }
}

TEST_P(MethodContract, EveryEvaluationOfAUsersFunctionIsCounted) {
  for (const SmoothFunction& f : {log_sum_exp(*std::make_unique<Random>(1), 12, 6, 0.05),
                                  pseudo_huber(*std::make_unique<Random>(2), 12, 6, 1e-3)})
    for (const bool two : {false, true})
      for (const bool tell_beta : {false, true}) {
        std::uint64_t values = 0, gradients = 0;
        FunctionProperties known{.dimension = 6, .strong_convexity = static_cast<double>(f.alpha)};
        if (tell_beta) known.smoothness = static_cast<double>(f.beta);
        const auto value = [&](std::span<const double> x) {
          ++values;
          return static_cast<double>(f.at(real(x)).value);
        };
        const auto gradient = [&](std::span<const double> x, std::span<double> g) {
          ++gradients;
          std::ranges::copy(rounded(f.at(real(x)).gradient), g.begin());
        };
        const auto both = [&](std::span<const double> x, std::span<double> g) {
          gradient(x, g);
          return value(x);
        };
        const FunctionObjective objective =
            two ? FunctionObjective(known, value, gradient) : FunctionObjective(known, both);
        const Result r = minimize_with(GetParam(), objective, Vector(6, 0.5),
                                       {.gap_tolerance = 1e-8, .max_iterations = 50}, [&](const Progress& at) {
                                         EXPECT_EQ(at.counts.function_evaluations, values);
                                         return true;
                                       });
        EXPECT_EQ(r.counts.function_evaluations, values);
        EXPECT_EQ(r.counts.function_evaluations, gradients);
        EXPECT_GT(values, r.iterations);
      }
}

// --------------------------------------------------------------------------------------------------------- determinism

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
    const Vector again = once(*method);  // after the runs on all objectives before this one
    EXPECT_EQ(again, once(*make_variant(GetParam())));
    EXPECT_EQ(again, once(*method));
  }
}

// ------------------------------------------------------------------------------------------------------------ stopping

TEST_P(MethodContract, TheObserverCanStopTheRunAndGetsTheBestPoint) {
  for (const Problem& p : all) {
    SCOPED_TRACE(p.name);
    double best = 0;
    const Result r = run(p, {.gap_tolerance = 0, .max_iterations = 100}, [&](const Progress& at) {
      best = at.value;
      return at.iteration < 3;
    });
    if (GetParam() == with_newton && r.iterations < 3) continue;  // a squared loss takes it one iteration
    EXPECT_EQ(r.status, Status::stopped_by_observer);
    EXPECT_EQ(r.iterations, 3u);
    EXPECT_FALSE(r.message.empty());
    const Sample truth = p.truth.at(real(r.x));
    EXPECT_LE(std::abs(r.value - truth.value), 4 * eps * truth.magnitude);
    EXPECT_LE(std::abs(r.value - best), 64 * eps * p.truth.at(real(start_for(p))).magnitude) << "not the best point";
  }
}

TEST_P(MethodContract, TheIterationLimitIsKeptAndSaid) {
  for (const Problem& p : all) {
    SCOPED_TRACE(p.name);
    for (const std::uint64_t limit : {0u, 1u, 7u}) {
      const Result r = run(p, {.gap_tolerance = 0, .max_iterations = limit});
      if (GetParam() == with_newton && limit == 7 && r.status == Status::precision_limit) continue;  // done before
      EXPECT_EQ(r.status, Status::iteration_limit) << r.message;
      EXPECT_EQ(r.iterations, limit);
      EXPECT_NE(r.message.find(std::to_string(limit) + " iterations"), std::string::npos) << r.message;
      EXPECT_NE(r.message.find("gap"), std::string::npos) << r.message;
      if (limit == 0) {
        EXPECT_EQ(r.x, start_for(p));
      }
    }
  }
}

TEST_P(MethodContract, NoTimeMeansNoIteration) {
  const Result r = run(all[0], {.gap_tolerance = 0, .max_seconds = 0});
  EXPECT_EQ(r.status, Status::time_limit);
  EXPECT_EQ(r.iterations, 0u);
  EXPECT_EQ(r.x, start_for(all[0]));
  EXPECT_NE(r.message.find("0 seconds"), std::string::npos) << r.message;
}

TEST_P(MethodContract, TheGradientToleranceIsKeptAtThePointReturned) {
  for (const Problem& p : all)
    for (const double part : {0.3, 1e-2, 1e-4}) {
      SCOPED_TRACE(p.name);
      const double tolerance =
          part * static_cast<double>(std::sqrt(squared_length(p.truth.at(real(start_for(p))).gradient)));
      const Result r = run(p, {.gap_tolerance = 0, .gradient_tolerance = tolerance, .max_iterations = 20000});
      EXPECT_EQ(r.status, Status::converged) << r.message;
      EXPECT_LE(r.gradient_norm, tolerance);
      EXPECT_LE(std::sqrt(squared_length(p.truth.at(real(r.x)).gradient)), tolerance * (1 + 1e-9L));
      EXPECT_NE(r.message.find("gradient norm"), std::string::npos) << r.message;
    }
}

TEST_P(MethodContract, TheAbsoluteGapToleranceIsKept) {
  for (const Problem& p : all) {
    SCOPED_TRACE(p.name);
    const Result r = run(p, {.gap_tolerance = 0, .absolute_gap_tolerance = 1e-4, .max_iterations = 20000});
    EXPECT_EQ(r.status, Status::converged) << r.message;
    EXPECT_LE(r.gap(), 1e-4);
    EXPECT_NE(r.message.find("0.0001"), std::string::npos) << r.message;
  }
}

TEST_P(MethodContract, TheReferenceValueReplacesTheStart) {
  const Problem& p = all[3];
  const Optimum optimum = newton(p.truth);
  const double reference = static_cast<double>(optimum.value) + 1e-3;
  const Result r = run(p, {.gap_tolerance = 0.5, .reference_value = reference, .max_iterations = 20000});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.reference_value, reference);
  EXPECT_LE(r.gap(), 0.5 * (reference - r.lower_bound));
  EXPECT_LE(r.gap(), 1e-3);
}

TEST_P(MethodContract, TheGradientNormReportedIsThatAtThePointReturned) {
  for (const Problem& p : all)
    for (const std::uint64_t limit : {0u, 1u, 2u, 3u, 5u, 10u, 30u, 200u}) {
      SCOPED_TRACE(p.name);
      const Result r = run(p, {.gap_tolerance = 1e-10, .max_iterations = limit});
      const Sample truth = p.truth.at(real(r.x));
      const Real size = p.truth.beta * std::sqrt(squared_length(real(r.x))) + truth.magnitude;
      EXPECT_LE(std::abs(r.gradient_norm - std::sqrt(squared_length(truth.gradient))), 64 * eps * size) << limit;
    }
}

// ----------------------------------------------------------------------------------------------------------- odd
// inputs

TEST_P(MethodContract, AStartOfTheWrongSizeIsRefused) {
  for (const std::size_t size : {1u, 13u, 15u})
    EXPECT_THROW(minimize_with(GetParam(), *all[0].objective, Vector(size)), std::invalid_argument);
}

TEST_P(MethodContract, OptionsThatMakeNoSenseAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const Options& options) {
    try {
      minimize_with(GetParam(), *all[0].objective, {}, options);
      return false;
    } catch (const std::invalid_argument& e) {
      return std::string_view(e.what()).size() > 10;
    }
  };
  const auto settings = [](auto change) {
    Options o{.max_iterations = 3};
    change(o.method);
    return o;
  };
  EXPECT_TRUE(refused({.gap_tolerance = -1}));
  EXPECT_TRUE(refused({.gap_tolerance = nan}));
  EXPECT_TRUE(refused({.absolute_gap_tolerance = -1e-9}));
  EXPECT_TRUE(refused({.gradient_tolerance = -1}));
  EXPECT_TRUE(refused({.max_seconds = -1}));
  EXPECT_TRUE(refused({.max_seconds = nan}));
  EXPECT_TRUE(refused({.reference_value = nan, .max_iterations = 3}));
  EXPECT_TRUE(refused(settings([](MethodSettings& m) { m.smoothness = -1; })));
  EXPECT_TRUE(refused(settings([](MethodSettings& m) { m.smoothness = 0; })));
  EXPECT_TRUE(refused(settings([=](MethodSettings& m) { m.smoothness = nan; })));
  EXPECT_TRUE(refused(settings([](MethodSettings& m) { m.line_tolerance = -0.1; })));
  EXPECT_TRUE(refused(settings([](MethodSettings& m) { m.line_tolerance = 1; })));
  EXPECT_TRUE(refused(settings([=](MethodSettings& m) { m.line_tolerance = nan; })));
}

TEST_P(MethodContract, AStartAtTheExactMinimumEndsAtOnce) {
  // Q = diag(1, 4, 9), b = Q (1, 1, 1): every number is exact.
  const Quadratic f(rows_of({1, 0, 0, 0, 4, 0, 0, 0, 9}, 3, false), {1, 4, 9}, 1, 9, 7);
  for (const double tolerance : {1e-6, 0.0}) {
    const Result r = minimize_with(GetParam(), f, Vector{1, 1, 1}, {.gap_tolerance = tolerance, .max_iterations = 100});
    EXPECT_TRUE(r.status == Status::converged || r.status == Status::precision_limit) << r.message;
    EXPECT_LE(r.iterations, 4u);
    EXPECT_EQ(r.x, (Vector{1, 1, 1}));
    EXPECT_EQ(r.value, 0);
    EXPECT_GE(r.gap(), 0);
    EXPECT_LE(r.gap(), 1e-12);
  }
}

TEST_P(MethodContract, StepsFromTheExactMinimumStayThere) {
  const Quadratic f(rows_of({1, 0, 0, 0, 4, 0, 0, 0, 9}, 3, false), {1, 4, 9}, 1);
  const std::unique_ptr<Method> method = make_variant(GetParam());
  method->start(f, Vector{1, 1, 1});
  for (int k = 0; k < 5; ++k) {
    method->step();
    EXPECT_EQ(*method->iterate().x, (Vector{1, 1, 1}));
    EXPECT_EQ(method->iterate().value, -7);
    EXPECT_EQ(method->iterate().gradient_norm, 0);
    EXPECT_LE(method->iterate().lower_bound, -7);
  }
}

TEST_P(MethodContract, DimensionOneWorks) {
  Random random(173);
  std::vector<Problem> one{random_quadratic(random, {0.3}), user_problem("", log_sum_exp(random, 5, 1, 0.1)),
                           user_problem("", pseudo_huber(random, 5, 1, 1e-4), false)};
  for (const LossInfo& loss : losses()) {
    one.push_back(risk_problem(random, loss.name, 1e-3, {.rows = 30, .columns = 1}));
    one.push_back(risk_problem(random, loss.name, 1e-3, {.rows = 2, .columns = 1, .density = 0.999}));
  }
  for (const Problem& p : one) {
    SCOPED_TRACE(p.name);
    const Optimum optimum = newton(p.truth);
    const Result r =
        minimize_with(GetParam(), *p.objective, Vector{5}, {.gap_tolerance = 1e-9, .max_iterations = 50000});
    EXPECT_EQ(r.status, Status::converged) << r.message;
    EXPECT_LE(r.lower_bound, optimum.lower);
    EXPECT_GE(r.gap(), p.truth.at(real(r.x)).value - optimum.lower);
  }
}

TEST_P(MethodContract, OneRowWorks) {
  Random random(179);
  for (const LossInfo& loss : losses()) {
    if (loss.task == Task::classification) continue;  // needs two
    for (const DataShape& shape :
         {DataShape{.rows = 1, .columns = 6}, DataShape{.rows = 1, .columns = 6, .density = 0.5},
          DataShape{.rows = 1, .columns = 1}}) {
      const Problem p = risk_problem(random, loss.name, 1e-2, shape);
      const Optimum optimum = newton(p.truth);
      const Result r = minimize_with(GetParam(), *p.objective, {}, {.gap_tolerance = 1e-8, .max_iterations = 50000});
      EXPECT_EQ(r.status, Status::converged) << loss.name << ": " << r.message;
      EXPECT_LE(r.lower_bound, optimum.lower);
    }
  }
}

TEST_P(MethodContract, RowsAndColumnsWithoutEntriesWork) {
  // The third column and the first row hold nothing: w_3 = 0, and the row only adds a constant.
  for (const LossInfo& loss : losses()) {
    Dataset data{"holes", rows_of({0, 0, 0, 1, 2, 0, -1, 1, 0, 2, 0, 0}, 3, true), {1, -1, 1, 1}, 5};
    const std::unique_ptr<Objective> f = make_risk(loss.name, data, 0.1);
    const Result r = minimize_with(GetParam(), *f, {}, {.gap_tolerance = 1e-9, .max_iterations = 5000});
    EXPECT_EQ(r.status, Status::converged) << loss.name << ": " << r.message;
    EXPECT_NEAR(r.x[2], 0, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, MethodContract, ::testing::ValuesIn(method_variants()),
                         [](const auto& test) { return test_name(test.param); });

TEST(MethodTable, HasTheMethodsOfThePaper) {
  for (const std::string_view name : {"geod", "geod-fixed", "geod-memory", "ball", "sd", "afg", "afgwr", "lbfgs"}) {
    EXPECT_NE(make_method(name), nullptr);
  }
  for (std::size_t i = 0; i < methods().size(); ++i) {
    EXPECT_FALSE(methods()[i].summary.empty());
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(methods()[i].name, methods()[k].name);
  }
}

TEST(MethodTable, AnUnknownNameIsRefusedWithTheKnownOnes) {
  try {
    make_method("newton");
    FAIL() << "no exception";
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string_view(e.what()).find("newton"), std::string_view::npos);
    for (const MethodInfo& m : methods()) EXPECT_NE(std::string_view(e.what()).find(m.name), std::string_view::npos);
  }
}

}  // namespace
}  // namespace geodescent::testing
