// const means thread-safe. Threads that minimise one risk, train on one data set or share one
// matrix get the same bits as a single thread.
#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <vector>

#include "geodescent/learn/train.hpp"
#include "support/problems.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

constexpr int callers = 6;

/// The results of `work` on several threads that start together.
template <class Work>
auto at_once(const Work& work) {
  std::vector<decltype(work())> results(callers);
  std::vector<std::thread> threads;
  for (auto& result : results) threads.emplace_back([&] { result = work(); });
  for (std::thread& thread : threads) thread.join();
  return results;
}

class Concurrency : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Concurrency, ThreadsThatMinimiseOneObjectiveGetTheSameBits) {
  Random random(67);
  for (const Bias bias : {Bias::none, Bias::free})
    for (const DataShape& shape :
         {DataShape{.rows = 5000, .columns = 20, .density = 0.5}, DataShape{.rows = 40, .columns = 300}}) {
      const RandomData data = random_data(random, Task::classification, shape);
      const auto f = make_risk("logistic", data.data, 1e-4, {}, bias);
      const auto run = [&] { return minimize_with(GetParam(), *f, {}, {.gap_tolerance = 1e-4, .max_iterations = 40}); };
      const Result alone = run();
      for (const Result& r : at_once(run)) {
        EXPECT_EQ(r.x, alone.x);
        EXPECT_EQ(r.value, alone.value);
        EXPECT_EQ(r.lower_bound, alone.lower_bound);
        EXPECT_EQ(r.intercepts, alone.intercepts);
        EXPECT_EQ(r.iterations, alone.iterations);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, Concurrency, ::testing::ValuesIn(method_variants()),
                         [](const auto& test) { return test_name(test.param); });

TEST(ConcurrentTraining, OnOneDataSetGivesTheSameModelAndCertificate) {
  Random random(71);
  for (const LossInfo& loss : losses()) {
    const RandomData data =
        random_data(random, loss.task, {.rows = 3000, .columns = 15, .density = 0.4, .weighted = true});
    const auto run = [&] {
      return train(data.data, {.loss = std::string(loss.name),
                               .loss_parameter = loss.parameter ? 1.0 : 0.0,
                               .l2 = 1e-3,
                               .bias = Bias::free});
    };
    const TrainResult alone = run();
    for (const TrainResult& r : at_once(run)) {
      EXPECT_EQ(r.model.weights, alone.model.weights) << loss.name;
      EXPECT_EQ(r.model.bias_weight(), alone.model.bias_weight());
      EXPECT_EQ(r.certificate->lower_bound, alone.certificate->lower_bound);
      EXPECT_EQ(r.certificate->dual.steps, alone.certificate->dual.steps);
    }
  }
}

TEST(ConcurrentRisks, ShareOneMatrix) {
  Random random(73);
  const RandomData data = random_data(random, Task::classification, {.rows = 4000, .columns = 30, .density = 0.3});
  const auto run = [&] { return minimize(*make_risk("smoothed-hinge", data.data, 1e-4)); };
  const Result alone = run();
  for (const Result& r : at_once(run)) EXPECT_EQ(r.x, alone.x);
}

}  // namespace
}  // namespace geodescent::testing
