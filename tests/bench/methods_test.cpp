#include "comparison/methods.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace geodescent::lab {
namespace {

std::string refusal(const std::vector<std::string>& texts) {
  try {
    parse_methods(texts);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

void expect_refused(const std::vector<std::string>& texts, const std::vector<std::string>& words) {
  const std::string message = refusal(texts);
  EXPECT_NE(message, "") << (texts.empty() ? "nothing" : texts.back()) << " was not refused";
  for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << message << ": no " << word;
}

TEST(ParseMethods, KnowsEveryMethodOfTheLibrary) {
  for (const MethodInfo& info : methods()) {
    const MethodChoice choice = parse_method(std::string(info.name));
    EXPECT_EQ(choice.name, info.name);
    EXPECT_EQ(choice.text, info.name);
    EXPECT_FALSE(choice.settings.smoothness.has_value());
    EXPECT_EQ(choice.tuned, info.settings.find("smoothness") != std::string_view::npos) << info.name;
  }
}

TEST(ParseMethods, ChoosesDirectionsAsTrainDoesUnlessToldOtherwise) {
  EXPECT_EQ(parse_method("geod-memory").settings.directions, MethodSettings{}.directions);
  for (std::size_t k = 0; k < direction_names.size(); ++k)
    EXPECT_EQ(parse_method("geod-memory:directions=" + std::string(direction_names[k])).settings.directions,
              static_cast<Directions>(k));
  expect_refused({"geod-memory:directions=up"}, {"'up'", "few-passes", "quasi-newton"});
}

TEST(ParseMethods, TakesSettings) {
  const MethodChoice lbfgs = parse_method("lbfgs:memory=7:line-search=exact:line-tolerance=0.5");
  EXPECT_EQ(lbfgs.name, "lbfgs");
  EXPECT_EQ(lbfgs.text, "lbfgs:memory=7:line-search=exact:line-tolerance=0.5");
  EXPECT_EQ(lbfgs.settings.memory, 7u);
  EXPECT_EQ(lbfgs.settings.line_search, LineSearch::exact);
  EXPECT_EQ(lbfgs.settings.line_tolerance, 0.5);
  EXPECT_FALSE(lbfgs.tuned);
  EXPECT_EQ(parse_method("lbfgs:line-search=wolfe").settings.line_search, LineSearch::wolfe);
}

TEST(ParseMethods, TakesNumbersOfBallsAndPairs) {
  EXPECT_EQ(parse_method("geod:balls=10").settings.balls, 10u);
  const MethodSettings memory = parse_method("geod-memory:memory=5:balls=7:pairs=0").settings;
  EXPECT_EQ(memory.memory, 5u);
  EXPECT_EQ(memory.balls, 7u);
  EXPECT_EQ(memory.pairs, 0u);
}

TEST(ParseMethods, TakesAGapToPlanFor) {
  EXPECT_FALSE(parse_method("geod-memory").settings.plan_for.has_value());
  EXPECT_EQ(parse_method("geod-memory:plan-for=1e-6").settings.plan_for, 1e-6);
  expect_refused({"geod:plan-for=1e-6"}, {"plan-for", "no effect", "geod"});
}

TEST(ParseMethods, AGivenSmoothnessIsNotTuned) {
  const MethodChoice afg = parse_method("afg:smoothness=0.25");
  EXPECT_FALSE(afg.tuned);
  EXPECT_EQ(afg.settings.smoothness, 0.25);
}

TEST(ParseMethods, KeepsTheOrder) {
  const auto choices = parse_methods({"sd", "geod", "afg:smoothness=1", "afg"});
  ASSERT_EQ(choices.size(), 4u);
  EXPECT_EQ(choices[0].text, "sd");
  EXPECT_EQ(choices[3].text, "afg");
}

TEST(ParseMethods, RefusesWhatItDoesNotUnderstand) {
  expect_refused({}, {"no method"});
  expect_refused({""}, {"''", "geod", "lbfgs"});
  expect_refused({"newton"}, {"newton", "geod", "lbfgs"});
  expect_refused({"GEOD"}, {"GEOD"});
  expect_refused({" geod"}, {" geod"});
  expect_refused({"geod", "sd", "geod"}, {"geod", "twice"});
  expect_refused({"geod:"}, {"geod:", "key=value"});
  expect_refused({"lbfgs:memory"}, {"memory", "key=value"});
  expect_refused({"lbfgs::memory=3"}, {"key=value"});
  expect_refused({"lbfgs:speed=3"}, {"speed", "memory", "line-search", "line-tolerance", "smoothness"});
  expect_refused({"lbfgs:=3"}, {"''"});
}

TEST(ParseMethods, RefusesSettingsWithoutEffect) {
  expect_refused({"geod:memory=3"}, {"memory", "no effect", "geod"});
  expect_refused({"geod:pairs=3"}, {"pairs", "no effect", "geod"});
  expect_refused({"lbfgs:balls=3"}, {"balls", "no effect", "lbfgs"});
  expect_refused({"sd:smoothness=3"}, {"smoothness", "no effect", "sd"});
  expect_refused({"afg:line-search=exact"}, {"line-search", "no effect", "afg"});
  expect_refused({"lbfgs:smoothness=1"}, {"smoothness", "no effect", "lbfgs"});
}

TEST(ParseMethods, RefusesBadNumbers) {
  for (const char* bad : {"", "x", "3x", "0", "-1", "inf", "nan", "1e999", " 3", "0x3"}) {
    expect_refused({std::string("lbfgs:memory=") + bad}, {"memory", bad});
    expect_refused({std::string("geod:balls=") + bad}, {"balls", bad});
    expect_refused({std::string("afg:smoothness=") + bad}, {"smoothness", bad});
    expect_refused({std::string("geod:line-tolerance=") + bad}, {"line-tolerance", bad});
  }
  expect_refused({"lbfgs:memory=2.5"}, {"memory", "2.5", "whole"});
  expect_refused({"geod-memory:pairs=2.5"}, {"pairs", "2.5", "whole"});
  expect_refused({"lbfgs:memory=1e7"}, {"memory", "1e7"});
  expect_refused({"geod:line-tolerance=1"}, {"line-tolerance", "below 1"});
  expect_refused({"lbfgs:line-search=armijo"}, {"armijo", "wolfe", "exact"});
}

}  // namespace
}  // namespace geodescent::lab
