// Numbers with bounds on their errors, and what they assume of the C library.
#include "certificate/proof/bounded.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "certificate/proof/product_sum.hpp"
#include "support/quad_risk.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

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

}  // namespace
}  // namespace geodescent::testing
