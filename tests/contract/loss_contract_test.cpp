// The documented properties of Loss, for every loss of the table and two of a user.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "contract/user_losses.hpp"
#include "geodescent/learn/risk.hpp"
#include "losses/table.hpp"
#include "support/numbers.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

template <class Tuple>
struct AsTypes;
template <class... Entry>
struct AsTypes<std::tuple<Entry...>> {
  using Type = ::testing::Types<typename Entry::Solver..., LogCosh, SoftHinge>;
};

struct LossName {
  template <class L>
  static std::string GetName(int) {
    return test_name(L::name);  // "-" in a test name would be read as part of a filter
  }
};

template <class L>
class LossContract : public ::testing::Test {
 protected:
  static_assert(Loss<L>);

  /// Arguments in the whole range, at the corners of all losses, and next to the corners.
  static std::vector<std::pair<double, double>> arguments() {
    Random random(127);
    std::vector<std::pair<double, double>> all;
    for (int k = 0; k < 400; ++k) {
      const double y = L::task == Task::classification ? 1 : 3 * random.normal();
      const double offset = L::task == Task::classification ? 0 : y;
      const double corners[] = {0, 1, -1};
      const double corner = corners[random.below(3)];
      all.emplace_back(random.chance(0.5) ? 4 * random.normal()
                       : random.chance(0.3)
                           ? 30 * random.normal()
                           : offset + corner * (1 + (random.chance(0.5) ? 0 : eps * (random.uniform() - 0.5) * 8)),
                       y);
    }
    return all;
  }
  L loss{};
};

TYPED_TEST_SUITE(LossContract, typename AsTypes<LossTable>::Type, LossName);

TYPED_TEST(LossContract, SlopeIsTheDerivativeOfTheValue) {
  // By convexity the quotient over [z, z + h] lies between the slopes at its ends.
  for (const auto& [z, y] : this->arguments())
    for (const double step : {1e-6, 1e-3, 0.5, 3.0}) {
      const double right = z + step, h = right - z;
      const LossValue a = this->loss(z, y), b = this->loss(right, y);
      const double rounding =
          8 * eps * (a.value + b.value + (std::abs(z) + std::abs(y)) * std::max(std::abs(a.slope), std::abs(b.slope))) /
          h;
      EXPECT_GE((b.value - a.value) / h, a.slope - rounding) << "z " << z << ", y " << y << ", step " << h;
      EXPECT_LE((b.value - a.value) / h, b.slope + rounding) << "z " << z << ", y " << y << ", step " << h;
    }
}

TYPED_TEST(LossContract, CurvatureIsTheDerivativeOfTheSlope) {
  // At a corner of the slope the curvature may be any number between the two one-sided derivatives.
  const double h = 1e-6;
  for (const auto& [z, y] : this->arguments()) {
    const LossValue at = this->loss(z, y);
    const double right = (this->loss(z + h, y).slope - at.slope) / h,
                 left = (at.slope - this->loss(z - h, y).slope) / h;
    const double rounding =
        1e-5 + 8 * eps * (std::abs(z) + std::abs(y) + 1) / h;  // third derivatives of these losses are below 10
    EXPECT_GE(at.curvature, std::min(left, right) - rounding) << "z " << z << ", y " << y;
    EXPECT_LE(at.curvature, std::max(left, right) + rounding) << "z " << z << ", y " << y;
  }
}

TYPED_TEST(LossContract, ValueIsNotNegativeAndCurvatureLiesBetweenZeroAndItsBound) {
  double largest = 0;
  for (const auto& [z, y] : this->arguments()) {
    const LossValue at = this->loss(z, y);
    EXPECT_GE(at.value, 0);
    EXPECT_GE(at.curvature, 0);
    EXPECT_LE(at.curvature, this->loss.curvature_bound());
    largest = std::max(largest, at.curvature);
  }
  EXPECT_GE(largest, 0.99 * this->loss.curvature_bound()) << "the bound is not the best one";
}

TYPED_TEST(LossContract, SlopeIncreasesAndIsLipschitzWithTheCurvatureBound) {
  const auto all = this->arguments();
  for (std::size_t k = 1; k < all.size(); ++k) {
    const double y = all[k].second, a = std::min(all[k - 1].first, all[k].first),
                 b = std::max(all[k - 1].first, all[k].first);
    const double rise = this->loss(b, y).slope - this->loss(a, y).slope;
    const double rounding = 4 * eps * (std::abs(a) + std::abs(b) + std::abs(y) + 1);
    EXPECT_GE(rise, -rounding);
    EXPECT_LE(rise, this->loss.curvature_bound() * (b - a) + rounding);
  }
}

TYPED_TEST(LossContract, ValueAndConjugateAtTheSlopeAddUpToTheirProduct) {
  // Fenchel-Young: phi(z) + phi*(s) = s z if and only if s = phi'(z).
  for (const auto& [z, y] : this->arguments()) {
    const LossValue at = this->loss(z, y);
    const double conjugate = this->loss.conjugate(at.slope, y);
    const double size =
        at.value + std::abs(conjugate) + std::abs(at.slope) * (std::abs(z) + std::abs(y)) + std::abs(at.slope);
    EXPECT_NEAR(at.value + conjugate, at.slope * z, 8 * eps * size) << "z " << z << ", y " << y;
  }
}

TYPED_TEST(LossContract, ConjugateIsTheSupremum) {
  Random random(131);
  for (int k = 0; k < 300; ++k) {
    const double y = TypeParam::task == Task::classification ? 1 : 2 * random.normal();
    const double s = random.chance(0.5) ? random.uniform(-1.5, 1.5) : random.uniform(-1, 0);
    const double conjugate = this->loss.conjugate(s, y);
    double highest = -infinity;
    for (int i = 0; i < 50; ++i) {
      const double z = random.chance(0.5) ? 4 * random.normal() : random.normal() * random.log_uniform(1, 1e6);
      const double value = s * z - this->loss(z, y).value;
      highest = std::max(highest, value);
      EXPECT_GE(conjugate, value - 8 * eps * (std::abs(s * z) + std::abs(s * y) + this->loss(z, y).value))
          << "s " << s << ", z " << z;
    }
    if (conjugate == infinity) {
      const double far = std::max(s * 1e9 - this->loss(1e9, y).value, -s * 1e9 - this->loss(-1e9, y).value);
      EXPECT_GT(std::max(highest, far), 1e3) << "s " << s << ": the conjugate is not infinite there";
    }
  }
}

TYPED_TEST(LossContract, ExtremeArgumentsGiveNumbers) {
  for (const double size : {1e3, 1e8, 1e150, 1e300})
    for (const double z : {size, -size})
      for (const double y : {1.0, -1.0, 0.0}) {
        const LossValue at = this->loss(z, TypeParam::task == Task::classification ? 1 : y);
        EXPECT_FALSE(std::isnan(at.value)) << z;
        EXPECT_GE(at.value, 0) << z;
        EXPECT_TRUE(std::isfinite(at.slope)) << z;
        EXPECT_TRUE(std::isfinite(at.curvature)) << z;
        // The square of 1e300 overflows; everything else is in range.
        EXPECT_TRUE(std::isfinite(at.value) || (size > 1e154 && std::abs(at.slope) > 1e154)) << z;
      }
}

TYPED_TEST(LossContract, NotANumberStaysNotANumber) {
  // A loss that maps NaN to a finite value would hide broken data.
  const LossValue at = this->loss(std::numeric_limits<double>::quiet_NaN(), 1);
  EXPECT_TRUE(std::isnan(at.value));
}

TEST(LossTable, NamesAreUniqueAndMakeRiskKnowsThem) {
  const Dataset data{"two rows", std::make_shared<DenseRows>(Vector{1, 2}, 1), {-1, 1}, 2};
  for (std::size_t i = 0; i < losses().size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(losses()[i].name, losses()[k].name);
    EXPECT_NE(make_risk(losses()[i].name, data, 1), nullptr);
  }
  EXPECT_EQ(losses().size(), loss_count);
}

}  // namespace
}  // namespace geodescent::testing
