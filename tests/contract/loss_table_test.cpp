// For every line of the loss table, solver and proof define the same function, and a training is
// proven.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "certificate/proof/any_proof_loss.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/detail/row_loss.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/regularization.hpp"
#include "geodescent/learn/train.hpp"
#include "support/certificate_problems.hpp"
#include "support/numbers.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

using proof::AnyProofLoss;
using proof::Bounded;
using proof::DualRange;
using ProofReal = proof::Real;

/// The parameter values to test: the default and others of the range; empty for a loss without
/// parameter.
std::vector<std::optional<double>> parameters_of(const LossInfo& loss) {
  if (!loss.parameter) return {std::nullopt};
  const LossParameter& p = *loss.parameter;
  const double end = std::isfinite(p.below) ? p.below : p.above + 16;
  return {p.default_value, p.above + (end - p.above) / 64, p.above + (end - p.above) * 0.75};
}

class LossTableTest : public ::testing::TestWithParam<std::string> {
 protected:
  static const LossInfo& info() { return loss_named(GetParam()); }
  static Risk risk(std::optional<double> parameter, Bias bias = Bias::none, double l2 = 1e-2) {
    return {.loss = std::string(info().name), .loss_parameter = parameter.value_or(0), .l2 = l2, .bias = bias};
  }
  static bool classifies() { return info().task == Task::classification; }

  /// Margins or residuals in the whole range, at corners, and next to corners.
  static std::vector<double> arguments(std::optional<double> parameter) {
    Random random(811);
    std::vector<double> all{0, -0.0, 1, -1, 1e-300, -1e-300, 700, -700, 1e5, -1e5};
    for (const double corner : {1.0, parameter.value_or(1)})
      for (const double side : {1 - eps / 2, 1 + eps}) all.insert(all.end(), {corner * side, -corner * side});
    for (int k = 0; k < 300; ++k) all.push_back((k % 3 == 0 ? 30 : 2) * random.normal());
    for (int k = 0; k < 50; ++k) all.push_back(random.log_uniform(1e-20, 1) * (k % 2 == 0 ? 1 : -1));
    return all;
  }

  /// body(solver's loss, proof's loss, parameter).
  template <class Body>
  static void for_each_parameter(const Body& body) {
    for (const std::optional<double> parameter : parameters_of(info())) {
      const auto solver = make_row_loss(info().name, parameter);
      const auto proof = proof::make_proof_loss(risk(parameter), "a test");
      body(*solver, *proof, parameter);
    }
  }

  static Bounded conjugate(const AnyProofLoss& proof, double v, double c, double y) {
    proof::RowSum sum;
    proof.add_conjugates({&v, 1}, {&c, 1}, {&y, 1}, sum);
    return sum.result();
  }

  /// Dual values across the range, with both ends.
  static std::vector<double> dual_values(const DualRange& range) {
    Random random(823);
    const double least = std::max(range.least, -50.0), largest = std::min(range.largest, 50.0);
    std::vector<double> all{least, largest, 0};
    for (int k = 0; k < 200; ++k) all.push_back(random.uniform(least, largest));
    for (int k = 0; k < 50; ++k) all.push_back((k % 2 == 0 ? least : largest) * random.log_uniform(1e-12, 1));
    return all;
  }
};

TEST_P(LossTableTest, ProofAndSolverAgreeOnValues) {
  for_each_parameter([&](const RowLoss& solver, const AnyProofLoss& proof, std::optional<double> parameter) {
    for (const double at : arguments(parameter)) {
      const LossValue phi = solver(at, classifies() ? 1 : 0);
      const Bounded value = proof.value({at, 0}, 0), dual = proof.dual_value(Bounded{at, 0}, 0);
      // Allows a few roundings of the result, and the rounding of 1 - z, multiplied by the dual
      // value.
      const double input = eps * (1 + std::abs(at));
      EXPECT_LE(abs(phi.value - value.value), value.error + 8 * eps * value.value + input * dual.magnitude()) << at;
      EXPECT_LE(abs(phi.slope - dual.value), dual.error + 8 * eps * abs(dual.value) + input) << at;
    }
  });
}

TEST_P(LossTableTest, ProvenErrorsInDoubleHoldAndAreSmall) {
  for_each_parameter([&](const RowLoss&, const AnyProofLoss& proof, std::optional<double> parameter) {
    for (const double at : arguments(parameter))
      for (const double error : {0.0, 1e-18, 1e-9}) {
        Approximation one{at, error};
        proof.replace_by_values({&one, 1});
        for (const double moved : {at - error, at, at + error}) {
          if (std::abs(moved - at) > error) continue;  // rounded out of the interval
          const Bounded value = proof.value({moved, 0}, 0);
          EXPECT_GE(one.value + one.error, value.lower()) << at;
          EXPECT_LE(one.value - one.error, value.upper()) << at;
        }
        const double steep = proof.dual_value(Bounded{at, 0}, 0).magnitude();
        EXPECT_LE(one.error, 9 * eps * one.value + 3 * error * (steep + error) + 2 * error + 1e-300) << at;
      }
  });
}

TEST_P(LossTableTest, ProofIsConvexWithTheDualValueAsItsDerivative) {
  for_each_parameter([&](const RowLoss&, const AnyProofLoss& proof, std::optional<double> parameter) {
    const std::vector<double> all = arguments(parameter);
    for (std::size_t k = 1; k < all.size(); ++k) {
      const ProofReal a = all[k - 1], b = all[k], step = b - a;
      const Bounded at_a = proof.value({a, 0}, 0), at_b = proof.value({b, 0}, 0);
      const Bounded dual = proof.dual_value(Bounded{a, 0}, 0);
      EXPECT_GE(at_a.upper(), 0);
      const ProofReal slack = dual.error * abs(step) + 4 * proof::unit * abs(dual.value * step);
      EXPECT_GE(at_b.upper() - at_a.lower() + slack, dual.value * step) << "from " << a.high << " to " << b.high;
      // The curvature is the derivative of the dual value, except at corners.
      const ProofReal h = ProofReal{1e-6}, curvature = proof.curvature(a, 0, dual.value);
      const ProofReal right = (proof.dual_value(a + h, 0) - dual.value) / h;
      const ProofReal left = (dual.value - proof.dual_value(a - h, 0)) / h;
      const ProofReal rounding = ProofReal{1e-4} + 16 * proof::unit * abs(a) / h;
      EXPECT_GE(curvature, std::min(left, right) - rounding) << a.high;
      EXPECT_LE(curvature, std::max(left, right) + rounding) << a.high;
    }
  });
}

TEST_P(LossTableTest, ProofAndSolverAgreeOnTheConjugate) {
  for_each_parameter([&](const RowLoss& solver, const AnyProofLoss& proof, std::optional<double>) {
    const DualRange range = proof.dual_range(1);
    const double target = classifies() ? 1 : -1.75;
    for (const double v : dual_values(range)) {
      const Bounded found = conjugate(proof, v, 1, classifies() ? 0 : target);
      const double expected = solver.conjugate(v, target);
      ASSERT_TRUE(std::isfinite(expected)) << v;
      EXPECT_LE(abs(found.value - expected), found.error + 8 * eps * (std::abs(expected) + std::abs(v * target))) << v;
    }
    for (const double beyond : {std::nextafter(range.least, -infinity), std::nextafter(range.largest, infinity)})
      EXPECT_TRUE(!std::isfinite(beyond) || solver.conjugate(beyond, target) == infinity) << beyond;
  });
}

TEST_P(LossTableTest, ProofObeysFenchelAndYoung) {
  // phi(z) + phi*(s) >= s z, with equality at s = phi'(z). With weights: c phi(z) + c phi*(v / c)
  // >= v z.
  for_each_parameter([&](const RowLoss&, const AnyProofLoss& proof, std::optional<double> parameter) {
    const double y = classifies() ? 0 : 0.375;
    for (const double c : {1.0, 0.3, 7.0}) {
      const DualRange range = proof.dual_range(c);
      std::vector<double> duals = dual_values(range);
      const std::vector<double> all = arguments(parameter);
      for (std::size_t k = 0; k < std::min(all.size(), duals.size()); ++k) {
        const double at = all[k];
        const ProofReal z = ProofReal{at} + y;
        const Bounded value = proof.value({z, 0}, y);
        const ProofReal other = value.upper() * c + conjugate(proof, duals[k], c, y).upper();
        EXPECT_GE(other + 8 * proof::unit * abs(duals[k] * z), duals[k] * z) << at << ", " << duals[k];
        const double own = std::clamp(c * static_cast<double>(proof.dual_value(z, y)), range.least, range.largest);
        const Bounded sum = Bounded{c, 0} * value + conjugate(proof, own, c, y);
        const ProofReal size = c * value.value + abs(own * z) + std::abs(own) + c * eps;
        EXPECT_NEAR(static_cast<double>(sum.value - own * z), 0, 16 * eps * static_cast<double>(size)) << at;
      }
    }
  });
}

TEST_P(LossTableTest, BeyondItsReachTheLargerMarginsDecide) {
  if (!classifies()) return;
  for_each_parameter([&](const RowLoss&, const AnyProofLoss& proof, std::optional<double>) {
    for (const double p : {1.0, 3.0, 1e6})
      for (const double n : {1.0, 0.01, 1e3})
        for (const double further : {0.0, 0.1, 5.0}) {
          const ProofReal m = 1 + proof.reach(p, n) + further;
          EXPECT_GE(p * proof.dual_value(m, 0), n * proof.dual_value(-m, 0)) << p << ", " << n;
          EXPECT_GE(n * proof.dual_value(m, 0), p * proof.dual_value(-m, 0)) << p << ", " << n;
        }
  });
}

Dataset random_dataset(Random& random, bool classes, Bias bias, bool weighted) {
  const std::size_t rows = 60, features = 5;
  std::vector<Vector> entries(rows, Vector(features));
  Vector targets(rows), weights;
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0.3;
    for (double& entry : entries[i]) sum += entry = random.normal();
    const double noisy = sum + random.normal();
    targets[i] = classes ? (noisy > 0 ? 1 : -1) : noisy;
    if (bias == Bias::regularized) entries[i].push_back(1);
    if (weighted) weights.push_back(random.log_uniform(0.1, 10));
  }
  return dataset_of(entries, targets, weights);
}

TEST_P(LossTableTest, TrainingsAreProvenAndVerified) {
  Random random(829);
  for (const std::optional<double> parameter : parameters_of(info()))
    for (const Bias bias : {Bias::none, Bias::free, Bias::regularized})
      for (const bool weighted : {false, true}) {
        SCOPED_TRACE(std::string(to_string(bias)) + (weighted ? ", weighted" : ""));
        const Dataset data = random_dataset(random, classifies(), bias, weighted);
        TrainOptions options;
        options.minimize.gap_tolerance = 1e-9;
        const TrainResult trained = train(data, risk(parameter, bias), options);
        EXPECT_EQ(trained.run.status, Status::converged) << trained.run.message;
        ASSERT_TRUE(trained.certificate);
        const Verification found = verify(data, trained.model, *trained.certificate);
        EXPECT_TRUE(found.holds) << found.reason;
        EXPECT_LE(found.proven.relative_gap(), 1e-9);
        EXPECT_LE(found.proven.lower_bound, found.proven.value);
        // Coefficients alone prove nearly as much. The certificate may have the dual point of a
        // ball, which is better.
        const Verification alone = verify(data, trained.model, certify(data, trained.model, {}));
        EXPECT_LE(alone.proven.relative_gap(), 2e-9) << alone.reason;
        EXPECT_EQ(trained.model.labels.has_value(), classifies());
      }
}

TEST_P(LossTableTest, ParametersOutOfTheirRangeAreRefused) {
  const LossInfo& loss = info();
  if (!loss.parameter) {
    EXPECT_THROW(make_row_loss(loss.name, 1), std::invalid_argument);
    return;
  }
  for (const double value : {loss.parameter->above, loss.parameter->below, -infinity, infinity, std::nan("")}) {
    EXPECT_THROW(make_row_loss(loss.name, value), std::invalid_argument) << value;
    EXPECT_THROW(proof::make_proof_loss(risk(value), "a test"), InputError) << value;
  }
}

TEST_P(LossTableTest, CAndL2AreInversesOfEachOther) {
  const std::string_view loss = info().name;
  EXPECT_DOUBLE_EQ(l2_from_c(loss, 3, 50), 1 / (info().liblinear.factor * 150));
  EXPECT_DOUBLE_EQ(c_from_l2(loss, l2_from_c(loss, 3, 50), 50), 3);
}

TEST_P(LossTableTest, HelpTextsAreThere) {
  const LossInfo& loss = info();
  EXPECT_FALSE(loss.summary.empty());
  EXPECT_FALSE(loss.parameter && (loss.parameter->name.empty() || loss.parameter->meaning.empty()));
}

INSTANTIATE_TEST_SUITE_P(Losses, LossTableTest, ::testing::ValuesIn(loss_names()),
                         [](const auto& test) { return test_name(test.param); });

TEST(LossTable, UnknownNamesAreRefusedWithTheKnownOnes) {
  EXPECT_EQ(find_loss("hinge"), nullptr);
  EXPECT_THROW(make_row_loss("hinge"), std::invalid_argument);
  EXPECT_THROW(l2_from_c("hinge", 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace geodescent::testing
