#include "report/style.hpp"

#include <gtest/gtest.h>

#include <set>

namespace geodescent::lab {
namespace {

TEST(Style, MethodsAreToldApartByColourAndByDashAndByMarker) {
  std::set<std::string> colours;
  std::set<std::vector<int>> dashes;
  std::set<int> markers;
  const std::vector<std::string> names = {"geod", "geod-fixed", "geod-memory", "ball", "sd", "afg", "afgwr", "lbfgs"};
  for (const std::string& name : names) {
    const Style style = style_of(name, 0);
    colours.insert(style.colour);
    dashes.insert(style.dash);
    markers.insert(style.marker);
  }
  EXPECT_EQ(colours.size(), names.size());
  EXPECT_EQ(dashes.size(), names.size());
  EXPECT_EQ(markers.size(), names.size());
}

TEST(Style, IsTheSameInEveryFigure) {
  EXPECT_EQ(style_of("geod", 0).colour, style_of("geod", 5).colour);
  EXPECT_EQ(style_of("geod", 0).label, "GeoD");
}

TEST(Style, AMethodWithSettingsHasItsOwn) {
  const Style style = style_of("lbfgs:memory=10", 3);
  EXPECT_EQ(style.label, "L-BFGS (memory=10)");
  EXPECT_NE(style.colour, style_of("lbfgs", 3).colour);
  EXPECT_NE(style.colour, style_of("lbfgs:memory=20", 4).colour);
}

TEST(Style, AnUnknownMethodKeepsItsName) {
  EXPECT_EQ(style_of("new", 0).label, "new");
  EXPECT_EQ(style_of("new:a=1", 0).label, "new:a=1");
  EXPECT_NE(style_of("new", 0).colour, style_of("newer", 1).colour);
}

TEST(Style, TheoryIsGreyAndDottedWithoutMarker) {
  const Style style = style_of("theory", 7);
  EXPECT_EQ(style.marker, no_marker);
  EXPECT_EQ(style.dash, (std::vector<int>{1, 3}));
}

}  // namespace
}  // namespace geodescent::lab
