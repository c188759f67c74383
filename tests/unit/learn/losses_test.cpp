// The losses at single points, against their definitions in long double, and the choice of a loss
// by name.
#include "losses/table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "geodescent/data/matrix_view.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/learn/train.hpp"
#include "support/numbers.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

template <class L>
void expect_definition(const L& loss) {
  Random random(197);
  for (int k = 0; k < 2000; ++k) {
    const double y = L::task == Task::classification ? 1 : 3 * random.normal();
    const double z = (random.chance(0.5) ? 1 : 30) * random.normal();
    const LossValue got = loss(z, y);
    const LossTerms expected = loss_terms(L::name, z, y);
    // z - y and 1 - z round once; the losses may magnify that by their slopes.
    const Real input = eps * (std::abs(z) + std::abs(y));
    EXPECT_LE(std::abs(got.value - expected.value), 4 * eps * expected.value + input * std::abs(expected.slope))
        << L::name << " " << z;
    EXPECT_LE(std::abs(got.slope - expected.slope), 4 * eps * std::abs(expected.slope) + input * expected.curvature)
        << L::name << " " << z;
    EXPECT_LE(std::abs(got.curvature - expected.curvature), 8 * eps * expected.curvature + input)
        << L::name << " " << z;
  }
}

TEST(Losses, AgreeWithTheirDefinitions) {
  for_each_loss([]<class Entry>(Entry) { expect_definition(typename Entry::Solver{}); });
}

TEST(Losses, SmoothedHingeAtItsCorners) {
  const SmoothedHinge phi;
  EXPECT_EQ(phi(1, 1).value, 0);
  EXPECT_EQ(phi(1, 1).slope, 0);
  EXPECT_EQ(phi(0, 1).value, 0.5);
  EXPECT_EQ(phi(0, 1).slope, -1);
  EXPECT_EQ(phi(0.5, 1).value, 0.125);
  EXPECT_EQ(phi(0.5, 1).slope, -0.5);
  EXPECT_EQ(phi(0.5, 1).curvature, 1);
  EXPECT_EQ(phi(-3, 1).value, 3.5);
  EXPECT_EQ(phi(2, 1).value, 0);
  EXPECT_EQ(phi.conjugate(-1, 1), -0.5);
  EXPECT_EQ(phi.conjugate(0, 1), 0);
  EXPECT_EQ(phi.conjugate(0.1, 1), infinity);
  EXPECT_EQ(phi.conjugate(-1.1, 1), infinity);
}

TEST(Losses, LogisticAtZeroAndFarOut) {
  const Logistic phi;
  EXPECT_DOUBLE_EQ(phi(0, 1).value, std::log(2.0));
  EXPECT_EQ(phi(0, 1).slope, -0.5);
  EXPECT_EQ(phi(0, 1).curvature, 0.25);
  EXPECT_EQ(phi(-1e300, 1).value, 1e300);
  EXPECT_EQ(phi(-1e300, 1).slope, -1);
  EXPECT_EQ(phi(1e300, 1).value, 0);
  EXPECT_DOUBLE_EQ(phi(700, 1).value, std::exp(-700.0));
  EXPECT_EQ(phi.conjugate(0, 1), 0);
  EXPECT_EQ(phi.conjugate(-1, 1), 0);
  EXPECT_DOUBLE_EQ(phi.conjugate(-0.5, 1), -std::log(2.0));
}

TEST(Losses, SquaredHingeSquaredAndHuber) {
  EXPECT_EQ(SquaredHinge{}(-1, 1).value, 2);
  EXPECT_EQ(SquaredHinge{}(-1, 1).slope, -2);
  EXPECT_EQ(SquaredHinge{}(1, 1).value, 0);
  EXPECT_EQ(SquaredHinge{}.conjugate(0.5, 1), infinity);
  EXPECT_EQ(Squared{}(3, 1).value, 2);
  EXPECT_EQ(Squared{}(3, 1).slope, 2);
  EXPECT_EQ(Squared{}.conjugate(2, 1), 4);
  const Huber phi{0.5};
  EXPECT_EQ(phi(1.25, 1).value, 0.03125);
  EXPECT_EQ(phi(3, 1).value, 0.5 * (2 - 0.25));
  EXPECT_EQ(phi(3, 1).slope, 0.5);
  EXPECT_EQ(phi(-1, 1).slope, -0.5);
  EXPECT_EQ(phi.conjugate(0.6, 1), infinity);
  EXPECT_EQ(phi.conjugate(0.5, 1), 0.625);
}

Dataset four_rows(Vector targets) {
  return {"four", std::make_shared<DenseRows>(Vector{1, 2, 3, 4}, 1), std::move(targets), 4};
}

TEST(MakeRisk, RefusesAnUnknownLossAndNamesTheKnown) {
  try {
    static_cast<void>(make_risk("hinge", four_rows({1, -1, 1, -1}), 1));
    FAIL() << "no exception";
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("'hinge'"), std::string::npos) << e.what();
    for (const LossInfo& l : losses()) EXPECT_NE(std::string(e.what()).find(l.name), std::string::npos) << e.what();
  }
}

TEST(MakeRisk, RefusesARegularisationThatIsNotPositiveAndFinite) {
  for (const LossInfo& l : losses())
    for (const double lambda : {0.0, -1.0, infinity, std::numeric_limits<double>::quiet_NaN()})
      EXPECT_THROW(static_cast<void>(make_risk(l.name, four_rows({1, -1, 1, -1}), lambda)), std::invalid_argument)
          << l.name << " " << lambda;
}

TEST(MakeRisk, RefusesAHuberThresholdThatIsNotPositiveAndFinite) {
  for (const double delta : {0.0, -1.0, infinity, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(static_cast<void>(make_risk("huber", four_rows({1, 2, 3, 4}), 1, delta)), std::invalid_argument)
        << delta;
}

TEST(MakeRisk, PassesTheHuberThresholdOn) {
  // One row a = 1, y = 10, w = 0: value delta (10 - delta/2).
  const Dataset one{"one", std::make_shared<DenseRows>(Vector{1}, 1), {10}, 1};
  const std::unique_ptr<Objective> f = make_risk("huber", one, 1, 2);
  Vector g(1);
  EXPECT_EQ(f->evaluate(Vector{0}, g), 18);
  EXPECT_EQ(g[0], -2);
}

TEST(MakeRisk, OfClassificationNeedsExactlyTwoClasses) {
  for (const LossInfo& l : losses()) {
    const bool classes = l.task == Task::classification;
    for (const Vector& targets : {Vector{1, 1, 1, 1}, Vector{1, 2, 3, 1}}) {
      if (classes) {
        EXPECT_THROW(static_cast<void>(make_risk(l.name, four_rows(targets), 1)), InputError) << l.name;
      } else {
        EXPECT_NO_THROW(static_cast<void>(make_risk(l.name, four_rows(targets), 1))) << l.name;
      }
    }
  }
}

TEST(MakeRisk, MapsTheLargerLabelToPlusOne) {
  // w = 1: margins are +a for label 7 and -a for label 3, so squared hinge is 0 and (1 + a)^2/2.
  const Dataset data{"two", std::make_shared<DenseRows>(Vector{2, 1}, 1), {7, 3}, 2};
  const std::unique_ptr<Oracle> f = make_risk("squared-hinge", data, 1)->oracle();
  Point at(1, 2);
  at.x = {1};
  f->lift(at);
  EXPECT_EQ(at.image, (Vector{2, -1}));
  Vector g(1);
  EXPECT_EQ(f->gradient(at, g).value, 0.5 * 2 + 0.5);
  EXPECT_EQ(g[0], 0.5 * 2 + 1);
}

TEST(RegularizedRisk, BoundsItsSmoothness) {
  Random random(199);
  for (int k = 0; k < 10; ++k) {
    const RandomData data = random_data(random, Task::classification, {.rows = 20, .columns = 7});
    const auto f = make_risk("logistic", data.data, 0.3);
    EXPECT_GE(f->smoothness_bound(), static_cast<double>(true_risk("logistic", data, 0.3).beta));
  }
}

TEST(Risks, AMissingL2IsNamed) {
  const std::array entries{1.0, 2.0};
  const Dataset data = dataset(dense_view(entries.data(), 2, 1), {1, -1});
  try {
    (void)make_risk("logistic", data, Risk{}.l2);
    ADD_FAILURE() << "l2 has no default";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("but is 0; it has no default: set Risk::l2"), std::string::npos)
        << error.what();
  }
}

// Without an entry the coefficients 0 are optimal, and no relative gap can be proven.
TEST(Risks, ATrainingWithoutAFeatureSaysThatItsStartIsOptimal) {
  const std::array<double, 6> zeros{};
  const Dataset data = dataset(dense_view(zeros.data(), 3, 2), {1, -1, 1});
  for (const Bias bias : {Bias::none, Bias::free}) {
    const TrainResult trained = train(data, {.loss = "logistic", .l2 = 0.1, .bias = bias});
    EXPECT_EQ(trained.run.message.find("the start is optimal up to rounding (rounding about "), 0u)
        << trained.run.message;
    EXPECT_LT(trained.gap(), 1e-13);
    EXPECT_EQ(trained.model.weights, Vector(2));
  }
}

}  // namespace
}  // namespace geodescent::testing
