// Proofs on problems one can check by hand, and their precision.
#include "geodescent/certificate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "certificate/bounded.hpp"
#include "certificate/product_sum.hpp"
#include "geodescent/error.hpp"
#include "geodescent/parallel.hpp"
#include "support/certificate_problems.hpp"
#include "support/input_errors.hpp"
#include "support/quad_risk.hpp"

namespace geodescent::testing {
namespace {

LinearModel model_of(const std::string& loss, double l2, const Vector& weights, Bias bias = Bias::none,
                     double bias_weight = 0) {
  LinearModel model;
  model.risk.loss = loss;
  model.risk.l2 = l2;
  model.risk.bias = bias;
  model.weights = weights;
  model.bias_weight = bias_weight;
  return model;
}

// Bounded numbers ----------------------------------------------------------------------------------------------------

TEST(Bounded, RoundsOutwards) {
  const proof::Real third = proof::Real{1} / 3;
  EXPECT_LE(static_cast<proof::Real>(proof::rounded_down(third)), third);
  EXPECT_GE(static_cast<proof::Real>(proof::rounded_up(third)), third);
  EXPECT_EQ(proof::rounded_down(proof::Real{0.5}), 0.5);
  EXPECT_EQ(proof::rounded_up(proof::Real{-0.5}), -0.5);
  if (std::numeric_limits<proof::Real>::max_exponent > std::numeric_limits<double>::max_exponent) {
    const proof::Real huge = std::ldexp(proof::Real{1}, 2000);
    EXPECT_EQ(proof::rounded_down(huge), std::numeric_limits<double>::max());
    EXPECT_EQ(proof::rounded_up(huge), std::numeric_limits<double>::infinity());
    EXPECT_EQ(proof::rounded_down(-huge), -std::numeric_limits<double>::infinity());
  }
}

TEST(Bounded, KnowsNothingAfterOverflowAndDivisionByZero) {
  const proof::Bounded huge{std::numeric_limits<proof::Real>::max(), 0};
  EXPECT_FALSE((huge + huge).known());
  EXPECT_FALSE((huge * huge - huge * huge).known());
  EXPECT_FALSE((huge / proof::Bounded{1e-30, 1e-20}).known());
  EXPECT_FALSE(log(proof::Bounded{1e-30, 1e-20}).known());
  EXPECT_FALSE(log1p(proof::Bounded{-1, 0}).known());
  EXPECT_EQ((huge * huge).upper(), proof::endless);
  EXPECT_EQ((huge * huge).lower(), -proof::endless);
}

TEST(Bounded, LongSumsLoseNothingThatCounts) {
  proof::LongSum sum;
  constexpr std::size_t terms = 100000;
  Quad truth = 0;
  for (std::size_t k = 0; k < terms; ++k) {
    const proof::Real term = (k % 2 == 0 ? 1 : -1) / static_cast<proof::Real>(k + 1);
    sum.add(term);
    truth += term;
  }
  const proof::Bounded found = sum.result(terms);
  EXPECT_LE(absolute(truth - found.value), found.error);
  EXPECT_LE(found.error, 40 * proof::unit) << "not proportional to the number of terms";
}

TEST(ProductSum, LosesNothingThatCounts) {
  Random random(3);
  for (int repetition = 0; repetition < 300; ++repetition) {
    proof::ProductSum sum;
    Quad truth = 0, size = 0;
    const std::size_t terms = random.below(300);
    for (std::size_t k = 0; k < terms; ++k) {
      // Sizes over 60 powers of two; every other product nearly cancels the one before.
      const double a = std::ldexp(random.normal(), static_cast<int>(random.below(60)) - 30), b = random.normal();
      sum.add(a, b);
      sum.add(-a, std::nextafter(b, 2.0));
      truth += static_cast<Quad>(a) * b - static_cast<Quad>(a) * std::nextafter(b, 2.0);
      size += absolute(2 * static_cast<Quad>(a) * b);
    }
    const proof::Bounded found = sum.result(2 * terms);
    EXPECT_LE(absolute(truth - found.value), found.error);
    EXPECT_LE(found.error, 2 * proof::unit * absolute(truth) + 1e-25L * size + 1e-300L);
    const proof::Approximation rounded = sum.rounded(2 * terms);
    EXPECT_LE(absolute(truth - rounded.value), rounded.error);
  }
}

TEST(ProductSum, PaysForUnderflowAndKnowsNothingAfterOverflow) {
  proof::ProductSum sum;
  for (int k = 0; k < 100; ++k) sum.add(1e-170, 1e-170);  // each is 1e-340, and 0 as a double
  EXPECT_GE(sum.rounded(100).value + sum.rounded(100).error, 1e-320);
  sum.add(1e200, 1e200);
  sum.add(-1e200, 1e200);
  EXPECT_FALSE(sum.result(102).known());
}

TEST(ProductSum, ManyTermsProveNothing) {
  proof::ProductSum sum;
  sum.add(1, 1);
  EXPECT_FALSE(sum.result(std::size_t{1} << 45).known());
}

/// What proofs assume of the C library, where they use it: in double, at most 2 units in the last place.
TEST(CLibrary, IsAsAccurateAsProofsAssume) {
  Random random(4);
  const auto units_off = [](double found, Quad truth) {
    return static_cast<double>(absolute(found - truth) / absolute(truth)) / std::numeric_limits<double>::epsilon();
  };
  for (int k = 0; k < 20000; ++k) {
    const double z = k % 2 == 0 ? 5 * random.uniform() : 700 * random.uniform();
    ASSERT_LE(units_off(std::exp(-z), 1 / exponential(static_cast<Quad>(z))), 1.0) << z;
    const double x = std::exp(-60 * random.uniform());
    ASSERT_LE(units_off(std::log1p(x), logarithm_of_one_plus(static_cast<Quad>(x))), 1.0) << x;
    ASSERT_LE(units_off(std::log1p(-x / 2), logarithm_of_one_plus(-static_cast<Quad>(x / 2))), 1.0) << x;
    ASSERT_LE(units_off(std::log(x / 2), -logarithm(1 / static_cast<Quad>(x / 2))), 1.0) << x;
  }
}

// Proofs -------------------------------------------------------------------------------------------------------------

TEST(Prove, ByHand) {
  // One row each way, w = 1/2: both margins are 1/2, so f = 1/8 + l2/8, and the slopes are -1/2.
  const Dataset data = dataset_of({{1}, {-1}}, {1, -1});
  const LinearModel model = model_of("smoothed-hinge", 1, {0.5});
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
  const LinearModel model = model_of("logistic", 0.1, {0.7});
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
    LinearModel model = model_of(loss, 1, {0}, bias);
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

TEST(Prove, GapIsWhatStrongConvexitySays) {
  // f(w) - D at the slopes of w is |gradient|^2 / (2 l2): for (w - 3)^2/2 + w^2/2 at w = 1 the gradient is -1.
  const Dataset data = dataset_of({{1}}, {3});
  const LinearModel model = model_of("squared", 1, {1});
  const Vector slopes = slopes_at(data, model);
  EXPECT_EQ(slopes, Vector{-2});
  const ProvenGap proven = prove(data, model, rounded_dual(data, model.risk, slopes, 8));
  EXPECT_NEAR(proven.value, 2.5, 1e-15);
  EXPECT_NEAR(proven.gap(), 0.5, 1e-14);
  EXPECT_NEAR(proven.distance_bound(), 1, 1e-14) << "the minimum is at 1.5, well within";
}

TEST(Prove, NothingFitsNothing) {
  const Dataset data = dataset_of({{1}, {-1}}, {1, -1});
  const LinearModel model = model_of("logistic", 1, {1});
  const DualPoint dual{{-1, -1}, -1};
  const auto with = [&](const std::function<void(LinearModel&)>& change) {
    LinearModel other = model;
    change(other);
    return [&data, &dual, other] { prove(data, other, dual); };
  };
  EXPECT_EQ(error_of([&] { prove(data, model, dual); }), "no error");
  expect_error(with([](LinearModel& m) { m.risk.loss = ""; }), "the loss is unknown");
  expect_error(with([](LinearModel& m) { m.risk.loss = "hinge"; }), "nothing can be proven about the loss 'hinge'");
  expect_error(with([](LinearModel& m) { m.risk.loss = "huber"; }), "threshold");
  expect_error(with([](LinearModel& m) { m.risk.l2 = 0; }), "l2 is 0");
  expect_error(with([](LinearModel& m) { m.risk.l2 = NAN; }), "l2 is nan");
  expect_error(with([](LinearModel& m) { m.weights.push_back(1); }), "1 columns, but the model has 2 weights");
  expect_error(with([](LinearModel& m) { m.weights[0] = INFINITY; }), "not finite");
  expect_error(with([](LinearModel& m) {
                 m.risk.bias = Bias::regularized;
                 m.weights.clear();
               }),
               "constant feature");
}

TEST(Prove, DualPointMustFit) {
  const Dataset data = dataset_of({{1}, {-1}}, {1, -1});
  const auto proving = [&](const std::string& loss, Bias bias, DualPoint dual) {
    LinearModel model = model_of(loss, 1, {1}, bias);
    if (loss == "huber") model.risk.loss_parameter = 0.1;
    return [&data, model, dual] { prove(data, model, dual); };
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
  expect_error([&] { prove(data, model_of("squared", 1, {huge}), {{0, 0}, 0}); }, "no finite number");
  const ProvenGap proven = prove(data, model_of("squared-hinge", 1e-300, {0}), {{-1, -1}, 1000});
  EXPECT_EQ(proven.lower_bound, 0) << "what is not known is not claimed";
}

TEST(Prove, OddDataAreFine) {
  for (const Bias bias : {Bias::none, Bias::free}) {
    const Dataset data = dataset_of({{0, 0}, {0, 0}, {1e-310, 0}}, {1, -1, 1}, {1e-300, 1e300, 1});
    for (const char* loss : {"logistic", "smoothed-hinge", "squared-hinge", "squared"}) {
      const LinearModel model = model_of(loss, 1e-12, {1e-5, 3}, bias, 0.5);
      const Certificate made = certify(data, model, {});
      EXPECT_TRUE(verify(data, model, made).holds) << loss << verify(data, model, made).reason;
    }
  }
  expect_error([] { prove(dataset_of({{1}, {1}}, {1, 1}), model_of("logistic", 1, {1}), {{0, 0}, 0}); }, "one class");
  expect_error(
      [] {
        prove(dataset_of({{1}, {1}}, {1, 0}, {1, 0}), model_of("squared", 1, {1}), {{0, 0}, 0});
      },
      "row 2 has the weight 0");
}

// Dual points --------------------------------------------------------------------------------------------------------

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
  const Risk risk = model_of("logistic", 1, {1}).risk;
  expect_error([&] { rounded_dual(data, risk, Vector{-1}, 4); }, "1 slopes for 2 rows");
  expect_error([&] { rounded_dual(data, risk, Vector{-1, -1}, 9); }, "9 bytes");
  expect_error([&] { rounded_dual(data, risk, Vector{-1, NAN}, 4); }, "the slope of row 2 is no number");
}

TEST(SlopesAt, BestInterceptForTheWeights) {
  Random random(11);
  for (int k = 0; k < 200; ++k) {
    CertificateProblem problem = random_certificate_problem(random);
    problem.risk.bias = Bias::free;
    LinearModel model;
    model.risk = problem.risk;
    model.weights = random.normal_vector(problem.data.rows->columns());
    model.bias_weight = 100 * random.normal();  // of no consequence
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

// Fingerprints -------------------------------------------------------------------------------------------------------

TEST(Fingerprint, SaysWhatTheDataSay) {
  const Dataset data = dataset_of({{1, 0}, {0, 2}}, {1, -1});
  const std::string print = fingerprint(data);
  EXPECT_EQ(print.substr(0, 7), "sha256:");
  EXPECT_EQ(print.size(), 7U + 64);
  Dataset dense = data;
  dense.rows = std::make_shared<DenseRows>(Vector{1, 0, 0, 2}, 2);
  dense.name = "other";
  dense.weights = {1, 1};
  EXPECT_EQ(fingerprint(dense), print) << "neither storage nor name nor weights of 1 change what they say";
  EXPECT_NE(fingerprint(dataset_of({{1, 0}, {0, 2}}, {1, -2})), print);
  EXPECT_NE(fingerprint(dataset_of({{1, 0}, {0, 2}}, {1, -1}, {1, 2})), print);
  EXPECT_NE(fingerprint(dataset_of({{1, 0}, {2, 0}}, {1, -1})), print);
  EXPECT_NE(fingerprint(dataset_of({{0, 2}, {1, 0}}, {1, -1})), print);
  EXPECT_NE(fingerprint(dataset_of({{1, 0, 0}, {0, 2, 0}}, {1, -1})), print);
}

/// Rows enough for several blocks, some of ones alone, one of them empty.
Dataset many_rows(std::size_t rows) {
  Random random(5);
  std::vector<Vector> entries(rows, Vector(7));
  Vector targets(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    targets[i] = random.chance(0.5) ? 1 : -1;
    const bool ones = random.chance(0.5);
    for (double& x : entries[i])
      if (i > 0 && random.chance(0.5)) x = ones ? 1 : random.normal();
  }
  return dataset_of(entries, targets);
}

TEST(Fingerprint, IsTheSameForEveryStorageAndNumberOfThreads) {
  for (const std::size_t rows : {1, 255, 256, 257, 512, 5000}) {
    const Dataset data = many_rows(rows);
    Dataset dense = data;
    Vector entries;
    std::vector<std::uint32_t> indices;
    Vector values;
    for (std::size_t i = 0; i < rows; ++i) {
      data.rows->copy_row(i, indices, values);
      entries.resize((i + 1) * data.rows->columns());
      for (std::size_t k = 0; k < indices.size(); ++k) entries[i * data.rows->columns() + indices[k]] = values[k];
    }
    dense.rows = std::make_shared<DenseRows>(entries, data.rows->columns());
    const int before = threads();
    set_threads(1);
    const std::string print = fingerprint(data);
    EXPECT_EQ(fingerprint(dense), print) << rows;
    for (const int count : {2, 3, 8}) {
      set_threads(count);
      EXPECT_EQ(fingerprint(data), print) << rows;
    }
    set_threads(before);
  }
}

TEST(Fingerprint, NoticesAChangeInAnyBlock) {
  const Dataset data = many_rows(1000);
  const std::string print = fingerprint(data);
  for (const std::size_t i : {0, 255, 256, 700, 999}) {
    Dataset other = data;
    other.targets[i] = -other.targets[i];
    EXPECT_NE(fingerprint(other), print) << i;
    other = data;
    other.weights.assign(1000, 1.0);
    EXPECT_EQ(fingerprint(other), print);
    other.weights[i] = 2;
    EXPECT_NE(fingerprint(other), print) << i;
  }
}

TEST(Fingerprint, ValuesOfOneAreNotTheirAbsence) {
  EXPECT_NE(fingerprint(dataset_of({{1, 1}}, {1})), fingerprint(dataset_of({{1, 0}}, {1})));
  EXPECT_NE(fingerprint(dataset_of({{1, 1}}, {1})), fingerprint(dataset_of({{1, 2}}, {1})));
  EXPECT_NE(fingerprint(dataset_of({{1, 1}}, {1})), fingerprint(dataset_of({{2, 2}}, {1})));
}

/// As docs/certificate.md defines it, byte by byte.
TEST(Fingerprint, IsTheSameForEver) {
  EXPECT_EQ(fingerprint(dataset_of({{1, 0}, {0, 2}}, {1, -1})),
            "sha256:a5ecb9d29167e0b1483214bfbb9d2871389e434e841edfd7a59876f6f1f51537");
}

// Certificates -------------------------------------------------------------------------------------------------------

}  // namespace
}  // namespace geodescent::testing
