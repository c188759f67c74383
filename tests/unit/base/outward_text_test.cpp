#include "base/text/outward_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <fmt/format.h>

#include "support/reference/quad.hpp"

namespace geodescent {
namespace {

TEST(OutwardText, RoundsInTheDirectionOfTheBound) {
  EXPECT_EQ(text_above(0.04215, 3), "0.0422");
  EXPECT_EQ(text_below(0.04219, 3), "0.0421");
  EXPECT_EQ(text_above(0.5, 3), "0.5");
  EXPECT_EQ(text_below(0.5, 3), "0.5");
  EXPECT_EQ(text_above(9.996, 3), "10");
  EXPECT_EQ(text_above(99.99, 3), "100");
  EXPECT_EQ(text_above(999.9, 3), "1e+03");
  EXPECT_EQ(text_above(0.00009999, 2), "0.0001");
  EXPECT_EQ(text_below(1234567, 3), "1.23e+06");
  EXPECT_EQ(text_above(1234567, 3), "1.24e+06");
  EXPECT_EQ(text_above(-1.239, 3), "-1.23");
  EXPECT_EQ(text_below(-1.231, 3), "-1.24");
  EXPECT_EQ(text_above(0, 3), "0");
  EXPECT_EQ(text_above(std::numeric_limits<double>::infinity(), 3), "inf");
  EXPECT_EQ(text_above(0.1, 3), "0.101") << "the double is a little over a tenth";
  EXPECT_EQ(text_below(0.1, 3), "0.1");
  EXPECT_EQ(text_above(4.9e-324, 3), "4.95e-324");
}

/// As many digits as "g" has, so that what is no bound may be compared with it.
TEST(OutwardText, IsWrittenAsOrdinaryNumbersAre) {
  for (const double exact : {1.0, 0.125, 1024.0, 3e10, 0.0001220703125, 0x1p-20})
    for (const int digits : {3, 6, 12}) {
      const std::string usual = fmt::format("{:.{}g}", exact, digits);
      if (std::stod(usual) == exact) {
        EXPECT_EQ(text_above(exact, digits), usual);
      }
    }
}

/// The text is read back exactly, as a fraction of whole numbers: no rounding helps it.
TEST(OutwardText, IsNeverOnTheWrongSide) {
  std::mt19937_64 random(7);
  const auto difference = [](const std::string& text, double number) {
    const std::size_t e = text.find('e');
    std::string mantissa = text.substr(0, e);
    int power = e == std::string::npos ? 0 : std::stoi(text.substr(e + 1));
    if (const std::size_t point = mantissa.find('.'); point != std::string::npos) {
      power -= static_cast<int>(mantissa.size() - point - 1);
      mantissa.erase(point, 1);
    }
    // In 113 bits numbers of this size and 15 digits are exact enough: the next double is 2^60
    // units away.
    testing::Quad value = std::stoll(mantissa);
    for (; power > 0; --power) value *= 10;
    for (; power < 0; ++power) value /= 10;
    return static_cast<double>(value - testing::Quad(number));
  };
  for (int trial = 0; trial < 20000; ++trial) {
    const double number =
        std::ldexp(1 + std::ldexp(static_cast<double>(random() >> 12), -52), static_cast<int>(random() % 60) - 40) *
        (random() % 2 ? 1 : -1);
    for (const int digits : {3, 6, 12}) {
      EXPECT_GE(difference(text_above(number, digits), number), 0) << number;
      EXPECT_LE(difference(text_below(number, digits), number), 0) << number;
      EXPECT_LE(difference(text_above(number, digits), number), std::abs(number) * std::pow(10.0, 1 - digits));
    }
  }
}

TEST(OutwardText, AnInfiniteRelativeGapIsSaidInWords) {
  EXPECT_EQ(gap_text(0.00123412, 0.25), "0.00124, 0.25 of the possible improvement");
  EXPECT_EQ(gap_text(0.5, std::numeric_limits<double>::infinity()), "0.5, no improvement is proven");
}

}  // namespace
}  // namespace geodescent
