#include "report/json.hpp"

#include <gtest/gtest.h>

#include "support/report/sample_report.hpp"

namespace geodescent::lab {
namespace {

TEST(Json, NumbersThatAreNoneAreNull) {
  EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(json_number(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
  EXPECT_EQ(json_number(3.0).dump(), "3");
  EXPECT_EQ(json_number(-0.5).dump(), "-0.5");
  EXPECT_EQ(json_number(1e300).dump(), "1e+300");
}

TEST(Json, HasEverything) {
  const Report report = sample_report();
  const Json json = Json::parse(json_text(json_of(report)));
  EXPECT_EQ(json["experiment"], "sample");
  EXPECT_EQ(json["warnings"][1], hostile);
  EXPECT_EQ(json["facts"]["hostile"], hostile);
  EXPECT_EQ(json["figures"].size(), 2u);
  EXPECT_EQ(json["figures"][0]["panels"][0]["curves"][3]["y"].size(), 5000u);
  EXPECT_TRUE(json["figures"][0]["panels"][1]["curves"][3]["y"][7].is_null());
  EXPECT_EQ(json["figures"][1]["panels"][0]["y"]["most"], 1);
  EXPECT_EQ(json["steppers"][0]["frames"].size(), 5u);
  EXPECT_EQ(json["claims"][2]["verdict"], "does not hold");
  EXPECT_EQ(json["tables"].size(), 3u);
  EXPECT_EQ(json["tables"][0]["rows"][1], Json({"sd", nullptr, "plain"}));
  EXPECT_EQ(json["tables"][0]["rows"][2], Json({"afg", 100, ""}));
}

TEST(Json, BytesThatAreNoTextDoNotLoseTheReport) {
  Report report;
  report.title = "broken \xff\xfe";
  EXPECT_EQ(Json::parse(json_text(json_of(report)))["title"], "broken \xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace geodescent::lab
