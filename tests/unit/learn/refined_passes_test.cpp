// Products with more digits are passes, too.
#include <gtest/gtest.h>

#include "optimize/oracles/counted_oracle.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

using passes = std::pair<std::uint64_t, std::uint64_t>;  // forward and backward

TEST(RefinedPasses, AGradientWithMoreDigitsTakesTwo) {
  Random random(967);
  const RandomData data = random_data(random, Task::classification, {.rows = 30, .columns = 4});
  const auto f = make_risk("logistic", data.data, 1e-3);
  Counts counts;
  CountedOracle oracle(f->oracle(), counts);
  Point p(4, oracle.image_size());
  p.x.assign(4, 0.5);
  Vector g(4);
  const auto evaluate = [&] {
    const Counts before = counts;
    oracle.lift(p);
    (void)oracle.gradient(p, g);
    return passes(counts.forward_passes - before.forward_passes, counts.backward_passes - before.backward_passes);
  };
  EXPECT_EQ(evaluate(), passes(1, 1));
  EXPECT_TRUE(oracle.refine());
  EXPECT_EQ(evaluate(), passes(1, 2));
  EXPECT_FALSE(oracle.refine()) << "there are no more digits";
  EXPECT_EQ(evaluate(), passes(1, 2));
}

}  // namespace
}  // namespace geodescent::testing
