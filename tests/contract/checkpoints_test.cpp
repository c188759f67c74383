// The promise of Checkpoints: a training that was interrupted and continued has the bits of one
// that was not, for every method and loss, with any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "geodescent/learn/cross_validation.hpp"
#include "geodescent/learn/path.hpp"
#include "geodescent/learn/train.hpp"
#include "geodescent/threads.hpp"
#include "support/problems.hpp"
#include "support/temporary_folder.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

constexpr std::uint64_t interval = 4;

TrainOptions options_for(const MethodChoice& method, std::uint64_t most_iterations) {
  TrainOptions options;
  options.method = method;
  options.minimize = {.gap_tolerance = 1e-12, .max_iterations = most_iterations};
  options.checkpoints.every = interval;
  return options;
}

/// Two trainings give the same model and the same proof.
void expect_equal(const TrainResult& a, const TrainResult& b) {
  EXPECT_EQ(a.run.status, b.run.status);
  EXPECT_EQ(a.run.message, b.run.message);
  EXPECT_EQ(a.run.iterations, b.run.iterations);
  EXPECT_EQ(a.model.weights, b.model.weights);
  EXPECT_EQ(a.model.bias_weights, b.model.bias_weights);
  EXPECT_EQ(a.model.checkpoint, b.model.checkpoint);
  ASSERT_TRUE(a.certificate && b.certificate);
  EXPECT_EQ(a.certificate->value, b.certificate->value);
  EXPECT_EQ(a.certificate->lower_bound, b.certificate->lower_bound);
  EXPECT_EQ(a.certificate->dual.steps, b.certificate->dual.steps);
  EXPECT_EQ(a.certificate->fingerprint, b.certificate->fingerprint);
}

class CheckpointsTest : public ::testing::Test {
 protected:
  ~CheckpointsTest() override { set_threads(before_); }

  void TearDown() override { EXPECT_GT(resumed_, 0) << "every training ended before its first checkpoint"; }

  /// Trains once as a whole, and once with an end in the middle of the second segment, from where
  /// another continues.
  void expect_same_bits(const Dataset& data, const Risk& risk, const MethodChoice& method) {
    set_threads(1);
    TrainOptions whole = options_for(method, 3 * interval);
    std::size_t taken = 0;
    whole.checkpoints.take = [&](const TrainResult&) { ++taken; };
    const TrainResult undisturbed = train(data, risk, whole);

    TrainOptions first = options_for(method, 3 * interval);
    std::optional<LinearModel> last;
    first.checkpoints.take = [&](const TrainResult& so_far) {
      last = parse_model(text_of(so_far.model), "checkpoint");
      EXPECT_TRUE(verify(data, so_far.model, *so_far.certificate).holds);
    };
    (void)train(data, risk, first, [](const Progress& p) { return p.iteration < interval + 2; });
    if (taken == 0) return;  // converged before
    ASSERT_TRUE(last);
    EXPECT_EQ(last->checkpoint, interval);

    set_threads(3);
    TrainOptions second = options_for(method, 3 * interval);
    second.checkpoints.resume = &*last;
    expect_equal(train(data, risk, second), undisturbed);
    ++resumed_;
  }

  static std::string text_of(const LinearModel& model) {
    const TemporaryFolder folder;
    write_model(model, folder / "model");
    return contents(folder / "model");
  }

  Random random{1301};

 private:
  int before_ = threads();
  int resumed_ = 0;
};

TEST_F(CheckpointsTest, EveryMethodContinuesWithTheSameBits) {
  const RandomData problem = random_data(random, Task::classification, {.rows = 600, .columns = 60, .density = 0.3});
  for (const std::string_view method : method_variants()) {
    SCOPED_TRACE(method);
    expect_same_bits(problem.data, {.loss = "logistic", .l2 = 1e-5, .bias = Bias::free}, method_of(method));
  }
}

TEST_F(CheckpointsTest, EveryLossContinuesWithTheSameBits) {
  for (const LossInfo& loss : losses())
    for (const Bias bias : {Bias::none, Bias::free, Bias::regularized}) {
      SCOPED_TRACE(::testing::Message() << loss.name << ", " << to_string(bias));
      const RandomData problem = random_data(random, loss.task, {.rows = 300, .columns = 40, .weighted = true});
      expect_same_bits(problem.data, {.loss = std::string(loss.name), .l2 = 1e-6, .bias = bias},
                       method_of(with_gradients));
    }
}

TEST_F(CheckpointsTest, WideDataContinueWithTheSameBits) {
  const RandomData wide = random_data(random, Task::classification, {.rows = 80, .columns = 4000, .density = 0.01});
  expect_same_bits(wide.data, {.loss = "smoothed-hinge", .l2 = 1e-6, .bias = Bias::free}, "geod-memory");
}

TEST_F(CheckpointsTest, SoftmaxContinuesWithTheSameBits) {
  for (const int classes : {2, 4}) {
    RandomData problem = random_data(random, Task::regression, {.rows = 300, .columns = 20});
    for (std::size_t i = 0; i < problem.data.targets.size(); ++i)
      problem.data.targets[i] = std::floor(random.uniform() * classes);
    expect_same_bits(problem.data, {.loss = "softmax", .l2 = 1e-6, .bias = Bias::free}, method_of(with_gradients));
  }
}

TEST(Checkpoints, TheResultCountsAllSegments) {
  Random random(1303);
  const RandomData problem = random_data(random, Task::classification, {.rows = 600, .columns = 60});
  const Risk risk{.loss = "logistic", .l2 = 1e-7};
  TrainOptions options = options_for(method_of(with_gradients), 2 * interval + 1);
  options.minimize.gap_tolerance = 0;
  std::vector<std::uint64_t> iterations, checkpoints;
  std::uint64_t passes = 0;
  options.checkpoints.take = [&](const TrainResult& so_far) { checkpoints.push_back(so_far.model.checkpoint); };
  const TrainResult trained = train(problem.data, risk, options, [&](const Progress& p) {
    iterations.push_back(p.iteration);
    EXPECT_GE(p.counts.forward_passes, passes);
    passes = p.counts.forward_passes;
    return true;
  });
  EXPECT_EQ(iterations, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(checkpoints, (std::vector<std::uint64_t>{interval, 2 * interval}));
  EXPECT_EQ(trained.run.iterations, 2 * interval + 1);
  EXPECT_GE(trained.run.counts.forward_passes, passes);
  EXPECT_EQ(trained.run.message.find("reached the limit of 9 iterations"), 0u) << trained.run.message;
  EXPECT_EQ(trained.model.checkpoint, 0u);
}

TEST(Checkpoints, AModelThatDoesNotFitIsRefused) {
  Random random(1307);
  const RandomData problem = random_data(random, Task::classification, {.rows = 300, .columns = 30});
  const Risk risk{.loss = "logistic", .l2 = 1e-7, .bias = Bias::free};
  TrainOptions options = options_for(method_of(with_gradients), 2 * interval);
  LinearModel checkpoint;
  options.checkpoints.take = [&](const TrainResult& so_far) { checkpoint = so_far.model; };
  (void)train(problem.data, risk, options);
  ASSERT_EQ(checkpoint.checkpoint, interval);
  const auto refusal = [&](const LinearModel& from, const Risk& of, std::uint64_t every) {
    TrainOptions next = options;
    next.checkpoints = {.every = every, .resume = &from};
    try {
      (void)train(problem.data, of, next);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(checkpoint, risk, interval), "");
  LinearModel model = checkpoint;
  model.checkpoint = 0;
  EXPECT_NE(refusal(model, risk, interval).find("no checkpoint"), std::string::npos);
  Risk other = risk;
  other.l2 = 1e-6;
  EXPECT_NE(refusal(checkpoint, other, interval).find("l2"), std::string::npos);
  other = risk;
  other.loss = "smoothed-hinge";
  EXPECT_NE(refusal(checkpoint, other, interval).find("loss"), std::string::npos);
  other = risk;
  other.bias = Bias::none;
  EXPECT_NE(refusal(checkpoint, other, interval).find("intercept"), std::string::npos);
  EXPECT_NE(refusal(checkpoint, risk, interval + 1).find("every 4 iterations"), std::string::npos);
  EXPECT_NE(refusal(checkpoint, risk, 0).find("interval"), std::string::npos);
  const std::vector<double> l2{1e-3, 1e-4};
  EXPECT_THROW(train_path(problem.data, risk, l2, options, [](TrainResult&&) { return true; }), std::invalid_argument);
  EXPECT_THROW((void)cross_validate(problem.data, risk, l2, 3, 1, options), std::invalid_argument);
}

}  // namespace
}  // namespace geodescent::testing
