// Images are combined repeatedly and lifted only when new. They must remain the images of their
// points: otherwise a method minimises another function.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geodescent/optimize/minimize.hpp"
#include "optimize/oracles/decorated_objective.hpp"
#include "support/problems.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

/// A decorator that measures the distance of the image of each evaluated point from A x.
class DriftMeter final : public OracleDecorator {
 public:
  DriftMeter(std::unique_ptr<Oracle> f, double& worst) : OracleDecorator(std::move(f)), worst_(worst) {}

  Evaluation gradient(const Point& p, std::span<double> g) override {
    Point fresh = p;
    lift(fresh);
    // Relative to the largest point so far, because combinations may cancel but keep its rounding.
    double difference = 0;
    for (std::size_t i = 0; i < fresh.image.size(); ++i) {
      difference = std::max(difference, std::abs(fresh.image[i] - p.image[i]));
      largest_ = std::max(largest_, std::abs(fresh.image[i]));
    }
    worst_ = std::max(worst_, difference / std::max(largest_, 1e-300));
    return OracleDecorator::gradient(p, g);
  }

 private:
  std::unique_ptr<Oracle> decorate(std::unique_ptr<Oracle> f) override {
    return std::make_unique<DriftMeter>(std::move(f), worst_);
  }

  double largest_ = 0;
  double& worst_;
};

/// Decorates f. The largest drift of a run is written to `worst`.
DecoratedObjective metered(const Objective& f, double& worst) {
  return {f, [&](std::unique_ptr<Oracle> oracle) { return std::make_unique<DriftMeter>(std::move(oracle), worst); }};
}

class Drift : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Drift, OfImagesStaysAtTheRoundingOfTheLargestImage) {
  for (const double alpha : {1.0, 1e-2, 1e-5, 1e-8})
    for (const double distance : {0.0, 1.0, 1e3, 1e6})
      for (const LossInfo& loss : losses())
        for (const DataShape& shape :
             {DataShape{.rows = 30, .columns = 6}, DataShape{.rows = 8, .columns = 15, .density = 0.5}}) {
          Random random(109);
          const RandomData data = random_data(random, loss.task, shape);
          const std::unique_ptr<Objective> f = make_risk(loss.name, data.data, alpha);
          double worst = 0;
          const DecoratedObjective meter = metered(*f, worst);
          minimize_with(GetParam(), meter, random.normal_vector(shape.columns, distance),
                        {.gap_tolerance = 0, .max_iterations = 60});
          EXPECT_LE(worst, 1e-10) << loss.name << ", alpha " << alpha << ", start at " << distance << ", " << shape.rows
                                  << " rows";
        }
}

TEST_P(Drift, StaysSmallWhereTheCentreIsReachedInOneStep) {
  // kappa = 1: the first gradient step reaches the centre of the ball, and the direction between
  // the two is rounding.
  Random random(113);
  for (const double size : {1.0, 1e4}) {
    const Problem p = random_quadratic(random, Vector(10, 3.0));
    double worst = 0;
    const DecoratedObjective meter = metered(*p.objective, worst);
    const Result r = minimize_with(GetParam(), meter, random.normal_vector(10, size),
                                   {.gap_tolerance = 1e-9, .max_iterations = 100});
    EXPECT_LE(worst, 1e-10);
    EXPECT_TRUE(r.status == Status::converged) << r.message;
  }
}

TEST_P(Drift, StaysSmallInFewDimensionsAtTheRoundingFloor) {
  // The centre of the ball and the point agree up to rounding, and the run continues.
  Random random(127);
  for (int k = 0; k < 60; ++k)
    for (const LossInfo& loss : losses()) {
      const DataShape shape{.rows = 2 + random.below(30), .columns = 1 + random.below(3)};
      const RandomData data = random_data(random, loss.task, shape);
      const double alpha = random.log_uniform(1e-4, 10);
      const std::unique_ptr<Objective> f = make_risk(loss.name, data.data, alpha);
      double worst = 0;
      const DecoratedObjective meter = metered(*f, worst);
      minimize_with(GetParam(), meter, random.normal_vector(shape.columns), {.gap_tolerance = 0, .max_iterations = 60});
      EXPECT_LE(worst, 1e-10) << loss.name << ", alpha " << alpha << ", " << shape.rows << " rows, " << shape.columns
                              << " columns";
    }
}

TEST(DriftWithMemory, IsNotReported) {
  // A small memory is filled and compressed repeatedly. The reported value must be f(x), and the
  // bound at most f*. (long_run_test.cpp has thousands of iterations on real data.)
  Random random(131);
  for (const char* loss : {"smoothed-hinge", "logistic", "huber"})
    for (const std::size_t memory : {1u, 5u}) {
      const Problem p = risk_problem(random, loss, 1e-8, {.rows = 120, .columns = 30, .density = 0.2});
      const Optimum optimum = newton(p.truth);
      double worst = 0;
      const DecoratedObjective meter = metered(*p.objective, worst);
      const Result r = minimize(meter, GeodMemory{.memory = memory}, {}, {.gap_tolerance = 0, .max_iterations = 800});
      EXPECT_GE(r.iterations, 50u) << "too few for a test of drift: " << r.message;
      const Sample truth = p.truth.at(real(r.x));
      EXPECT_LE(std::abs(r.value - truth.value), 4e-16 * truth.magnitude) << loss;
      EXPECT_LE(r.lower_bound, optimum.lower) << loss;
      EXPECT_GE(r.gap(), truth.value - optimum.lower) << loss;
      EXPECT_LE(worst, 1e-9) << loss << ", memory " << memory;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Drift, ::testing::ValuesIn(method_variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace geodescent::testing
