// Dual coordinate ascent against runs of the method that has been here longer.
#include <gtest/gtest.h>

#include <cmath>

#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/threads.hpp"
#include "learn/epochs/dual_ascent.hpp"
#include "learn/risk/risk_problem.hpp"
#include "optimize/oracles/dual_model.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

class DualEpochs : public ::testing::TestWithParam<LossInfo> {};

/// D of the dual values, and f at the centre of their ball.
struct DualValues {
  double bound, value;
};

DualValues at_centre(Oracle& f) {
  Vector linear(f.dimension()), gradient(f.dimension());
  const Evaluation e = f.dual()->dual_ball(linear);
  const double bound = e.offset - squared_norm(linear) / (2 * f.strong_convexity());
  EXPECT_EQ(e.value, e.offset);
  Point centre(f.dimension(), f.image_size());
  combine(centre.x, -1 / f.strong_convexity(), linear, 0, linear);
  f.lift(centre);
  return {bound, f.gradient(centre, gradient).value};
}

TEST_P(DualEpochs, RaiseTheBoundToTheOptimum) {
  Random random(947);
  for (const double density : {0.2, 1.0})
    for (const bool weighted : {false, true})
      for (const Bias bias : {Bias::none, Bias::free}) {
        SCOPED_TRACE(::testing::Message()
                     << "density " << density << (weighted ? ", weighted, " : ", ") << static_cast<int>(bias));
        RandomData problem = random_data(random, GetParam().task, {.rows = 300, .columns = 12, .density = density});
        if (weighted)
          for (std::size_t i = 0; i < 300; ++i) problem.data.weights.push_back(0.2 + random.uniform());
        const auto risk = make_risk(GetParam().name, problem.data, 0.03, {}, bias);
        const double optimum = minimize(*risk, {}, {.gap_tolerance = 1e-12}).value;
        const auto f = risk->oracle();
        f->dual()->begin_dual({});
        double before = -INFINITY;
        for (int epoch = 0; epoch < 60; ++epoch) {
          f->dual()->dual_epoch();
          if (epoch % 5 != 4) continue;
          const DualValues at = at_centre(*f);
          EXPECT_LE(at.bound, optimum + 1e-11);
          EXPECT_GE(at.value, optimum - 1e-11);
          // A free intercept moves the dual values between epochs, which may lower D.
          EXPECT_GE(at.bound, before - (bias == Bias::free ? 1e-3 : 1e-13));
          before = at.bound;
        }
        EXPECT_LE(at_centre(*f).value - before, 1e-7);
      }
}

TEST_P(DualEpochs, StartAtTheDualValuesOfAnImage) {
  Random random(953);
  const RandomData problem = random_data(random, GetParam().task, {.rows = 200, .columns = 8});
  for (const Bias bias : {Bias::none, Bias::free}) {
    const auto risk = make_risk(GetParam().name, problem.data, 0.1, {}, bias);
    const Result best = minimize(*risk, {}, {.gap_tolerance = 1e-12});
    const auto f = risk->oracle();
    Point x(f->dimension(), f->image_size());
    x.x = best.x;
    f->lift(x);
    Vector gradient(f->dimension());
    f->gradient(x, gradient);  // finds the intercept
    f->dual()->begin_dual(x.image);
    EXPECT_NEAR(at_centre(*f).bound, best.value, 1e-9) << "before any epoch";
  }
}

TEST_P(DualEpochs, StepsSolveTheirEquation) {
  Random random(967);
  const auto loss = make_row_loss(GetParam().name);
  for (int k = 0; k < 2000; ++k) {
    const double z = 6 * random.normal(), y = GetParam().task == Task::regression ? 3 * random.normal() : 1;
    const double q = std::pow(10, 6 * random.uniform() - 3), u = (*loss)(6 * random.normal(), y).slope;
    const DualStep step = loss->dual_step(z, y, q, u);
    EXPECT_EQ(step.dual, (*loss)(step.image, y).slope);
    const double first = std::abs(q * ((*loss)(z, y).slope - u));
    EXPECT_LE(std::abs(step.image + q * (step.dual - u) - z), 0.011 * first + 1e-12) << z << " " << q << " " << u;
  }
}

/// Long sparse rows with very many columns. Each row occurs `times` times in succession.
Dataset text(std::size_t rows, std::size_t times) {
  constexpr std::size_t columns = 40'000, entries = 64;
  Random random(971);
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  Vector targets;
  for (std::size_t i = 0; i < rows; ++i) {
    if (i % times > 0) {
      indices.resize(indices.size() + entries);
      std::copy(indices.end() - 2 * entries, indices.end() - entries, indices.end() - entries);
    } else {
      for (std::size_t k = 0; k < entries; ++k)  // the first columns in most rows
        indices.push_back(static_cast<std::uint32_t>((static_cast<double>(k) + random.uniform()) * (k < 8 ? 2 : 600)));
    }
    std::sort(indices.end() - entries, indices.end());
    offsets.push_back(indices.size());
    targets.push_back(i % times > 0 ? targets.back() : random.normal());
  }
  const SparseArrays arrays{SharedArray(std::move(offsets)), SharedArray(std::move(indices)), 0.125, columns};
  return dataset(std::make_shared<SparseRows>(arrays), targets);
}

class ParallelEpochs : public ::testing::Test {
 protected:
  ~ParallelEpochs() override { set_threads(before_); }

  /// The images after some epochs, and whether these are still parallel.
  static std::pair<Vector, bool> after_epochs(const RiskProblem& risk, int epochs) {
    DualAscent ascent(risk, {}, 0);
    EXPECT_TRUE(ascent.is_parallel());
    for (int k = 0; k < epochs; ++k) ascent.epoch();
    return {Vector(ascent.image().begin(), ascent.image().end()), ascent.is_parallel()};
  }

 private:
  int before_ = threads();
};

TEST_F(ParallelEpochs, HaveTheSameBitsForEveryNumberOfThreads) {
  const Dataset data = text(17'000, 1);
  for (const Bias bias : {Bias::none, Bias::free, Bias::regularized}) {
    const RiskProblem risk(bias == Bias::regularized ? with_constant(data, 1) : data, L2(1e-2), make_row_loss("huber"),
                           bias);
    set_threads(1);
    const auto [expected, parallel] = after_epochs(risk, 3);
    EXPECT_TRUE(parallel);
    for (const int count : {2, 3, 8}) {
      set_threads(count);
      EXPECT_EQ(after_epochs(risk, 3).first, expected) << count << " threads";
    }
  }
}

TEST_F(ParallelEpochs, AreSerialFromWhereTheyLowerTheDualValue) {
  const Dataset data = text(17'000, 64);  // rows of a block are equal: each takes the step that one of them should
  const RiskProblem risk(data, L2(1e-3), make_row_loss("squared"), Bias::none);
  EXPECT_FALSE(after_epochs(risk, 1).second);
  const auto whole = make_risk("squared", data, 1e-3, {}, Bias::none);
  const auto f = whole->oracle();
  f->dual()->begin_dual({});
  for (int epoch = 0; epoch < 40; ++epoch) f->dual()->dual_epoch();
  const DualValues at = at_centre(*f);
  EXPECT_LE(at.value - at.bound, 1e-6 * at.value) << "they go on";
}

INSTANTIATE_TEST_SUITE_P(Losses, DualEpochs, ::testing::ValuesIn(losses().begin(), losses().end()),
                         [](const auto& test) { return test_name(std::string(test.param.name)); });

}  // namespace
}  // namespace geodescent::testing
