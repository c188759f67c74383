#include "geodescent/optimize/method_choice.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <tuple>

namespace geodescent::testing {
namespace {

void expect_refused(const std::string& text, const std::vector<std::string>& words) {
  try {
    std::ignore = MethodChoice(text);
    ADD_FAILURE() << text << " was not refused";
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    for (const std::string& word : words)
      EXPECT_NE(message.find(word), std::string::npos) << message << ": no " << word;
  }
}

TEST(MethodChoice, IsTheDefaultMethodWhereNothingIsSaid) {
  EXPECT_EQ(MethodChoice().name(), default_method);
  EXPECT_EQ(MethodChoice().get_if<GeodMemory>()->directions, automatic_directions);
}

TEST(MethodChoice, IsMadeOfSettingsOrOfANameAlike) {
  EXPECT_EQ(MethodChoice(Lbfgs{.memory = 10}).name(), "lbfgs");
  EXPECT_EQ(MethodChoice(Lbfgs{.memory = 10}).get_if<Lbfgs>()->memory, 10u);
  EXPECT_EQ(MethodChoice(Lbfgs{.memory = 10}).get_if<Geod>(), nullptr);
  for (const MethodInfo& info : methods()) EXPECT_EQ(MethodChoice(info.name).name(), info.name);
}

TEST(MethodChoice, TakesSettingsInText) {
  const MethodChoice lbfgs("lbfgs:memory=7:line-search=exact:line-tolerance=0.5");
  EXPECT_EQ(lbfgs.get_if<Lbfgs>()->memory, 7u);
  EXPECT_EQ(lbfgs.get_if<Lbfgs>()->line_search, LineSearch::exact);
  EXPECT_EQ(lbfgs.get_if<Lbfgs>()->line_tolerance, 0.5);
  const MethodChoice memory("geod-memory:memory=5:balls=7:pairs=0:plan-for=1e-6:memory-limit=1e9:directions=newton");
  EXPECT_EQ(memory.get_if<GeodMemory>()->memory, 5u);
  EXPECT_EQ(memory.get_if<GeodMemory>()->balls, 7u);
  EXPECT_EQ(memory.get_if<GeodMemory>()->pairs, 0u);
  EXPECT_EQ(memory.get_if<GeodMemory>()->plan_for, 1e-6);
  EXPECT_EQ(memory.get_if<GeodMemory>()->memory_limit, 1e9);
  for (const std::string_view name : direction_names())
    EXPECT_EQ(MethodChoice("geod-memory:directions=" + std::string(name)).get_if<GeodMemory>()->directions, name);
}

TEST(MethodChoice, RefusesWhatItDoesNotUnderstand) {
  expect_refused("", {"''", "geod", "lbfgs"});
  expect_refused("newton", {"newton", "geod", "lbfgs"});
  expect_refused("GEOD", {"GEOD"});
  expect_refused(" geod", {" geod"});
  expect_refused("geod:", {"geod:", "setting=value"});
  expect_refused("lbfgs:memory", {"memory", "setting=value"});
  expect_refused("lbfgs::memory=3", {"setting=value"});
  expect_refused("lbfgs:memory=3:memory=3", {"memory", "twice"});
  expect_refused("lbfgs:speed=3", {"speed", "memory", "line-search", "line-tolerance"});
  expect_refused("lbfgs:=3", {"unknown setting ''"});
}

TEST(MethodChoice, RefusesSettingsWithoutEffect) {
  expect_refused("geod:memory=3", {"memory", "no effect", "geod", "balls"});
  expect_refused("geod:pairs=3", {"pairs", "no effect", "geod"});
  expect_refused("geod:plan-for=1e-6", {"plan-for", "no effect", "geod"});
  expect_refused("lbfgs:balls=3", {"balls", "no effect", "lbfgs"});
  expect_refused("sd:smoothness=3", {"smoothness", "no effect", "sd"});
  expect_refused("afg:line-search=exact", {"line-search", "no effect", "afg"});
  expect_refused("afg:line-tolerance=0.1", {"line-tolerance", "no effect", "afg"});
}

TEST(MethodChoice, RefusesBadValues) {
  for (const char* bad : {"", "x", "3x", "-1", "inf", "nan", "1e999", " 3", "0x3"}) {
    expect_refused(std::string("lbfgs:memory=") + bad, {"memory", bad});
    expect_refused(std::string("geod:balls=") + bad, {"balls", bad});
    expect_refused(std::string("afg:smoothness=") + bad, {"smoothness", bad});
    expect_refused(std::string("geod:line-tolerance=") + bad, {"line-tolerance", bad});
  }
  expect_refused("lbfgs:memory=0", {"memory", "at least 1"});
  expect_refused("afg:smoothness=0", {"smoothness", "positive"});
  expect_refused("lbfgs:memory=2.5", {"memory", "2.5", "whole"});
  expect_refused("geod-memory:pairs=2.5", {"pairs", "2.5", "whole"});
  expect_refused("lbfgs:memory=1e7", {"memory", "1e7"});
  expect_refused("geod:line-tolerance=1", {"line-tolerance", "below 1"});
  expect_refused("lbfgs:line-search=armijo", {"armijo", "wolfe", "exact"});
  expect_refused("geod-memory:directions=up", {"'up'", "few-passes", "quasi-newton"});
}

TEST(MethodChoice, ARefusedSettingChangesNothing) {
  MethodChoice choice("lbfgs:memory=7");
  EXPECT_THROW(choice.set("memory", "0"), std::invalid_argument);
  EXPECT_EQ(choice.get_if<Lbfgs>()->memory, 7u);
}

TEST(MethodChoice, KnowsWhichMethodsHaveASetting) {
  EXPECT_EQ(methods_with("line-search"), std::vector<std::string_view>{"lbfgs"});
  EXPECT_EQ(methods_with("memory"), (std::vector<std::string_view>{"geod-memory", "lbfgs"}));
  EXPECT_TRUE(methods_with("speed").empty());
}

}  // namespace
}  // namespace geodescent::testing
