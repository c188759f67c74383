#include "comparison/methods.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace geodescent::lab {
namespace {

TEST(ParseMethods, ReadsThemAsTheLibraryDoesAndKeepsTheText) {
  for (const MethodInfo& info : methods()) {
    const Contender contender = parse_method(std::string(info.name));
    EXPECT_EQ(contender.method.name(), info.name);
    EXPECT_EQ(contender.text, info.name);
  }
  const Contender lbfgs = parse_method("lbfgs:memory=7");
  EXPECT_EQ(lbfgs.text, "lbfgs:memory=7");
  EXPECT_EQ(lbfgs.method.get_if<Lbfgs>()->memory, 7u);
  EXPECT_THROW(parse_method("geod:memory=3"), std::invalid_argument);
}

TEST(ParseMethods, AMissingSmoothnessIsTuned) {
  for (const char* name : {"geod-fixed", "ball", "afg", "afgwr"}) EXPECT_TRUE(parse_method(name).tuned) << name;
  for (const char* name : {"geod", "geod-memory", "sd", "lbfgs"}) EXPECT_FALSE(parse_method(name).tuned) << name;
  const Contender afg = parse_method("afg:smoothness=0.25");
  EXPECT_FALSE(afg.tuned);
  EXPECT_EQ(smoothness_of(afg.method), 0.25);
  EXPECT_EQ(smoothness_of(with_smoothness("afg", 0.1)), 0.1) << "to the last bit";
  EXPECT_FALSE(smoothness_of("geod").has_value());
}

TEST(ParseMethods, KeepsTheOrder) {
  const auto contenders = parse_methods({"sd", "geod", "afg:smoothness=1", "afg"});
  ASSERT_EQ(contenders.size(), 4u);
  EXPECT_EQ(contenders[0].text, "sd");
  EXPECT_EQ(contenders[3].text, "afg");
}

TEST(ParseMethods, RefusesNoneAndRepetitions) {
  EXPECT_THROW(parse_methods({}), std::invalid_argument);
  EXPECT_THROW(parse_methods({"geod", "sd", "geod"}), std::invalid_argument);
}

TEST(ParseMethods, OnlyMemoryIsPlannedFor) {
  EXPECT_EQ(planned_for("geod-memory", 1e-3).get_if<GeodMemory>()->plan_for, 1e-3);
  EXPECT_EQ(planned_for("geod-memory:plan-for=0.1", 1e-3).get_if<GeodMemory>()->plan_for, 0.1);
  EXPECT_EQ(planned_for("geod", 1e-3).name(), "geod");
}

}  // namespace
}  // namespace geodescent::lab
