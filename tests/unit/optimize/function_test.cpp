// A user's function as an objective: what is refused, what is computed, what is called.
#include "geodescent/optimize/function.hpp"

#include <gtest/gtest.h>

#include "geodescent/optimize/minimize.hpp"
#include "optimize/oracles/counted_oracle.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace geodescent::testing {
namespace {

double half_square(std::span<const double> x, std::span<double> g) {
  std::copy(x.begin(), x.end(), g.begin());
  return 0.5 * squared_norm(x);
}

TEST(FunctionObjective, RefusesPropertiesThatMakeNoSense) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const auto make = [](const FunctionProperties& p) { return FunctionObjective(p, half_square); };
  try {
    (void)minimize(half_square, Vector());
    ADD_FAILURE() << "an empty x0 has no dimension";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("give an x0 with one entry for each variable"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(make({.dimension = 0, .strong_convexity = 1}), std::invalid_argument);
  for (const double alpha : {-1.0, nan, infinity})
    EXPECT_THROW(make({.dimension = 2, .strong_convexity = alpha}), std::invalid_argument) << alpha;
  for (const double beta : {0.5, -1.0, nan})
    EXPECT_THROW(make({.dimension = 2, .strong_convexity = 1, .smoothness = beta}), std::invalid_argument) << beta;
  for (const double precision : {-1e-16, nan})
    EXPECT_THROW(make({.dimension = 2, .strong_convexity = 1, .relative_precision = precision}), std::invalid_argument)
        << precision;
  EXPECT_NO_THROW(make({.dimension = 2, .strong_convexity = 1, .smoothness = 1}));
  EXPECT_NO_THROW(make({.dimension = 2, .strong_convexity = 0})) << "unknown";
}

TEST(FunctionObjective, RefusesEmptyCallables) {
  const FunctionProperties two{.dimension = 2, .strong_convexity = 1};
  const FunctionObjective::Value value = [](std::span<const double> x) { return 0.5 * squared_norm(x); };
  const FunctionObjective::Gradient gradient = [](std::span<const double> x, std::span<double> g) {
    half_square(x, g);
  };
  EXPECT_THROW(FunctionObjective(two, FunctionObjective::ValueAndGradient{}), std::invalid_argument);
  EXPECT_THROW(FunctionObjective(two, FunctionObjective::Value{}, gradient), std::invalid_argument);
  EXPECT_THROW(FunctionObjective(two, value, FunctionObjective::Gradient{}), std::invalid_argument);
  EXPECT_NO_THROW(FunctionObjective(two, value, gradient));
}

TEST(FunctionObjective, GivesValueGradientAndTheOffsetOfItsLowerModel) {
  const FunctionObjective f({.dimension = 2, .strong_convexity = 0.5}, half_square);
  Point at(2, 0);
  at.x = {3, 4};
  Vector g(2);
  const Evaluation e = f.oracle()->gradient(at, g);
  EXPECT_EQ(e.value, 12.5);
  EXPECT_EQ(g, (Vector{3, 4}));
  EXPECT_EQ(e.offset, 12.5 - 25 + 0.25 * 25);  // f - g.x + alpha/2 |x|^2
  EXPECT_GT(e.value_error, 0);
  EXPECT_GT(e.offset_error, 0);
  EXPECT_GT(e.linear_error, 0);
}

TEST(FunctionObjective, TakesThePrecisionOfTheFunctionIntoItsErrors) {
  const FunctionObjective rough({.dimension = 2, .strong_convexity = 0.5, .relative_precision = 1e-6}, half_square);
  Point at(2, 0);
  at.x = {3, 4};
  Vector g(2);
  const Evaluation e = rough.oracle()->gradient(at, g);
  EXPECT_GE(e.value_error, 1e-6 * 12.5);
  EXPECT_GE(e.linear_error, 1e-6 * 5);
}

TEST(FunctionObjective, OnALineIsOneEvaluationThatTheStepTakenCanUse) {
  int calls = 0;
  const FunctionObjective f({.dimension = 2, .strong_convexity = 1},
                            [&](std::span<const double> x, std::span<double> g) {
                              ++calls;
                              return half_square(x, g);
                            });
  Point x(2, 0), d(2, 0), there(2, 0);
  x.x = {1, 2};
  d.x = {-1, 1};
  Line line(2);
  line.set(x, d);
  const auto oracle = f.oracle();
  const LineValue at = oracle->on(line, 2);
  EXPECT_EQ(at.value, 8.5);  // (-1, 4)
  EXPECT_EQ(at.slope, 5);
  EXPECT_EQ(calls, 1);
  Vector g(2);
  EXPECT_EQ(advance(*oracle, line, 2, there, g).value, 8.5);
  EXPECT_EQ(there.x, (Vector{-1, 4}));
  EXPECT_EQ(g, (Vector{-1, 4}));
  EXPECT_EQ(calls, 1) << "the step had just been evaluated";
  EXPECT_EQ(advance(*oracle, line, 1, there, g).value, 4.5);
  EXPECT_EQ(calls, 2);
}

TEST(FunctionObjective, ALineSetAnewForgetsItsLastEvaluation) {
  const FunctionObjective f({.dimension = 1, .strong_convexity = 1}, half_square);
  Point x(1, 0), d(1, 0), there(1, 0);
  x.x = {1};
  d.x = {1};
  Line line(1);
  line.set(x, d);
  const auto oracle = f.oracle();
  oracle->on(line, 2);
  x.x = {10};
  line.set(x, d);
  Vector g(1);
  EXPECT_EQ(advance(*oracle, line, 2, there, g).value, 72);
}

TEST(CountedOracle, CountsWhatTheCallsCost) {
  const FunctionObjective f({.dimension = 1, .strong_convexity = 1}, half_square);
  Counts counts;
  CountedOracle counted(f.oracle(), counts);
  Point x(1, 0), d(1, 0);
  d.x = {1};
  Vector g(1);
  Line line(1);
  line.set(x, d);
  counted.lift(x);
  counted.gradient(x, g);
  counted.on(line, 1);
  counted.on(line, 2);
  EXPECT_EQ(counts.function_evaluations, 3u);
  EXPECT_EQ(counts.line_evaluations, 2u);
  EXPECT_EQ(counts.forward_passes, 0u);
  EXPECT_EQ(counts.backward_passes, 0u);
}

}  // namespace
}  // namespace geodescent::testing
