// Proofs on problems one can check by hand, their precision, certificates and their files.
#include "geodescent/certificate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "certificate/bounded.hpp"
#include "geodescent/error.hpp"
#include "support/certificate_problems.hpp"
#include "support/quad_risk.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const std::function<void()>& work, const std::string& part) {
  const std::string error = error_of(work);
  EXPECT_NE(error.find(part), std::string::npos) << error;
  EXPECT_NE(error.find("; "), std::string::npos) << "no remedy: " << error;
}

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

TEST(Fingerprint, IsTheSameForEver) {
  EXPECT_EQ(fingerprint(dataset_of({{1, 0}, {0, 2}}, {1, -1})),
            "sha256:faf312c175ac2c40417a802fb883537d01c29002f23c7262a7bb6a8017507cd8");
}

// Certificates -------------------------------------------------------------------------------------------------------

struct Made {
  Dataset data;
  LinearModel model;
  Certificate certificate;
};

Made make(std::uint64_t seed = 5) {
  Random random(seed);
  Made made;
  constexpr std::size_t rows = 200, features = 5;
  std::vector<Vector> entries;
  Vector targets;
  for (std::size_t i = 0; i < rows; ++i) {
    entries.push_back(random.normal_vector(features));
    targets.push_back(entries.back()[0] + random.normal() > 0 ? 1 : -1);
  }
  made.data = dataset_of(entries, targets);
  made.model = model_of("logistic", 1e-3, Vector(features, 0));
  made.model = QuadRisk(made.data, made.model.risk).minimiser();
  made.certificate = certify(made.data, made.model, {});
  return made;
}

int bytes_of(const Certificate& certificate) {
  std::int64_t largest = 1;
  for (const std::int64_t step : certificate.dual.steps) largest = std::max(largest, std::abs(step));
  return (64 - __builtin_clzll(static_cast<unsigned long long>(largest)) + 8) / 8;
}

TEST(Certify, GoodWeightsNeedMoreBytesThanPoorOnes) {
  Made made = make();
  EXPECT_LT(made.certificate.relative_gap, 1e-10);
  EXPECT_TRUE(verify(made.data, made.model, made.certificate).holds);
  const int bytes = bytes_of(made.certificate);
  made.model.weights[0] += 0.01;
  const Certificate poor = certify(made.data, made.model, {});
  EXPECT_GT(poor.relative_gap, 1e-6);
  EXPECT_LT(bytes_of(poor), bytes);
}

TEST(Certify, ProvesWhatTheSlopesCanProve) {
  Made made = make();
  const Vector good = slopes_at(made.data, made.model);
  made.model.weights[0] += 0.1;
  const Certificate own = certify(made.data, made.model, {});
  const Certificate given = certify(made.data, made.model, good);
  EXPECT_LT(given.relative_gap, 0.9 * own.relative_gap);
  EXPECT_EQ(certify(made.data, made.model, slopes_at(made.data, made.model)).lower_bound, own.lower_bound);
  const Certificate useless = certify(made.data, made.model, Vector(good.size(), 0.0));
  EXPECT_EQ(useless.lower_bound, 0) << "poor slopes prove little, never too much";
  EXPECT_TRUE(verify(made.data, made.model, useless).holds);
}

TEST(Certify, WrongHintsChangeNoClaim) {
  const Made made = make();
  const Vector slopes = slopes_at(made.data, made.model);
  for (const double hint : {0.0, 0.1, 10.0, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
    const Certificate found = certify(made.data, made.model, slopes, {.lower_bound = hint});
    EXPECT_TRUE(verify(made.data, made.model, found).holds) << hint;
  }
}

TEST(Verify, SaysWhatIsWrong) {
  const Made made = make();
  const auto reason = [&](const std::function<void(Made&)>& change) {
    Made other = made;
    change(other);
    const Verification found = verify(other.data, other.model, other.certificate);
    EXPECT_EQ(found.holds, found.reason.empty());
    return found.reason;
  };
  const auto expect_reason = [&](const std::function<void(Made&)>& change, const std::string& part) {
    EXPECT_NE(reason(change).find(part), std::string::npos) << reason(change);
  };
  EXPECT_EQ(reason([](Made&) {}), "");
  EXPECT_EQ(reason([](Made& m) {
              m.model.risk.loss = "";
              m.model.risk.l2 = 0;
            }),
            "")
      << "a model that does not know";
  expect_reason([](Made& m) { m.model.risk.loss = "squared-hinge"; },
                "the loss is squared-hinge in the model and logistic");
  expect_reason([](Made& m) { m.model.risk.l2 = 2e-3; }, "the l2 is 0.002 in the model and 0.001 in the certificate");
  expect_reason([](Made& m) { m.model.risk.bias = Bias::free; }, "the bias is free in the model and none");
  expect_reason([](Made& m) { m.model.weights.push_back(0); }, "the number of features is 6 in the model and 5");
  expect_reason([](Made& m) { m.data.targets[3] *= -1; }, "the data are not those of the certificate");
  expect_reason([](Made& m) { m.data.targets.pop_back(); }, "the data have 199 rows, the certificate is for 200");
  expect_reason([](Made& m) { m.model.weights[1] += 1e-3; }, "the value of the model is ");
  expect_reason([](Made& m) { m.certificate.value -= 1e-6; }, ", more than the ");
  expect_reason([](Made& m) { m.certificate.lower_bound += 1e-6; }, "the lower bound is ");
  expect_reason([](Made& m) { m.certificate.relative_gap = 0; }, "the relative gap is ");
  expect_reason([](Made& m) { m.certificate.dual.steps[7] = 0; }, "the lower bound is ");
  expect_reason([](Made& m) { m.certificate.dual.steps[7] = 1; }, "the dual value of row 8 is ");
  expect_reason([](Made& m) { m.model.labels = BinaryLabels{0, 1, 100, 100}; }, "the labels 0 and 1");
}

TEST(Verify, WithoutAProofTheGapIsInfinite) {
  Made made = make();
  made.model.risk.l2 = 2e-3;
  EXPECT_EQ(verify(made.data, made.model, made.certificate).proven.gap(), std::numeric_limits<double>::infinity());
}

// Files --------------------------------------------------------------------------------------------------------------

TEST(CertificateFile, RoundTrip) {
  const TemporaryFolder folder;
  Random random(9);
  for (int bits = 1; bits <= 54; ++bits) {
    Certificate made;
    made.risk = {"huber", 0.1, 1e-8, Bias::regularized, 2.5};
    made.fingerprint = fingerprint(dataset_of({{1}}, {1}));
    made.features = 3;
    made.value = 1.0 / 3;
    made.lower_bound = 0.1;
    made.relative_gap = bits == 1 ? INFINITY : 1e-300;
    made.dual.exponent = -bits;
    const auto most = static_cast<std::size_t>((std::uint64_t{1} << (bits - 1)));
    for (int k = 0; k < 100; ++k) {
      const auto size = static_cast<std::int64_t>(random.below(most));
      made.dual.steps.push_back(random.chance(0.5) ? size : -size);
    }
    made.rows = made.dual.steps.size();
    write_certificate(made, folder / "c");
    const Certificate read = read_certificate(folder / "c");
    EXPECT_EQ(read.risk.loss, made.risk.loss);
    EXPECT_EQ(read.risk.loss_parameter, made.risk.loss_parameter);
    EXPECT_EQ(read.risk.l2, made.risk.l2);
    EXPECT_EQ(read.risk.bias, made.risk.bias);
    EXPECT_EQ(read.risk.constant, made.risk.constant);
    EXPECT_EQ(read.fingerprint, made.fingerprint);
    EXPECT_EQ(read.rows, made.rows);
    EXPECT_EQ(read.features, made.features);
    EXPECT_EQ(read.value, made.value);
    EXPECT_EQ(read.lower_bound, made.lower_bound);
    EXPECT_EQ(read.relative_gap, made.relative_gap);
    EXPECT_EQ(read.dual.exponent, made.dual.exponent);
    EXPECT_EQ(read.dual.steps, made.dual.steps) << bits;
  }
}

class CertificateText : public ::testing::Test {
 protected:
  CertificateText() {
    write_certificate(make().certificate, folder / "c");
    bytes = contents(folder / "c");
  }
  std::string with(const std::string& from, const std::string& to) const {
    std::string text = bytes;
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos);
    return text.replace(place, from.size(), to);
  }
  std::string line_of(const std::string& key) const {
    const std::size_t begin = bytes.find("\n" + key + " ") + 1;
    return bytes.substr(begin, bytes.find('\n', begin) - begin);
  }
  void expect_refused(const std::string& text, const std::string& part) const {
    expect_error([&] { parse_certificate(text, "c"); }, part);
  }
  const TemporaryFolder folder;
  std::string bytes;
};

TEST_F(CertificateText, HeaderIsStable) {
  const std::string start =
      "geodescent-certificate 1\nloss logistic\nloss_parameter 0\nl2 0.001\nbias none\nconstant 1\nrows 200\n"
      "total_weight 200\nfeatures 5\ndata sha256:";
  EXPECT_EQ(bytes.substr(0, start.size()), start);
}

TEST_F(CertificateText, EveryTruncationIsAnError) {
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(parse_certificate(bytes.substr(0, length), "c"), InputError) << length;
  }
}

TEST_F(CertificateText, HostileHeaders) {
  expect_refused("", "c:1: the header has no end");
  expect_refused("geodescent-model 1\n", "c:1: not a geodescent certificate, starts with 'geodescent-model 1'");
  expect_refused("geodescent-certificate 2\n", "c:1: certificate version '2', but this program knows version 1");
  expect_refused(std::string(100000, 'x'), "c:1: the header has no end");
  expect_refused(with("loss logistic", "loss hinge"), "c:2: unknown loss 'hinge'");
  expect_refused(with("l2 0.001", "l2 0"), "c:4: the l2 is '0'");
  expect_refused(with("l2 0.001", "l2 -1"), "c:4: the l2 is '-1'");
  expect_refused(with("l2 0.001", "l2 nan"), "c:4: 'nan' is not finite");
  expect_refused(with("l2 0.001", "l2 0.001\nl2 0.001"), "c:5: expected the line 'bias ...', found 'l2 0.001'");
  expect_refused(with("bias none", "bias all"), "c:5: unknown bias 'all'");
  expect_refused(with("rows 200", "rows 0"), "c:7: rows 0; it must be from 1 to ");
  expect_refused(with("rows 200", "rows -5"), "c:7: '-5' is no whole number");
  expect_refused(with("rows 200", "rows 99999999999999"), "bytes, but its header announces");
  expect_refused(with("rows 200", "rows 9999999999999999999"), "c:7: rows 9999999999999999999");
  expect_refused(with("features 5", "features 5000000000"), "c:9: features 5000000000");
  expect_refused(with("data sha256:", "data md5:"), "c:10: 'md5:");
  expect_refused(with(line_of("value"), "value inf"), "c:11: 'inf' is not finite");
  expect_refused(with(line_of("value"), "value 1e999"), "c:11: '1e999' is not finite");
  expect_refused(with(line_of("lower_bound"), "lower_bound -1"), "c:12: the lower_bound is '-1'");
  expect_refused(with(line_of("relative_gap"), "relative_gap nan"), "c:13: 'nan' is not finite");
  expect_refused(with(line_of("relative_gap"), "relative_gap -0.5"), "c:13: the relative_gap is '-0.5'");
  expect_refused(with(line_of("exponent"), "exponent 99999"), "c:14: the exponent is '99999'");
  expect_refused(with(line_of("exponent"), "exponent 1.5"), "c:14: the exponent is '1.5'");
  expect_refused(with(line_of("bytes_per_row"), "bytes_per_row 0"), "c:15: bytes_per_row 0; it must be from 1 to 8");
  expect_refused(with(line_of("bytes_per_row"), "bytes_per_row 200"), "c:15: bytes_per_row 200");
  expect_refused(with("\ndual\n", "\nduel\n"), "c:16: expected the line 'dual'");
  expect_refused(bytes + "more", "bytes, but its header announces");
  expect_refused(with("l2 0.001", "l2 0.002"), "do not match its checksum");
}

TEST_F(CertificateText, BytesAreReadExactlyAndNoFurtherThanNeeded) {
  Certificate odd = parse_certificate(bytes, "c");
  for (std::size_t i = 0; i < odd.rows; ++i) odd.dual.steps[i] = static_cast<std::int64_t>(i * 655);  // all byte values
  write_certificate(odd, folder / "odd");
  EXPECT_EQ(read_certificate(folder / "odd").dual.steps, odd.dual.steps);
  put(folder / "long", bytes + std::string(10000000, 'x'));
  expect_error([&] { read_certificate(folder / "long"); }, "but its header announces");
  expect_error([&] { read_certificate("/dev/zero"); }, "/dev/zero:1: the header has no end");
  expect_error([&] { read_certificate(folder / "none"); }, "no such file");
}

}  // namespace
}  // namespace geodescent::testing
