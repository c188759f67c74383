#include "report/figures/gnuplot.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <geodescent/error.hpp>
#include <string>

namespace geodescent::lab {
namespace {

class Gnuplot : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!gnuplot_installed()) GTEST_SKIP() << gnuplot_remedy();
  }
};

TEST_F(Gnuplot, DrawsAWholeSvg) {
  const std::string svg = svg_by_gnuplot("plot sin(x)", 400, 300);
  EXPECT_EQ(svg.rfind("<?xml", 0), 0u);
  EXPECT_NE(svg.find("viewBox=\"0 0 400 300\""), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

TEST_F(Gnuplot, DrawsAWholePdf) {
  const std::string pdf = pdf_by_gnuplot("plot sin(x)", 360, 216);
  EXPECT_EQ(pdf.rfind("%PDF", 0), 0u);
  EXPECT_NE(pdf.find("%%EOF"), std::string::npos);
  EXPECT_EQ(pdf.find("CreationDate"), std::string::npos);
}

TEST_F(Gnuplot, SaysWhatGnuplotSays) {
  try {
    svg_by_gnuplot("plot sin(x)\nno such command", 400, 300);
    FAIL() << "a wrong script was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("invalid command"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
  }
}

TEST_F(Gnuplot, QuotedTextIsTextOnly) {
  const std::string text = R"(it's "q" `date` @x \n \\ {a_b^2} %d η)";
  const std::string svg =
      svg_by_gnuplot("x = 'no'\nset title " + gnuplot_string(text) + " noenhanced\nplot 1", 800, 300);
  EXPECT_NE(svg.find("<text>" + text + "</text>"), std::string::npos) << svg;
}

TEST(GnuplotString, StaysOnItsLine) { EXPECT_EQ(gnuplot_string("a'\nb\r\tc"), "'a'' b  c'"); }

TEST(GnuplotMissing, IsSaidWithTheRemedy) {
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "", 1);
  EXPECT_FALSE(gnuplot_installed());
  EXPECT_THROW(svg_by_gnuplot("plot 1", 400, 300), InputError);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_NE(gnuplot_remedy().find("apt-get install"), std::string::npos);
}

}  // namespace
}  // namespace geodescent::lab
