// The promise of ranks.hpp for training: data on several ranks have the TrainResult of one process.
#include <gtest/gtest.h>

#include <algorithm>

#include "geodescent/certificate.hpp"
#include "geodescent/learn/checkpoint_file.hpp"
#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/path.hpp"
#include "geodescent/learn/train.hpp"
#include "geodescent/ranks.hpp"
#include "geodescent/threads.hpp"
#include "support/problems.hpp"
#include "support/rank_data.hpp"
#include "support/temporary_folder.hpp"
#include "support/thread_ranks.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

/// What a training tells, without seconds; the model file contains model, certificate and dual
/// point.
struct Training {
  std::string file;
  Vector x, intercepts;
  double value = 0, lower_bound = 0, gradient_norm = 0, reference = 0;
  std::uint64_t iterations = 0;
  Status status{};
  std::string message;
  std::size_t used_columns = 0;

  bool operator==(const Training&) const = default;
};

Training told_of(const TrainResult& r) {
  return {{},
          r.run.x,
          r.run.intercepts,
          r.run.value,
          r.run.lower_bound,
          r.run.gradient_norm,
          r.run.reference_value,
          r.run.iterations,
          r.run.status,
          r.run.message,
          r.used_columns};
}

class RankTraining : public ::testing::Test {
 protected:
  ~RankTraining() override { set_threads(before_); }

  std::string file_of(const LinearModel& model, const Certificate& certificate, const std::string& name) const {
    write_model(model, certificate, folder_ / name);
    return contents(folder_ / name);
  }

  void expect_the_same(const Dataset& data, const Risk& risk, const TrainOptions& options,
                       const std::vector<std::size_t>& counts) const {
    set_threads(2);
    const TrainResult trained = train(data, risk, options);
    Training alone = told_of(trained);
    alone.file = file_of(trained.model, *trained.certificate, "alone");
    for (const std::size_t ranks : counts) {
      SCOPED_TRACE(::testing::Message() << ranks << " ranks");
      set_threads(ranks % 2 == 0 ? 1 : 2);
      const auto thrown = run_ranks(ranks, [&](const std::shared_ptr<Communicator>& comm) {
        const Dataset here = on_ranks(rows_of_rank(data, comm->rank(), ranks), comm);
        const TrainResult of_rank = train(here, risk, options);
        Training told = told_of(of_rank);
        const Certificate certificate = gathered(here, *of_rank.certificate);
        told.file = comm->rank() == 0 ? file_of(of_rank.model, certificate, "ranks") : alone.file;
        EXPECT_TRUE(told == alone) << "rank " << comm->rank();
        EXPECT_EQ(told.message, alone.message);
        EXPECT_TRUE(told.file == alone.file);
        EXPECT_TRUE(told.x == alone.x);
        EXPECT_EQ(of_rank.of_classes.size(), trained.of_classes.size());
        EXPECT_TRUE(verify(here, of_rank.model, *of_rank.certificate).holds);
      });
      EXPECT_EQ(thrown, std::vector<std::string>(ranks));
    }
  }

 private:
  TemporaryFolder folder_;
  int before_ = threads();
};

TrainOptions options_of(std::string_view method, double tolerance = 1e-6) {
  return {.method = method_of(method), .minimize = {.gap_tolerance = tolerance, .max_iterations = 60}};
}

class RankTrainingWithLoss : public RankTraining, public ::testing::WithParamInterface<LossInfo> {};

TEST_P(RankTrainingWithLoss, HasTheResultOfOneProcess) {
  Random random(1051);
  for (const bool weighted : {false, true})
    for (const Bias bias : {Bias::none, Bias::free, Bias::regularized}) {
      SCOPED_TRACE(::testing::Message() << (weighted ? "weighted, " : "") << to_string(bias));
      const double density = weighted ? 1 : 0.2;
      const RandomData problem =
          random_data(random, GetParam().task, {.rows = 4003, .columns = 12, .density = density, .weighted = weighted});
      const Risk risk{.loss = std::string(GetParam().name), .l2 = 1e-3, .bias = bias};
      expect_the_same(problem.data, risk, options_of(with_gradients), {3});
      expect_the_same(problem.data, risk, options_of(with_newton), {2});
    }
}

TEST_F(RankTraining, HasTheResultOfOneProcessForEveryNumberOfRanks) {
  Random random(1061);
  const RandomData problem = random_data(random, Task::classification, {.rows = 20001, .columns = 9, .density = 0.4});
  const Risk risk{.loss = "logistic", .l2 = 1e-4, .bias = Bias::free};
  expect_the_same(problem.data, risk, options_of(with_quasi_newton), {1, 2, 3, 4, 8});
}

TEST_F(RankTraining, HasTheResultOfOneProcessFromAModelAndOnAPath) {
  Random random(1063);
  const RandomData problem = random_data(random, Task::classification, {.rows = 6001, .columns = 9, .density = 0.4});
  const Risk risk{.loss = "smoothed-hinge", .l2 = 1e-3, .bias = Bias::free};
  TrainOptions options = options_of(with_gradients, 1e-2);
  const LinearModel start = train(problem.data, risk, options).model;
  options.initial = &start;
  options.minimize.gap_tolerance = 1e-6;
  expect_the_same(problem.data, {.loss = "logistic", .l2 = 1e-4, .bias = Bias::free}, options, {3});

  const Vector strengths{1e-2, 1e-3, 1e-4};
  const auto values_on_path = [&](const Dataset& data) {
    Vector values;
    train_path(data, risk, strengths, options_of(with_gradients), [&](TrainResult&& trained) {
      values.push_back(trained.run.value);
      values.push_back(trained.run.lower_bound);
      return true;
    });
    return values;
  };
  const Vector alone = values_on_path(problem.data);
  const auto thrown = run_ranks(3, [&](const std::shared_ptr<Communicator>& comm) {
    EXPECT_EQ(values_on_path(on_ranks(rows_of_rank(problem.data, comm->rank(), 3), comm)), alone);
  });
  EXPECT_EQ(thrown, std::vector<std::string>(3));
}

// Training leaves out columns without entries; which ones they are shows only on all ranks
// together.
TEST_F(RankTraining, LeavesOutTheColumnsThatAreEmptyOnAllRanks) {
  Random random(1069);
  const std::size_t rows = 3000, columns = 20000;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  Vector values, targets;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t first = random.below(150);
    for (const std::size_t j : {first, first + 200, first + 400}) {
      indices.push_back(static_cast<std::uint32_t>(4 * j + (i < rows / 2 ? 0 : 1)));
      values.push_back(random.normal());
    }
    offsets.push_back(indices.size());
    targets.push_back(values.back() + 0.3 * random.normal() > 0.1 ? 1 : -1);
  }
  const Dataset data = dataset(std::make_shared<SparseRows>(offsets, indices, values, columns), targets);
  for (const Bias bias : {Bias::free, Bias::regularized}) {
    const Risk risk{.loss = "logistic", .l2 = 1e-2, .bias = bias};
    EXPECT_LT(train(data, risk, options_of(with_gradients)).used_columns, columns);
    expect_the_same(data, risk, options_of(with_gradients), {2, 3, 8});
  }
}

/// Labels 2, 3, 5 and 7, from the targets of a regression.
Dataset four_classes(Random& random, const DataShape& shape) {
  Dataset data = random_data(random, Task::regression, shape).data;
  Vector sorted = data.targets;
  std::ranges::sort(sorted);
  const std::size_t quarter = sorted.size() / 4;
  for (double& y : data.targets)
    y = y < sorted[quarter] ? 2 : (y < sorted[2 * quarter] ? 7 : (y < sorted[3 * quarter] ? 3 : 5));
  return data;
}

TEST_F(RankTraining, HasTheResultOfOneProcessForEachClassAgainstTheRest) {
  Random random(1087);
  for (const bool weighted : {false, true})
    for (const Bias bias : {Bias::free, Bias::regularized}) {
      const Dataset data = four_classes(random, {.rows = 3001, .columns = 5, .density = 0.6, .weighted = weighted});
      expect_the_same(data, {.loss = "logistic", .l2 = 1e-3, .bias = bias}, options_of(with_gradients), {2, 3});
    }
}

TEST_F(RankTraining, HasTheResultOfOneProcessWithSoftmax) {
  Random random(1093);
  for (const Bias bias : {Bias::none, Bias::free, Bias::regularized}) {
    const Dataset data = four_classes(random, {.rows = 3001, .columns = 5, .density = 0.6, .weighted = true});
    for (const std::string_view method : {with_gradients, with_newton})
      expect_the_same(data, {.loss = "softmax", .l2 = 1e-3, .bias = bias}, options_of(method), {2, 5});
  }
}

TEST_F(RankTraining, HasTheResultOfOneProcessWithFewerRowsThanColumns) {
  Random random(1095);
  for (const double density : {0.1, 1.0}) {
    const Dataset data =
        random_data(random, Task::classification, {.rows = 600, .columns = 700, .density = density}).data;
    expect_the_same(data, {.loss = "logistic", .l2 = 1e-2, .bias = Bias::free}, options_of(with_gradients), {2, 3});
    expect_the_same(data, {.loss = "squared-hinge", .l2 = 1e-2, .bias = Bias::regularized}, options_of(with_gradients),
                    {3});
  }
}

TEST_F(RankTraining, ContinuesFromACheckpointOfAnyNumberOfRanks) {
  Random random(1093);
  const Dataset data = random_data(random, Task::classification, {.rows = 4001, .columns = 8, .density = 0.4}).data;
  const Risk risk{.loss = "logistic", .l2 = 1e-5, .bias = Bias::free};
  const auto trained_on = [&](std::size_t ranks, const std::string& path, std::uint64_t iterations) {
    std::string file;
    const auto thrown = run_ranks(ranks, [&](const std::shared_ptr<Communicator>& comm) {
      const Dataset here = on_ranks(rows_of_rank(data, comm->rank(), ranks), comm);
      CheckpointFile checkpoints(path, {.every = 4, .resume = true});
      TrainOptions options = options_of(with_gradients, 1e-12);
      options.minimize.max_iterations = iterations;
      const TrainResult trained = train(here, risk, checkpoints.add_to(options, here, risk));
      const Certificate certificate = gathered(here, *trained.certificate);
      if (comm->rank() == 0) file = file_of(trained.model, certificate, "trained");
    });
    EXPECT_EQ(thrown, std::vector<std::string>(ranks));
    return file;
  };
  TemporaryFolder folder;
  const std::string alone = trained_on(1, folder / "alone", 15);
  EXPECT_EQ(trained_on(3, folder / "three", 15), alone);
  EXPECT_EQ(contents(folder / "three"), contents(folder / "alone"));
  trained_on(2, folder / "stopped", 6);
  EXPECT_EQ(trained_on(4, folder / "stopped", 15), alone);
  EXPECT_EQ(contents(folder / "stopped"), contents(folder / "alone"));
}

TEST_F(RankTraining, WritesNoCertificateOfSomeRows) {
  Random random(1103);
  const Dataset data = random_data(random, Task::regression, {.rows = 20000, .columns = 3}).data;
  const auto thrown = run_ranks(2, [&](const std::shared_ptr<Communicator>& comm) {
    const Dataset here = on_ranks(rows_of_rank(data, comm->rank(), 2), comm);
    const TrainResult trained = train(here, {.loss = "squared", .l2 = 1e-2}, options_of(with_gradients));
    EXPECT_THROW(file_of(trained.model, *trained.certificate, "part"), std::invalid_argument);
  });
  EXPECT_EQ(thrown, std::vector<std::string>(2));
}

// With the dual values of all rows, of which each rank takes those of its own.
TEST_F(RankTraining, SoftmaxHasTheProofOfOneProcess) {
  Random random(1091);
  for (const bool weighted : {false, true})
    for (const Bias bias : {Bias::none, Bias::free, Bias::regularized}) {
      SCOPED_TRACE(::testing::Message() << (weighted ? "weighted, " : "") << to_string(bias));
      const Dataset data = four_classes(random, {.rows = 8501, .columns = 5, .density = 0.6, .weighted = weighted});
      const TrainResult trained =
          train(data, {.loss = "softmax", .l2 = 1e-2, .bias = bias}, options_of(with_gradients));
      const std::string alone = file_of(trained.model, certify(data, trained.model, trained.run.dual), "alone");
      for (const std::size_t ranks : {2u, 5u, 19u}) {
        const auto thrown = run_ranks(ranks, [&](const std::shared_ptr<Communicator>& comm) {
          const Dataset here = on_ranks(rows_of_rank(data, comm->rank(), ranks), comm);
          const Certificate certificate = certify(here, trained.model, trained.run.dual);
          EXPECT_TRUE(verify(here, trained.model, certificate).holds);
          EXPECT_TRUE(verify(here, trained.model, *trained.certificate).holds);
          EXPECT_EQ(judge(here, trained.model).proven.lower_bound, judge(data, trained.model).proven.lower_bound);
          const Certificate whole = gathered(here, certificate);
          if (comm->rank() == 0) {
            EXPECT_TRUE(file_of(trained.model, whole, "ranks") == alone);
          }
        });
        EXPECT_EQ(thrown, std::vector<std::string>(ranks));
      }
    }
}

INSTANTIATE_TEST_SUITE_P(AllLosses, RankTrainingWithLoss, ::testing::ValuesIn(losses().begin(), losses().end()),
                         [](const auto& test) { return test_name(std::string(test.param.name)); });

}  // namespace
}  // namespace geodescent::testing
