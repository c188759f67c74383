// Numbers with bounds on their errors.
#include "certificate/numbers/bounded.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "certificate/rows/product_sum.hpp"
#include "support/numbers.hpp"
#include "support/random.hpp"
#include "support/reference/proof_numbers.hpp"
#include "support/reference/quad_risk.hpp"

namespace geodescent::testing {
namespace {

TEST(Bounded, RoundsOutwards) {
  const proof::Real third = proof::Real(1) / 3;
  EXPECT_LT(proof::rounded_down(third), third);
  EXPECT_GT(proof::rounded_up(third), third);
  EXPECT_EQ(std::nextafter(proof::rounded_down(third), 1.0), proof::rounded_up(third));
  EXPECT_EQ(proof::rounded_down(0.5), 0.5);
  EXPECT_EQ(proof::rounded_up(-0.5), -0.5);
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(proof::rounded_up({largest, 1}), infinity);
  EXPECT_EQ(proof::rounded_down({-largest, -1}), -infinity);
  EXPECT_EQ(proof::rounded_up(infinity), infinity);
}

TEST(Bounded, KnowsNothingAfterOverflowAndDivisionByZero) {
  const proof::Bounded huge{std::numeric_limits<double>::max(), 0};
  EXPECT_FALSE((huge + huge).known());
  EXPECT_FALSE((huge * huge - huge * huge).known());
  EXPECT_FALSE((huge / proof::Bounded{1e-30, 1e-20}).known());
  EXPECT_FALSE(log(proof::Bounded{1e-30, 1e-20}).known());
  EXPECT_FALSE(log1p(proof::Bounded{-1, 0}).known());
  EXPECT_EQ((huge * huge).upper(), infinity);
  EXPECT_EQ((huge * huge).lower(), -infinity);
}

TEST(Bounded, QuotientsOfWhatIsHardlyKnownStayTrue) {
  // The lower half of the divisor decides how near to 0 it can be.
  const proof::Bounded hardly{{1, -0x1p-54}, 1 - 0x1p-53};
  EXPECT_FALSE((proof::Bounded{1, 0} / hardly).known());
  EXPECT_FALSE(log(hardly).known());
  // What the divisor may be wrong by is lost as a double when it is multiplied, and large when it
  // is divided.
  const double w = 1e-300, error = 1e-307, quotient = 1e-30;
  const proof::Bounded found = proof::Bounded{w * quotient, 0} / proof::Bounded{w, error};
  EXPECT_GE(found.error, quotient * (error / w));
}

TEST(Bounded, LongSumsLoseNothingThatCounts) {
  proof::BoundedSum sum;
  Quad truth = 0;
  for (std::size_t k = 0; k < 100000; ++k) {
    const double term = (k % 2 == 0 ? 1 : -1) / static_cast<double>(k + 1);
    sum.add({term, 0});
    truth += term;
  }
  const proof::Bounded found = sum.result();
  EXPECT_LE(absolute(truth - quad(found.value)), found.error);
  EXPECT_LE(found.error, 1e-23);
}

TEST(ProductSum, LosesNothingThatCounts) {
  Random random(3);
  for (int repetition = 0; repetition < 300; ++repetition) {
    ProductSum sum;
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
    const proof::Bounded found = proof::bounded(sum, 2 * terms);
    EXPECT_LE(absolute(truth - quad(found.value)), found.error);
    EXPECT_LE(found.error, 3 * proof::unit * absolute(truth) + 1e-25L * size + 1e-300L);
    const Approximation rounded = sum.rounded(2 * terms);
    EXPECT_LE(absolute(truth - rounded.value), rounded.error);
  }
}

TEST(ProductSum, LosesNothingThatCountsInParts) {
  Random random(4);
  for (int repetition = 0; repetition < 300; ++repetition) {
    const std::size_t parts = 1 + random.below(20), terms = random.below(30);
    ProductSum sum;
    Quad truth = 0;
    for (std::size_t p = 0; p < parts; ++p) {
      ProductSum part;
      for (std::size_t k = 0; k < terms; ++k) {
        const double a = std::ldexp(random.normal(), static_cast<int>(random.below(60)) - 30), b = random.normal();
        part.add(a, b);
        truth += static_cast<Quad>(a) * b;
      }
      sum.add(part);
    }
    const proof::Bounded found = proof::bounded(sum, terms + parts);
    EXPECT_LE(absolute(truth - quad(found.value)), found.error);
    proof::RowSum square;
    square.add_square(sum, terms + parts);
    EXPECT_LE(absolute(truth * truth - quad(square.result().value)), square.result().error);
    EXPECT_LE(square.result().error,
              1e-27 * proof::size_of(square.result().value) + 3 * found.magnitude() * found.error + 1e-300);
  }
}

TEST(ProductSum, PaysForUnderflowAndKnowsNothingAfterOverflow) {
  ProductSum sum;
  for (int k = 0; k < 100; ++k) sum.add(1e-170, 1e-170);  // each is 1e-340, and 0 as a double
  EXPECT_GE(sum.rounded(100).value + sum.rounded(100).error, 1e-320);
  sum.add(1e200, 1e200);
  sum.add(-1e200, 1e200);
  EXPECT_FALSE(proof::bounded(sum, 102).known());
}

TEST(ProductSum, ManyTermsProveNothing) {
  ProductSum sum;
  sum.add(1, 1);
  EXPECT_FALSE(proof::bounded(sum, std::size_t{1} << 45).known());
}

}  // namespace
}  // namespace geodescent::testing
