// exp and log1p against long double, everywhere and at the ends.
#include "geodescent/detail/elementary.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "support/numbers.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// |got - exact| in units of the last place of the exact number.
double units(double got, long double exact) {
  const double nearest = std::abs(static_cast<double>(exact));
  const double unit = std::nextafter(nearest, infinity) - nearest;
  return static_cast<double>(std::abs(got - exact) / unit);
}

TEST(Elementary, ExpIsRightToOneAndAHalfUnits) {
  Random random(701);
  double worst = 0;
  for (int k = 0; k < 300000; ++k) {
    const double x = k % 3 == 0 ? random.uniform(-745.2, 709.7) : random.normal() * (k % 3 == 1 ? 1 : 30);
    worst = std::max(worst, units(elementary::exp(x), std::exp(static_cast<long double>(x))));
  }
  EXPECT_LE(worst, 1.5);
  // Where the next power of two takes over, and every power.
  for (int k = -1074; k < 1024; ++k)
    for (const double shift : {-0.5, 0.0, 0.5})
      for (const double beside : {-1e-13, 0.0, 1e-13}) {
        const double x = (k + shift) * std::log(2.0) * (1 + beside);
        EXPECT_LE(units(elementary::exp(x), std::exp(static_cast<long double>(x))), 1.5) << x;
      }
}

TEST(Elementary, ExpAtItsEnds) {
  EXPECT_EQ(elementary::exp(0.0), 1);
  EXPECT_EQ(elementary::exp(-0.0), 1);
  for (const double tiny : {least, -least, 1e-300, -1e-300, 1e-17, -1e-17}) EXPECT_EQ(elementary::exp(tiny), 1);
  EXPECT_EQ(elementary::exp(-745.13), least);
  for (const double low : {-745.14, -746.0, -1e5, -1e308, -infinity})
    EXPECT_EQ(std::bit_cast<std::uint64_t>(elementary::exp(low)), 0U) << low;
  EXPECT_LT(elementary::exp(709.78), infinity);
  for (const double high : {709.79, 710.0, 745.0, 1e308, infinity}) EXPECT_EQ(elementary::exp(high), infinity) << high;
  EXPECT_TRUE(std::isnan(elementary::exp(none)));
  EXPECT_TRUE(std::isnan(elementary::exp(-none)));
}

TEST(Elementary, LogIsRightToOneUnit) {
  Random random(702);
  double worst = 0;
  for (int k = 0; k < 300000; ++k) {
    const double x = k % 3 == 0 ? random.uniform() : std::exp(random.uniform(k % 3 == 1 ? -745 : -5, 0));
    worst = std::max(worst, units(elementary::log1p_unit(x), std::log1p(static_cast<long double>(x))));
  }
  EXPECT_LE(worst, 1.0);
}

TEST(Elementary, LogAtItsEnds) {
  EXPECT_EQ(elementary::log1p_unit(0), 0);
  for (const double tiny : {least, 3 * least, 2.2e-308, 1e-300, 1e-17}) EXPECT_EQ(elementary::log1p_unit(tiny), tiny);
  for (const double x : {std::nextafter(0.5, 0), 0.5, std::nextafter(0.5, 1), std::nextafter(1.0, 0), 1.0})
    EXPECT_LE(units(elementary::log1p_unit(x), std::log1p(static_cast<long double>(x))), 1.0) << x;
  EXPECT_EQ(elementary::log1p_unit(1), std::log(2.0));
  EXPECT_TRUE(std::isnan(elementary::log1p_unit(none)));
}

}  // namespace
}  // namespace geodescent::testing
