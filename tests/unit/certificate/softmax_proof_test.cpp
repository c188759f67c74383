// Proofs for multinomial logistic regression: by hand, against 113 bits, and with dual points that
// are none.
#include "certificate/softmax/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geodescent/error.hpp"
#include "support/certificate_problems.hpp"
#include "support/input_errors.hpp"
#include "support/reference/softmax_truth.hpp"

namespace geodescent::testing {
namespace {

proof::SoftmaxProblem problem_of(const SoftmaxData& data) {
  Risk risk;
  risk.l2 = data.l2;
  risk.bias = data.bias;
  risk.constant = data.bias == Bias::regularized ? data.data.constant : 1;
  return {data.data, risk, data.classes};
}

SoftmaxData random_softmax(Random& random, bool well_scaled = true) {
  constexpr Bias biases[] = {Bias::none, Bias::free, Bias::regularized};
  SoftmaxData data;
  data.classes = 2 + random.below(5);
  data.bias = biases[random.below(3)];
  data.l2 = random.log_uniform(well_scaled ? 1e-3 : 1e-8, 1);
  const std::size_t rows = data.classes + random.below(10), features = 1 + random.below(3);
  std::vector<Vector> entries(rows, Vector(features, 0));
  Vector scales(features, 1), targets(rows), weights;
  if (!well_scaled)
    for (double& s : scales) s = random.log_uniform(1e-6, 1e6);
  for (std::size_t i = 0; i < rows; ++i) {
    targets[i] = static_cast<double>(i < data.classes ? i : random.below(data.classes));
    for (std::size_t j = 0; j < features; ++j) entries[i][j] = random.chance(0.8) ? scales[j] * random.normal() : 0;
  }
  if (random.chance(0.5))
    for (std::size_t i = 0; i < rows; ++i) weights.push_back(random.log_uniform(0.1, well_scaled ? 10 : 1e8));
  data.data = dataset_of(entries, targets, weights);
  if (data.bias == Bias::regularized) data.data = with_constant(data.data, random.log_uniform(0.1, 10));
  return data;
}

/// Coefficients with free intercepts, and P - Y there.
struct Point {
  Vector v, b, slopes;
};

Point point_of(const SoftmaxData& data, const RealVector& v) {
  Point point{rounded(v), {}, {}};
  RealVector b(data.classes);
  if (data.bias == Bias::free) {
    b = best_intercepts(data, v);
    point.b = rounded(b);
  }
  for (std::size_t i = 0; i < data.rows(); ++i) {
    RealVector z = b;
    for (std::size_t j = 0; j < data.columns(); ++j)
      for (std::size_t k = 0; k < data.classes; ++k) z[k] += data.entry(i, j) * v[j * data.classes + k];
    Real sum = 0, top = z[0];
    for (const Real x : z) top = std::max(top, x);
    for (const Real x : z) sum += std::exp(x - top);
    for (std::size_t k = 0; k < data.classes; ++k)
      point.slopes.push_back(static_cast<double>(std::exp(z[k] - top) / sum - (k == data.class_of(i) ? 1 : 0)));
  }
  return point;
}

/// The minimum, moved by a random distance.
Point near_minimum(const SoftmaxData& data, const Optimum& optimum, Random& random) {
  RealVector v = optimum.x;
  const double distance = random.chance(0.3) ? 0 : random.log_uniform(1e-12, 1);
  for (Real& x : v) x += distance * random.normal();
  return point_of(data, v);
}

TEST(SoftmaxProof, ByHand) {
  // Two rows, no coefficients: all probabilities are 1/2, and sum_i v_ik a_i = -1 and 1.
  const SoftmaxData data{dataset_of({{1}, {-1}}, {0, 1}), 2, Bias::none, 10};
  const proof::SoftmaxProblem problem = problem_of(data);
  EXPECT_NEAR(proof::value_above(problem, Vector{0, 0}, {}), std::log(2), 2e-15);
  EXPECT_GE(proof::value_above(problem, Vector{0, 0}, {}), std::log(2));
  EXPECT_NEAR(proof::bound_below(problem, {{-1, 1, 1, -1}, -1}), std::log(2) - 2.0 / (2 * 10 * 4), 1e-15);
  EXPECT_NEAR(proof::reference_below(problem), std::log(2), 1e-15);
  SoftmaxData free{dataset_of({{1}, {2}, {3}, {4}}, {0, 1, 2, 2}), 3, Bias::free, 1};
  EXPECT_NEAR(proof::reference_below(problem_of(free)), 0.5 * std::log(4) + 0.5 * std::log(2), 1e-15);
}

TEST(SoftmaxProof, AgreesWithHigherPrecision) {
  Random random(2203);
  for (int k = 0; k < 300; ++k) {
    const SoftmaxData data = random_softmax(random, random.chance(0.5));
    const proof::SoftmaxProblem problem = problem_of(data);
    const Vector v = random.normal_vector(data.columns() * data.classes, random.log_uniform(1e-3, 100));
    const Vector b = data.bias == Bias::free ? random.normal_vector(data.classes) : Vector{};
    const double value = proof::value_above(problem, v, b);
    const Quad truth = softmax_value(data, v, b);
    EXPECT_GE(value, truth) << k;
    EXPECT_LE(value - truth, 4e-15L * (truth + softmax_magnitude(data, v, b))) << k;

    SoftmaxData without = data;  // dual values of any probabilities
    if (data.bias == Bias::free) without.bias = Bias::none;
    const DualPoint dual = proof::rounded_dual(problem, point_of(without, real(v)).slopes, 8);
    const QuadBound true_bound = softmax_bound(data, dual);
    const double bound = proof::bound_below(problem, dual);
    EXPECT_LE(bound, std::max(true_bound.value, Quad(0))) << k;
    EXPECT_LE(true_bound.value - bound, 4e-15L * true_bound.magnitude) << k;
  }
}

TEST(SoftmaxProof, IntervalContainsTheMinimum) {
  Random random(2204);
  constexpr int problems = 80;
  int sharp = 0;
  for (int k = 0; k < problems; ++k) {
    const SoftmaxData data = random_softmax(random);
    const Optimum optimum = newton(true_softmax(data));
    const proof::SoftmaxProblem problem = problem_of(data);
    for (const bool at_minimum : {false, true}) {
      const Point point = at_minimum ? point_of(data, optimum.x) : near_minimum(data, optimum, random);
      const DualPoint dual = proof::rounded_dual(problem, point.slopes, 8);
      const double value = proof::value_above(problem, point.v, point.b), bound = proof::bound_below(problem, dual);
      EXPECT_GE(value, optimum.lower) << k;
      EXPECT_LE(bound, optimum.value * (1 + 1e-17L)) << k;
      sharp += at_minimum && value - bound <= 1e-12 * bound;
    }
  }
  EXPECT_GT(sharp, 0.9 * problems);
}

TEST(SoftmaxProof, TwoClassesProveWhatLogisticRegressionProves) {
  // With V = (w, -w) / 2 the penalty is half as large.
  Random random(2207);
  for (const Bias bias : {Bias::none, Bias::free}) {
    std::vector<Vector> rows(12);
    for (Vector& row : rows) row = random.normal_vector(2);
    Vector classes(12), slopes, both;
    for (std::size_t i = 0; i < 12; ++i) classes[i] = static_cast<double>(i % 2);
    SoftmaxData data{dataset_of(rows, classes), 2, bias, 0.02};
    LinearModel model;
    model.risk.loss = "logistic";
    model.risk.l2 = 0.01;
    model.risk.bias = bias;
    model.weights = random.normal_vector(2);
    model.bias_weights = {bias == Bias::free ? 0.3 : 0};
    const Vector& w = model.weights;
    slopes = slopes_at(data.data, model);
    for (std::size_t i = 0; i < 12; ++i)
      for (const double sign : {1.0, -1.0}) both.push_back((i % 2 == 0 ? sign : -sign) * slopes[i]);
    const ProvenGap expected = prove(data.data, model, rounded_dual(data.data, model.risk, slopes, 8));
    const proof::SoftmaxProblem problem = problem_of(data);
    const Vector b = bias == Bias::free ? Vector{-0.15, 0.15} : Vector{};
    EXPECT_NEAR(proof::value_above(problem, Vector{-w[0] / 2, w[0] / 2, -w[1] / 2, w[1] / 2}, b), expected.value,
                1e-14);
    EXPECT_NEAR(proof::bound_below(problem, proof::rounded_dual(problem, both, 8)), expected.lower_bound, 1e-13);
    EXPECT_NEAR(proof::reference_below(problem), expected.reference, 1e-15);
  }
}

TEST(SoftmaxProof, EverySlopeIsMovedToADualPoint) {
  Random random(2213);
  for (int k = 0; k < 300; ++k) {
    const SoftmaxData data = random_softmax(random);
    const proof::SoftmaxProblem problem = problem_of(data);
    Vector slopes(data.rows() * data.classes);
    for (double& s : slopes) s = random.chance(0.3) ? std::abs(random.normal()) : random.normal() / 10;
    const int bytes = 1 + static_cast<int>(random.below(8));
    const DualPoint dual = proof::rounded_dual(problem, slopes, bytes);
    EXPECT_LE(proof::bound_below(problem, dual), std::max(softmax_bound(data, dual).value, Quad(0)));
    for (const std::int64_t steps : dual.steps) EXPECT_LE(std::abs(steps), proof::largest_step_of(bytes));
  }
}

TEST(SoftmaxProof, CorruptDualPointsAreRefusedOrProveNothingFalse) {
  Random random(2221);
  int refused = 0;
  for (int k = 0; k < 60; ++k) {
    const SoftmaxData data = random_softmax(random);
    const Optimum optimum = newton(true_softmax(data));
    const Point point = point_of(data, optimum.x);
    const proof::SoftmaxProblem problem = problem_of(data);
    const DualPoint honest = proof::rounded_dual(problem, point.slopes, 1 + static_cast<int>(random.below(8)));
    for (int c = 0; c < 40; ++c) {
      DualPoint dual = honest;
      const std::size_t at = random.below(dual.steps.size()), other = random.below(dual.steps.size());
      const std::int64_t by = std::int64_t{1} << random.below(62);
      if (random.chance(0.3)) {
        dual.exponent += static_cast<int>(random.below(7)) - 3;
      } else if (random.chance(0.5)) {
        dual.steps[at] ^= by;
      } else {
        dual.steps[at] += by / 2;
        dual.steps[other] -= by / 2;
      }
      try {
        EXPECT_LE(proof::bound_below(problem, dual), optimum.value * (1 + 1e-17L));
      } catch (const InputError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(SoftmaxProof, NothingFitsNothing) {
  const SoftmaxData data{dataset_of({{1}, {-1}, {2}}, {0, 1, 2}), 3, Bias::free, 1};
  const proof::SoftmaxProblem problem = problem_of(data);
  const auto bound = [&](std::vector<std::int64_t> steps, int exponent) {
    return [&problem, dual = DualPoint{std::move(steps), exponent}] { (void)proof::bound_below(problem, dual); };
  };
  EXPECT_EQ(error_of(bound({-2, 1, 1, 1, -2, 1, 1, 1, -2}, -2)), "no error");
  expect_error(bound({-2, 1, 1, 1, -2, 1, 1, 1}, -2), "3 rows, but the dual point has 8");
  expect_error(bound({-2, 1, 1, 1, -2, 1, 1, 1, -2}, -1075), "the exponent -1075");
  expect_error(bound({-2, 1, 1, 1, -2, 1, 1, 0, -2}, -2), "the dual values of row 3 do not add up to 0");
  expect_error(bound({-2, 1, 1, 1, -2, 1, -1, 3, -2}, -2), "the dual value of row 3 and class 0 is -0.25");
  expect_error(bound({-2, 1, 1, 1, -2, 1, 1, 1, -2}, 0), "the dual value of row 1 and class 0 is -2");
  expect_error(bound({-3, 2, 1, 1, -2, 1, 1, 1, -2}, -2), "the dual values of class 0 do not add up to 0");
  expect_error([&] { (void)proof::value_above(problem, Vector{1, 2, 3}, {}); }, "3 coefficients and 0 intercepts");
  expect_error([&] { (void)proof::value_above(problem, Vector{1, NAN, 3}, Vector{1, 2, 3}); }, "not finite");
  expect_error(
      [&] {
        (void)proof::value_above(problem, Vector{1e308, -1e308, 3}, Vector{1e308, 2, 3});
      },
      "is not finite");
  expect_error([&] { (void)proof::rounded_dual(problem, Vector(9, NAN), 4); }, "is not a number");
  for (const double wrong : {3.0, -1.0, 0.5}) {
    const SoftmaxData other{dataset_of({{1}, {-1}, {2}}, {0, 1, wrong}), 3, Bias::none, 1};
    expect_error([&] { (void)problem_of(other); }, "row 3 has the class");
  }
}

}  // namespace
}  // namespace geodescent::testing
