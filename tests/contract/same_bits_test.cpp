// The promise of parallel.hpp and of the kernels for whole runs: the same bits for every number of
// threads and every instruction set, for every loss, with and without intercept and weights, on
// sparse and on dense data.
#include <gtest/gtest.h>

#include <functional>

#include <tuple>

#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/threads.hpp"
#include "support/instruction_sets.hpp"
#include "support/problems.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

class SameBits : public ::testing::TestWithParam<LossInfo> {
 protected:
  ~SameBits() override { set_threads(before_); }

 private:
  int before_ = threads();
};

struct Outcome {
  Vector x;
  double value, lower_bound, gradient_norm;
  bool operator==(const Outcome&) const = default;
};

Outcome run(std::string_view loss, const Dataset& data, Bias bias, std::string_view method) {
  const auto f = make_risk(loss, data, 1e-3, {}, bias);
  const Result r = minimize_with(method, *f, Vector(f->dimension()), {.gap_tolerance = 0, .max_iterations = 6});
  return {r.x, r.value, r.lower_bound, r.gradient_norm};
}

void expect_same_bits_however_it_is_run(const std::function<Outcome()>& once) {
  set_threads(1);
  const Outcome alone = once();
  for (const int count : {2, 3, 8}) {
    set_threads(count);
    EXPECT_EQ(once(), alone) << count << " threads";
  }
  for (const InstructionSet set : instruction_sets()) {
    const UsedInstructions used(set);
    EXPECT_EQ(once(), alone) << to_string(set);
  }
}

TEST_P(SameBits, ForEveryNumberOfThreadsAndInstructionSet) {
  Random random(811);
  for (const double density : {0.15, 1.0}) {
    RandomData problem = random_data(random, GetParam().task, {.rows = 5000, .columns = 20, .density = density});
    for (const bool weighted : {false, true}) {
      if (weighted)
        for (std::size_t i = 0; i < problem.data.rows->rows(); ++i)
          problem.data.weights.push_back(0.5 + random.uniform());
      for (const Bias bias : {Bias::none, Bias::free})
        for (const std::string_view method :
             {with_newton, with_quasi_newton, std::string_view("lbfgs"), std::string_view("geod")}) {
          SCOPED_TRACE(::testing::Message() << method << ", density " << density << (weighted ? ", weighted" : "")
                                            << (bias == Bias::free ? ", free intercept" : ""));
          expect_same_bits_however_it_is_run([&] { return run(GetParam().name, problem.data, bias, method); });
        }
    }
  }
}

TEST(SameBitsOfMethods, ForEveryNumberOfThreadsOnTallAndOnWideData) {
  Random random(823);
  const int before = threads();
  for (const auto& [rows, columns, density] : {std::tuple{6000, 12, 1.0}, std::tuple{300, 7000, 0.02}}) {
    const RandomData problem = random_data(
        random, Task::classification,
        {.rows = static_cast<std::size_t>(rows), .columns = static_cast<std::size_t>(columns), .density = density});
    for (const std::string_view method : method_variants()) {
      SCOPED_TRACE(::testing::Message() << method << ", " << rows << " rows");
      set_threads(1);
      const Outcome alone = run("logistic", problem.data, Bias::free, method);
      for (const int count : {2, 3, 8}) {
        set_threads(count);
        EXPECT_EQ(run("logistic", problem.data, Bias::free, method), alone) << count << " threads";
      }
    }
  }
  set_threads(before);
}

// Long enough for Hessians to be kept, extended and updated. Includes row form and gradients by
// columns.
TEST(SameBitsOfMethods, ForEveryNumberOfThreadsAndInstructionSetInLongRuns) {
  Random random(827);
  const int before = threads();
  for (const auto& [rows, columns] : {std::pair{3000, 4000}, std::pair{5000, 300}})
    for (const char* loss : {"logistic", "smoothed-hinge"}) {
      SCOPED_TRACE(::testing::Message() << loss << ", " << rows << " rows");
      const RandomData problem = random_data(
          random, Task::classification,
          {.rows = static_cast<std::size_t>(rows), .columns = static_cast<std::size_t>(columns), .density = 0.01});
      expect_same_bits_however_it_is_run([&] {
        const auto f = make_risk(loss, problem.data, 1e-5, {}, Bias::free);
        const Options options{.gap_tolerance = 0, .max_iterations = 25};
        const Result r = minimize(*f, "geod-memory:directions=gradients", Vector(f->dimension()), options);
        return Outcome{r.x, r.value, r.lower_bound, r.gradient_norm};
      });
    }
  set_threads(before);
}

INSTANTIATE_TEST_SUITE_P(AllLosses, SameBits, ::testing::ValuesIn(losses().begin(), losses().end()),
                         [](const auto& test) { return test_name(std::string(test.param.name)); });

}  // namespace
}  // namespace geodescent::testing
