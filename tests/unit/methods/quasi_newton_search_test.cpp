// The step that is taken beside the one that was searched for, and the way back from it.
#include <gtest/gtest.h>

#include "methods/geod_memory/search.hpp"
#include "optimize/oracles/oracle_decorator.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

/// The same function, but the n-th gradient comes with a value that is too high.
class Uphill final : public OracleDecorator {
 public:
  Uphill(const Objective& f, int n, double by) : OracleDecorator(f.oracle()), n_(n), by_(by) {}

  int gradients() const { return gradients_; }
  Evaluation gradient(const Point& p, std::span<double> g) override {
    Evaluation e = OracleDecorator::gradient(p, g);
    if (++gradients_ == n_) e.value += by_;
    return e;
  }

 private:
  std::unique_ptr<Oracle> decorate(std::unique_ptr<Oracle> f) override { return f; }

  int n_;
  double by_;
  int gradients_ = 0;
};

class QuasiNewton : public ::testing::TestWithParam<Bias> {};

TEST_P(QuasiNewton, GoesBackWhereItsStepHasLedUphill) {
  Random random(41);
  const Problem p = risk_problem(random, "logistic", 1e-4, {.rows = 200, .columns = 12, .noise = 0.1}, GetParam());
  constexpr int lying = 5;
  for (const double by : {1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const auto truth = p.objective->oracle();
    Uphill f(*p.objective, lying, by);
    State state;
    const Memory memory{.along = "quasi-newton", .pairs = 10};
    state.begin(f, Vector(f.dimension()), memory, false);
    const std::unique_ptr<Search> search = find_search("quasi-newton")->start(state, memory, {});
    double before = state.at_x.value;
    for (int iteration = 1; iteration <= 8; ++iteration) {
      ASSERT_TRUE(search->descend(state));
      EXPECT_LT(state.at_x.value, before) << iteration;
      before = state.at_x.value;
      Point fresh(f.dimension(), f.image_size());
      fresh.x = state.x.x;
      truth->lift(fresh);
      Vector g_fresh(f.dimension());
      EXPECT_NEAR(truth->gradient(fresh, g_fresh).value, state.at_x.value, 1e-13);
      for (std::size_t j = 0; j < g_fresh.size(); ++j) EXPECT_NEAR(g_fresh[j], state.g.x[j], 1e-13);
    }
    EXPECT_EQ(f.gradients(), 1 + 8 + 1) << "one at the start, one an iteration, one to go back";
  }
}

INSTANTIATE_TEST_SUITE_P(Bias, QuasiNewton, ::testing::Values(Bias::none, Bias::free),
                         [](const auto& test) { return test.param == Bias::none ? "none" : "free"; });

}  // namespace
}  // namespace geodescent::testing
