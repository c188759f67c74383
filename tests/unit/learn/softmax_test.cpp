// Multinomial logistic regression: the minimum against a Newton method of its own, proofs of
// trained coefficients, two classes against logistic regression, and the same bits however it is
// run.
#include <gtest/gtest.h>

#include <cmath>

#include "certificate/softmax/softmax.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/threads.hpp"
#include "kernels/kernels.hpp"
#include "learn/softmax/softmax_intercepts.hpp"
#include "learn/softmax/softmax_risk.hpp"
#include "optimize/oracles/dual_model.hpp"
#include "optimize/oracles/subspace_model.hpp"
#include "support/input_errors.hpp"
#include "support/instruction_sets.hpp"
#include "support/problems.hpp"
#include "support/reference/softmax_truth.hpp"

namespace geodescent::testing {
namespace {

SoftmaxData random_classes(Random& random, std::size_t classes, const DataShape& shape, Bias bias, double l2) {
  SoftmaxData data{random_data(random, Task::regression, shape).data, classes, bias, l2};
  for (std::size_t i = 0; i < data.rows(); ++i)
    data.data.targets[i] = i < classes ? static_cast<double>(i) : std::floor(std::abs(3 * data.data.targets[i]));
  for (double& y : data.data.targets) y = std::min(y, static_cast<double>(classes - 1));
  return data;
}

SoftmaxRisk risk_of(const SoftmaxData& data) { return {data.data, L2(data.l2), data.classes, data.bias}; }

proof::SoftmaxProblem problem_of_proof(const SoftmaxData& data) {
  Risk risk;
  risk.l2 = data.l2;
  risk.bias = data.bias;
  risk.constant = 1;
  return {data.data, risk, data.classes};
}

TEST(Softmax, FindsTheMinimumForThreeToTenClassesAndProvesIt) {
  Random random(4001);
  constexpr std::array<std::string_view, 3> directions{"gradients", "newton", "dual"};
  for (std::size_t classes = 3; classes <= 10; ++classes)
    for (const Bias bias : {Bias::none, Bias::free, Bias::regularized})
      for (const bool weighted : {false, true}) {
        SCOPED_TRACE(::testing::Message()
                     << classes << " classes, " << to_string(bias) << (weighted ? ", weighted" : ""));
        SoftmaxData data =
            random_classes(random, classes, {.rows = 40, .columns = 2, .weighted = weighted}, bias, 0.01);
        if (bias == Bias::regularized) data.data = with_constant(data.data, 1);
        const SoftmaxRisk f = risk_of(data);
        const Optimum optimum = newton(true_softmax(data));
        const Result r = minimize(f, "geod-memory:directions=" + std::string(directions[classes % directions.size()]),
                                  Vector(f.dimension()), {.gap_tolerance = 1e-9, .keep_dual = true});
        EXPECT_EQ(r.status, Status::converged) << r.message;
        EXPECT_LE(r.lower_bound, optimum.lower);
        EXPECT_GE(r.value, optimum.lower - 1e-15L);
        EXPECT_LE(r.value - optimum.value, 1e-8);

        const proof::SoftmaxProblem problem = problem_of_proof(data);
        const Vector b = f.intercepts(r.x);
        const double value = proof::value_above(problem, r.x, b);
        const double bound = proof::bound_below(problem, proof::rounded_dual(problem, f.slopes(r.x), 8));
        EXPECT_GE(value, optimum.lower);
        EXPECT_LE(bound, optimum.value * (1 + 1e-17L));
        EXPECT_LE(value - bound, 1e-8);
        const double of_run = proof::bound_below(problem, proof::rounded_dual(problem, r.dual, 8));
        EXPECT_GE(of_run, r.lower_bound - 1e-14) << "the dual point of the bound proves it";
        EXPECT_LE(of_run, optimum.value * (1 + 1e-17L));
        EXPECT_EQ(b.size(), bias == Bias::free ? classes : 0);
        if (bias != Bias::free) continue;
        const RealVector best = best_intercepts(data, real(r.x));
        for (std::size_t k = 0; k < classes; ++k) EXPECT_NEAR(b[k], static_cast<double>(best[k]), 1e-9);
      }
}

TEST(Softmax, InterceptsWithoutFeaturesAreLogarithms) {
  for (const Vector& weights : {Vector{1, 2, 3}, Vector{1e-12, 1, 1e6}, Vector{5e-324, 1, 1e-300}}) {
    const Dataset data{"d", rows_of({1, 2, 3}, 1, false), {0, 1, 2}, 3, weights};
    const SoftmaxProblem problem(data, L2(1), 3, Bias::free);
    Real total = 0, mean = 0;
    for (const double w : weights) total += w;
    for (const double w : weights) mean += std::log(w / total) / 3;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto expected = static_cast<double>(std::log(weights[k] / total) - mean);
      EXPECT_NEAR(problem.intercepts_at_zero[k], expected, weights[0] < 1e-300 ? 1e-3 : 1e-13);
    }
  }
}

TEST(Softmax, TwoClassesAgreeWithLogisticRegression) {
  // V = (-w, w) / 2 has half of the penalty.
  Random random(4003);
  for (const Bias bias : {Bias::none, Bias::free}) {
    const RandomData binary = random_data(random, Task::classification, {.rows = 60, .columns = 4, .shift = 0.5});
    SoftmaxData data{binary.data, 2, bias, 0.02};
    for (double& y : data.data.targets) y = y > 0 ? 1 : 0;
    const SoftmaxRisk f = risk_of(data);
    const auto logistic = make_risk("logistic", binary.data, 0.01, {}, bias);
    const Options options{.gap_tolerance = 1e-12};
    const Result both = minimize(f, "geod-memory", Vector(8), options),
                 one = minimize(*logistic, "geod-memory", Vector(4), options);
    EXPECT_NEAR(both.value, one.value, 1e-11);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(both.x[2 * j + 1] - both.x[2 * j], one.x[j], 1e-4);
    if (bias != Bias::free) continue;
    const Vector b = f.intercepts(both.x);
    EXPECT_NEAR(b[1] - b[0], one.intercepts.front(), 1e-4);
  }
}

TEST(Softmax, HasTheSameBitsForEveryNumberOfThreadsAndInstructionSet) {
  Random random(4007);
  const int before = threads();
  for (const double density : {0.2, 1.0})
    for (const Bias bias : {Bias::none, Bias::free})
      for (const char* method : {"geod-memory:directions=gradients", "geod-memory:directions=quasi-newton",
                                 "geod-memory:directions=newton", "geod-memory:directions=dual"}) {
        const SoftmaxData data = random_classes(
            random, 5, {.rows = 2500, .columns = 12, .density = density, .weighted = density < 1}, bias, 1e-3);
        const auto once = [&] {
          const SoftmaxRisk f = risk_of(data);
          const Result r = minimize(f, method, Vector(f.dimension()), {.gap_tolerance = 0, .max_iterations = 6});
          Vector all = r.x;
          all.insert(all.end(), {r.value, r.lower_bound, r.gradient_norm});
          return all;
        };
        set_threads(1);
        const Vector alone = once();
        for (const int count : {2, 3}) {
          set_threads(count);
          EXPECT_EQ(once(), alone) << count << " threads";
        }
        with_each_instruction_set(once, [&](const Vector&, const Vector& got) { EXPECT_EQ(got, alone); });
      }
  set_threads(before);
}

TEST(Softmax, EpochsNeverLowerTheDualValueAndReachTheMinimum) {
  Random random(4027);
  for (const double l2 : {1.0, 0.1, 0.01})
    for (const bool weighted : {false, true})
      for (const bool from_an_image : {false, true}) {
        const SoftmaxData data =
            random_classes(random, 4, {.rows = 60, .columns = 3, .density = 0.8, .weighted = weighted}, Bias::none, l2);
        const SoftmaxRisk risk = risk_of(data);
        const auto f = risk.oracle();
        Point x(f->dimension(), f->image_size());
        x.x = random.normal_vector(f->dimension());
        f->lift(x);
        DualModel& dual = *f->dual();
        dual.begin_dual(from_an_image ? std::span<const double>(x.image) : std::span<const double>());
        const Optimum optimum = newton(true_softmax(data));
        const auto optimal = static_cast<double>(optimum.value);
        double bound = -std::numeric_limits<double>::infinity();
        for (int epoch = 0; epoch < 400; ++epoch) {
          Vector linear(f->dimension());
          const Evaluation e = dual.dual_ball(linear);
          const double next = e.offset - squared_norm(linear) / (2 * l2);
          EXPECT_GE(next, bound - 1e-14 * (1 + std::abs(next)));
          EXPECT_LE(next, optimal + 1e-14);
          bound = next;
          dual.dual_epoch();
        }
        EXPECT_NEAR(bound, optimal, 1e-12) << l2;
      }
}

TEST(Softmax, AHessianThatIsExtendedIsTheOneMadeAnew) {
  Random random(4013);
  for (const Bias bias : {Bias::none, Bias::free}) {
    const SoftmaxData data = random_classes(random, 4, {.rows = 900, .columns = 6, .weighted = true}, bias, 1e-3);
    const SoftmaxRisk risk = risk_of(data);
    const auto f = risk.oracle();
    const auto lifted = [&] {
      Point p(f->dimension(), f->image_size());
      p.x = random.normal_vector(f->dimension());
      f->lift(p);
      return p;
    };
    constexpr std::size_t size = 9;
    Basis basis(f->dimension(), f->image_size(), size);
    const Point x = lifted();
    Reduced extended(f->image_size(), size, data.classes), anew(f->image_size(), size, data.classes);
    for (const std::size_t columns : {4u, 5u, 9u}) {
      while (basis.size() < columns) basis.add(lifted());
      basis.coordinates(x, extended.coordinates);
      f->subspace()->reduce(basis, x, extended);
    }
    EXPECT_EQ(extended.generation, 1u);
    basis.coordinates(x, anew.coordinates);
    f->subspace()->reduce(basis, x, anew);
    for (std::size_t j = 0; j < size; ++j)
      for (std::size_t i = j; i < size; ++i)
        EXPECT_NEAR(extended.hessian[j * size + i], anew.hessian[j * size + i], 1e-12) << i << ", " << j;
    // At another point an old Hessian is kept until it is asked for anew.
    Point y = x;
    for (double& z : y.image) z *= 1.02;
    f->subspace()->reduce(basis, y, extended);
    EXPECT_TRUE(extended.is_old);
    extended.refresh = true;
    f->subspace()->reduce(basis, y, extended);
    EXPECT_FALSE(extended.is_old);
    EXPECT_EQ(extended.generation, 2u);
  }
}

// At such intercepts every probability is 0 or 1, and no curvature shows the way back.
TEST(Softmax, ASearchForInterceptsReturnsFromWhereTheRiskIsFlat) {
  Random random(4007);
  const SoftmaxData data = random_classes(random, 4, {.rows = 60, .columns = 3}, Bias::free, 0.01);
  const SoftmaxProblem problem(data.data, L2(data.l2), data.classes, Bias::free);
  Vector image(data.rows() * data.classes);
  for (double& z : image) z = random.uniform(-2, 2);
  SoftmaxIntercepts intercepts(problem, Vector(data.classes));
  const double minimum = intercepts.search({.z = image.data()}, 1e-12).value();
  intercepts.restart(Vector{1e17, -1e17, 0, 3});
  EXPECT_NEAR(intercepts.search({.z = image.data()}, 1e-12).value(), minimum, 1e-12 * minimum);
}

TEST(Softmax, LossesAreAccurateWhereTheyAreTinyAndWhereTheyAreLarge) {
  for (const double distance : {0.0, 1e-9, 0.5, 3.0, 30.0, 300.0, 1000.0})
    for (const std::uint32_t y : {0u, 1u, 2u}) {
      Vector z{distance, 0, -distance / 2}, slope(3);
      double value = 0;
      kernels().softmax(z.data(), &y, 1, 3, &value, slope.data());
      const Real e1 = std::exp(-Real{distance}), e2 = std::exp(-Real{1.5} * distance), sum = 1 + e1 + e2;
      const Real scores[] = {distance, 0, -Real{distance} / 2}, p[] = {1 / sum, e1 / sum, e2 / sum};
      const Real truth = std::log1p(e1 + e2) + (distance - scores[y]);
      EXPECT_NEAR(value, static_cast<double>(truth), 1e-15 * static_cast<double>(truth) + 1e-320);
      for (std::uint32_t k = 0; k < 3; ++k) {
        const Real rest = k == y ? -(y == 0 ? p[1] + p[2] : 1 - p[y]) : p[k];
        EXPECT_NEAR(slope[k], static_cast<double>(rest), 2e-15 * std::abs(static_cast<double>(rest)) + 1e-320);
      }
      EXPECT_EQ(z[0], 0);
    }
  for (std::size_t at = 0; at < 3; ++at) {
    Vector z{1, 2, 3}, slope(3);
    z[at] = NAN;
    const std::uint32_t y = 1;
    double value = 0;
    kernels().softmax(z.data(), &y, 1, 3, &value, slope.data());
    EXPECT_TRUE(std::isnan(value)) << at;
  }
}

TEST(Softmax, RefusesOtherTargetsAndClassesWithoutRows) {
  SoftmaxData data{{"three", rows_of({1, 2, 3}, 1, false), {0, 1, 2}, 3}, 3, Bias::free, 1};
  EXPECT_NO_THROW(risk_of(data));
  data.classes = 4;
  expect_error([&] { (void)risk_of(data); }, "no row has the class 3");
  data.data.targets[1] = 1.5;
  EXPECT_NE(error_of([&] { (void)risk_of(data); }).find("row 2 has the class 1.5"), std::string::npos);
  data.classes = 1;
  EXPECT_THROW((void)risk_of(data), std::invalid_argument);
  data.classes = 513;
  EXPECT_THROW((void)risk_of(data), std::invalid_argument);
}

}  // namespace
}  // namespace geodescent::testing
