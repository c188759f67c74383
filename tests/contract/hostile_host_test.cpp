// The library inside of programs that throw and fork as they like.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "contract/in_a_child.hpp"
#include "geodescent/geodescent.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

class HostileHost : public ::testing::Test {
 protected:
  HostileHost() { set_threads(3); }
  ~HostileHost() override { set_threads(before_); }

  Vector minimum() const { return minimize(*make_risk("logistic", data.data, 1e-3)).x; }

  int before_ = threads();
  Random random{89};
  RandomData data = random_data(random, Task::classification, {.rows = 20000, .columns = 5, .density = 0.6});
};

/// A parabola that is not defined everywhere.
struct Narrow {
  static constexpr std::string_view name = "narrow";
  static constexpr Task task = Task::regression;

  LossValue operator()(double z, double y) const {
    if (std::abs(z) > 0.01) throw std::domain_error("the loss ends here");
    return {(z - y) * (z - y) / 2, z - y, 1};
  }
  double conjugate(double s, double y) const { return s * s / 2 + s * y; }
  double curvature_bound() const { return 1; }
};

TEST_F(HostileHost, AnExceptionOfALossPassesThroughAndTheThreadsGoOn) {
  const Vector before = minimum();
  const RandomData targets = random_data(random, Task::regression, {.rows = 20000, .columns = 5, .density = 0.6});
  for (int round = 0; round < 20; ++round)
    for (const char* method : {"geod", "lbfgs", "geod-memory"})
      EXPECT_THROW((void)minimize(RegularizedRisk<Narrow>(targets.data, 1e-3), method), std::domain_error);
  EXPECT_EQ(minimum(), before);
}

TEST_F(HostileHost, AChildOfAForkWorksAndEnds) {
  const Vector before = minimum();  // the threads are running now
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(in_a_child([] { return true; }), 0) << "a child that only ends";
    EXPECT_EQ(in_a_child([&] { return minimum() == before; }), 0) << "a child with threads of its own";
    EXPECT_EQ(in_a_child([&] { return minimum() == before && in_a_child([&] { return minimum() == before; }) == 0; }),
              0)
        << "and its child";
  }
  EXPECT_EQ(minimum(), before);
}

}  // namespace
}  // namespace geodescent::testing
