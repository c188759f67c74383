// Proofs on problems one can check by hand, and their precision.
#include "geodescent/certificate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "geodescent/error.hpp"
#include "geodescent/threads.hpp"
#include "support/certificate_problems.hpp"
#include "support/input_errors.hpp"
#include "support/reference/quad_risk.hpp"

namespace geodescent::testing {
namespace {

LinearModel proven_model(const std::string& loss, double l2, const Vector& weights, Bias bias = Bias::none,
                         double bias_weight = 0) {
  LinearModel model;
  model.risk.loss = loss;
  model.risk.l2 = l2;
  model.risk.bias = bias;
  model.weights = weights;
  model.bias_weights = {bias_weight};
  return model;
}

TEST(Prove, ByHand) {
  // One row each way, w = 1/2: both margins are 1/2, so f = 1/8 + l2/8, and the slopes are -1/2.
  const Dataset data = dataset_of({{1}, {-1}}, {1, -1});
  const LinearModel model = proven_model("smoothed-hinge", 1, {0.5});
  const ProvenGap proven = prove(data, model, {{-1, -1}, -1});
  EXPECT_DOUBLE_EQ(proven.value, 0.25);
  EXPECT_DOUBLE_EQ(proven.lower_bound, 0.25) << "1/2 is the minimum: D = 1/2 - 1/8 - 1/8";
  EXPECT_DOUBLE_EQ(proven.reference, 0.5);
  EXPECT_GE(proven.value, 0.25);
  EXPECT_LE(proven.lower_bound, 0.25);
  EXPECT_LT(proven.gap(), 1e-15);
  EXPECT_LT(proven.relative_gap(), 1e-14);
  EXPECT_LT(proven.distance_bound(), 1e-7);
}

TEST(Prove, RowWeightsCountAsRepeatedRows) {
  const Dataset weighted = dataset_of({{1}, {-0.5}}, {1, -1}, {3, 1});
  const Dataset repeated = dataset_of({{1}, {1}, {1}, {-0.5}}, {1, 1, 1, -1});
  const LinearModel model = proven_model("logistic", 0.1, {0.7});
  const ProvenGap a = prove(weighted, model, {{-3, -1}, -2});
  const ProvenGap b = prove(repeated, model, {{-1, -1, -1, -1}, -2});
  EXPECT_NEAR(a.value, b.value, 1e-15);
  EXPECT_NEAR(a.lower_bound, b.lower_bound, 1e-15);
  EXPECT_NEAR(a.reference, b.reference, 1e-15);
}

TEST(Prove, ReferenceIsTheBestConstant) {
  const Vector three{1, 1, 1, -1};
  const std::vector<Vector> rows{{1}, {2}, {3}, {4}};
  const DualPoint nothing{{0, 0, 0, 0}, 0};
  const auto reference = [&](const std::string& loss, Bias bias, const Vector& targets) {
    LinearModel model = proven_model(loss, 1, {0}, bias);
    if (loss == "huber") model.risk.loss_parameter = 1;
    return prove(dataset_of(rows, targets), model, nothing).reference;
  };
  EXPECT_NEAR(reference("logistic", Bias::none, three), std::log(2), 1e-15);
  EXPECT_NEAR(reference("logistic", Bias::free, three), -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-15);
  EXPECT_NEAR(reference("smoothed-hinge", Bias::free, three), 1.0 / 3, 1e-15)
      << "b = 2/3 minimises 3 (1-b)^2/2 + 1/2 + b";
  EXPECT_NEAR(reference("squared-hinge", Bias::free, three), 0.375, 1e-15) << "b = 1/2";
  EXPECT_NEAR(reference("squared", Bias::free, {1, 2, 3, 6}), 1.75, 1e-14) << "half of the variance";
  EXPECT_NEAR(reference("squared", Bias::none, {1, 2, 3, 6}), 6.25, 1e-14);
  EXPECT_NEAR(reference("huber", Bias::free, {0, 0, 10, 10}), 4.5, 1e-14)
      << "flat between the two: 9.5 and -0.5 on average";
}

TEST(Prove, AgreesWithHigherPrecision) {
  Random random(7);
  for (int k = 0; k < 500; ++k) {
    const CertificateProblem problem = random_certificate_problem(random);
    const QuadRisk truth(problem.data, problem.risk);
    LinearModel model = truth.minimiser();
    for (double& w : model.weights) w *= 1 + 1e-3 * random.normal();
    const DualPoint dual = rounded_dual(problem.data, problem.risk, slopes_at(problem.data, model), 8);
    const ProvenGap proven = prove(problem.data, model, dual);
    const Quad value = truth.value(model), bound = truth.dual_value(dual);
    EXPECT_GE(proven.value, value);
    EXPECT_LE(proven.lower_bound, std::max(bound, Quad(0)));
    // The last rounding, to double, is half of 2.2e-16.
    EXPECT_LE(proven.value - value, 4e-16L * value + 1e-15L * truth.value_magnitude(model)) << problem.risk.loss;
    EXPECT_LE(bound - proven.lower_bound, 4e-16L * absolute(bound) + 1e-15L * truth.dual_magnitude(dual));
  }
}

/// Each thread has some of the columns, many of them empty, and most rows are in all parts.
TEST(Prove, WideRowsHaveTheSameBitsForEveryNumberOfThreads) {
  Random random(29);
  constexpr std::size_t rows = 3000, entries = 60, columns = 150'000;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  Vector values, targets, slopes;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < entries; ++k) {
      indices.push_back(static_cast<std::uint32_t>(2 * (k * k * 20 + random.below(20))));
      values.push_back(random.normal());
    }
    offsets.push_back(indices.size());
    targets.push_back(i % 3 == 0 ? 1 : -1);
    slopes.push_back(i % 5 == 0 ? 0 : -random.uniform());
  }
  const Dataset data = geodescent::dataset(std::make_shared<SparseRows>(offsets, indices, values, columns), targets);
  const LinearModel model = proven_model("logistic", 1, Vector(columns));
  const DualPoint dual = rounded_dual(data, model.risk, slopes, 4);
  const int before = threads();
  set_threads(1);
  const double expected = prove(data, model, dual).lower_bound;
  EXPECT_GT(expected, 0);
  for (const int count : {2, 3, 20}) {
    set_threads(count);
    EXPECT_EQ(prove(data, model, dual).lower_bound, expected) << count << " threads";
  }
  set_threads(before);
}

TEST(Prove, GapIsWhatStrongConvexitySays) {
  // f(w) - D at the slopes of w is |gradient|^2 / (2 l2): for (w - 3)^2/2 + w^2/2 at w = 1 the
  // gradient is -1.
  const Dataset data = dataset_of({{1}}, {3});
  const LinearModel model = proven_model("squared", 1, {1});
  const Vector slopes = slopes_at(data, model);
  EXPECT_EQ(slopes, Vector{-2});
  const ProvenGap proven = prove(data, model, rounded_dual(data, model.risk, slopes, 8));
  EXPECT_NEAR(proven.value, 2.5, 1e-15);
  EXPECT_NEAR(proven.gap(), 0.5, 1e-14);
  EXPECT_NEAR(proven.distance_bound(), 1, 1e-14) << "the minimum is at 1.5, well within";
}

TEST(Prove, NothingFitsNothing) {
  const Dataset data = dataset_of({{1}, {-1}}, {1, -1});
  const LinearModel model = proven_model("logistic", 1, {1});
  const DualPoint dual{{-1, -1}, -1};
  const auto with = [&](const std::function<void(LinearModel&)>& change) {
    LinearModel other = model;
    change(other);
    return [&data, &dual, other] { (void)prove(data, other, dual); };
  };
  EXPECT_EQ(error_of([&] { (void)prove(data, model, dual); }), "no error");
  expect_error(with([](LinearModel& m) { m.risk.loss = ""; }), "the loss is unknown");
  expect_error(with([](LinearModel& m) { m.risk.loss = "hinge"; }), "no proof exists for the loss 'hinge'");
  expect_error(with([](LinearModel& m) { m.risk.loss = "huber"; }),
               "the delta of the loss huber is 0; it must be over 0");
  expect_error(with([](LinearModel& m) { m.risk.l2 = 0; }), "l2 is 0");
  expect_error(with([](LinearModel& m) { m.risk.l2 = NAN; }), "l2 is nan");
  expect_error(with([](LinearModel& m) { m.weights.push_back(1); }), "1 columns, but the model has 2 weights");
  expect_error(with([](LinearModel& m) { m.weights[0] = INFINITY; }), "not finite");
  expect_error(with([](LinearModel& m) { m.risk.bias = Bias::regularized, m.risk.constant = 0; }), "constant column");
  LinearModel constant = model;
  constant.risk.bias = Bias::regularized;
  constant.weights.clear();
  Dataset not_constant = data;
  not_constant.constant = 1;
  expect_error([&] { (void)prove(not_constant, constant, dual); }, "constant feature");
}

TEST(Prove, DualPointMustFit) {
  const Dataset data = dataset_of({{1}, {-1}}, {1, -1});
  const auto proving = [&](const std::string& loss, Bias bias, DualPoint dual) {
    LinearModel model = proven_model(loss, 1, {1}, bias);
    if (loss == "huber") model.risk.loss_parameter = 0.1;
    return [&data, model, dual] { (void)prove(data, model, dual); };
  };
  expect_error(proving("logistic", Bias::none, {{-1}, 0}), "2 rows, but the dual point has 1");
  expect_error(proving("logistic", Bias::none, {{1, 0}, 0}),
               "the dual value of row 1 is 1, but it must be from -1 to 0");
  expect_error(proving("logistic", Bias::none, {{0, -2}, 0}), "the dual value of row 2 is -2");
  expect_error(proving("smoothed-hinge", Bias::none, {{-(std::int64_t{1} << 52) - 1, 0}, -52}), "row 1");
  expect_error(proving("squared-hinge", Bias::none, {{0, 1}, 0}), "row 2");
  expect_error(proving("squared", Bias::none, {{0, (std::int64_t{1} << 53) + 1}, 0}),
               "the dual value of row 2 has 9007199254740993 steps");
  expect_error(proving("squared", Bias::none, {{0, 4}, 1023}), "row 2 is inf");
  expect_error(proving("huber", Bias::none, {{0, 1}, -3}), "row 2 is 0.125, but it must be from -0.1 to 0.1");
  expect_error(proving("logistic", Bias::none, {{0, 0}, -1075}), "exponent");
  expect_error(proving("logistic", Bias::free, {{-1, 0}, 0}), "do not add up to 0");
  EXPECT_EQ(error_of(proving("logistic", Bias::free, {{-1, -1}, 0})), "no error");
  EXPECT_EQ(error_of(proving("smoothed-hinge", Bias::none, {{-(std::int64_t{1} << 52), 0}, -52})), "no error");
}

TEST(Prove, OverflowProvesNothing) {
  const double huge = 1e300;
  const Dataset data = dataset_of({{huge}, {-huge}}, {1, -1});
  expect_error([&] { (void)prove(data, proven_model("squared", 1, {huge}), {{0, 0}, 0}); }, "is not finite");
  const ProvenGap proven = prove(data, proven_model("squared-hinge", 1e-300, {0}), {{-1, -1}, 1000});
  EXPECT_EQ(proven.lower_bound, 0) << "what is not known is not claimed";
}

TEST(Prove, OddDataAreFine) {
  for (const Bias bias : {Bias::none, Bias::free}) {
    const Dataset data = dataset_of({{0, 0}, {0, 0}, {1e-310, 0}}, {1, -1, 1}, {1e-300, 1e300, 1});
    for (const char* loss : {"logistic", "smoothed-hinge", "squared-hinge", "squared"}) {
      const LinearModel model = proven_model(loss, 1e-12, {1e-5, 3}, bias, 0.5);
      const Certificate made = certify(data, model, {});
      EXPECT_TRUE(verify(data, model, made).holds) << loss << verify(data, model, made).reason;
    }
  }
  expect_error(
      [] {
        (void)prove(dataset_of({{1}, {1}}, {1, 1}), proven_model("logistic", 1, {1}), {{0, 0}, 0});
      },
      "one class");
  expect_error(
      [] {
        (void)prove(dataset_of({{1}, {1}}, {1, 0}, {1, 0}), proven_model("squared", 1, {1}), {{0, 0}, 0});
      },
      "row 2 has the weight 0");
}

// Dual points ------------------------------------------------------------------------------------

TEST(RoundedDual, SumIsExactlyZero) {
  Random random(3);
  for (int k = 0; k < 300; ++k) {
    CertificateProblem problem = random_certificate_problem(random);
    problem.risk.bias = Bias::free;
    const BinaryLabels labels = problem.risk.loss == "squared" || problem.risk.loss == "huber"
                                    ? BinaryLabels{-INFINITY, 0, 0, 0}
                                    : binary_labels(problem.data);
    const Vector slopes = random.normal_vector(problem.data.targets.size(), 2);
    for (int bytes = 1; bytes <= 8; ++bytes) {
      const DualPoint dual = rounded_dual(problem.data, problem.risk, slopes, bytes);
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < slopes.size(); ++i)
        sum += problem.data.targets[i] == labels.negative ? -dual.steps[i] : dual.steps[i];
      EXPECT_EQ(sum, 0);
      for (const std::int64_t step : dual.steps)
        EXPECT_LE(std::abs(step), std::int64_t{1} << (bytes < 7 ? 8 * bytes - 1 : 53));
    }
  }
}

TEST(RoundedDual, RepairMovesNoRowFar) {
  constexpr std::size_t rows = 1000;
  std::vector<Vector> entries(rows, {1});
  Vector targets(rows), slopes(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    targets[i] = i % 2 == 0 ? 1 : -1;
    slopes[i] = -0.3 - 1e-5 * static_cast<double>(i % 2);
  }
  const Dataset data = dataset_of(entries, targets);
  Risk risk;
  risk.loss = "logistic";
  risk.l2 = 1;
  risk.bias = Bias::free;
  const DualPoint dual = rounded_dual(data, risk, slopes, 4);
  for (std::size_t i = 0; i < rows; ++i) {
    EXPECT_NEAR(std::ldexp(static_cast<double>(dual.steps[i]), dual.exponent), slopes[i], 1.01e-5);
  }
}

TEST(RoundedDual, Errors) {
  const Dataset data = dataset_of({{1}, {-1}}, {1, -1});
  const Risk risk = proven_model("logistic", 1, {1}).risk;
  expect_error([&] { (void)rounded_dual(data, risk, Vector{-1}, 4); }, "1 slopes for 2 rows");
  expect_error([&] { (void)rounded_dual(data, risk, Vector{-1, -1}, 9); }, "9 bytes");
  expect_error([&] { (void)rounded_dual(data, risk, Vector{-1, NAN}, 4); }, "the dual value of row 2 is not a number");
}

TEST(SlopesAt, BestInterceptForTheWeights) {
  Random random(11);
  for (int k = 0; k < 200; ++k) {
    CertificateProblem problem = random_certificate_problem(random);
    problem.risk.bias = Bias::free;
    LinearModel model;
    model.risk = problem.risk;
    model.weights = random.normal_vector(problem.data.rows->columns());
    model.bias_weights = {100 * random.normal()};  // of no consequence
    const Vector slopes = slopes_at(problem.data, model);
    const bool classes = problem.risk.loss != "squared" && problem.risk.loss != "huber";
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      const double c = problem.data.weights.empty() ? 1 : problem.data.weights[i];
      sum += c * slopes[i] * (classes && problem.data.targets[i] < 1 ? -1 : 1);
      size += c * std::abs(slopes[i]);
    }
    EXPECT_LE(std::abs(sum), 1e-9 * size + 1e-200) << problem.risk.loss;
  }
}

}  // namespace
}  // namespace geodescent::testing
