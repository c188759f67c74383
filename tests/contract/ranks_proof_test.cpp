// The promise of ranks.hpp for proofs: data on several ranks have the certificate of one process,
// byte by byte, and each verifies what the other has made.
#include <gtest/gtest.h>

#include <cmath>

#include "data/ranks/shared_rows.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/ranks.hpp"
#include "geodescent/threads.hpp"
#include "support/problems.hpp"
#include "support/rank_data.hpp"
#include "support/rank_models.hpp"
#include "support/temporary_folder.hpp"
#include "support/thread_ranks.hpp"

namespace geodescent::testing {
namespace {

class RankProofs : public ::testing::Test {
 protected:
  ~RankProofs() override { set_threads(before_); }

  std::string bytes_of(const Certificate& certificate, const std::string& name) const {
    const std::string path = folder_ / name;
    write_certificate(certificate, path);
    return contents(path);
  }

  /// Calls check(data of the rank, communicator) on so many ranks, with one or two threads.
  template <class Check>
  static void on_each(const Dataset& data, const std::vector<std::size_t>& counts, const Check& check) {
    for (const std::size_t ranks : counts) {
      SCOPED_TRACE(::testing::Message() << ranks << " ranks");
      set_threads(ranks % 2 == 0 ? 1 : 2);
      const auto thrown = run_ranks(ranks, [&](const std::shared_ptr<Communicator>& comm) {
        check(on_ranks(rows_of_rank(data, comm->rank(), ranks), comm), comm->rank());
      });
      EXPECT_EQ(thrown, std::vector<std::string>(ranks));
    }
  }

  void expect_the_same_proofs(const Dataset& data, const LinearModel& model, const Vector& slopes,
                              const std::vector<std::size_t>& counts) const {
    set_threads(2);
    const Certificate alone = certify(data, model, slopes), from_model = certify(data, model, {});
    const ProvenGap proven = prove(data, model, alone.dual), judged = judge(data, model).proven;
    const std::string bytes = bytes_of(alone, "alone"), bytes_from_model = bytes_of(from_model, "from_model");
    on_each(data, counts, [&](const Dataset& here, std::size_t rank) {
      const std::string name = "rank" + std::to_string(rank);
      const Certificate certificate = gathered(here, certify(here, model, numbers_here(here, slopes)));
      const Certificate second = gathered(here, certify(here, model, {}));
      if (rank == 0) {
        EXPECT_TRUE(bytes_of(certificate, name) == bytes);
        EXPECT_TRUE(bytes_of(second, name) == bytes_from_model);
      }
      EXPECT_EQ(fingerprint_with_constant(here, model.risk), alone.fingerprint);
      const Verification found = verify(here, model, alone);
      EXPECT_TRUE(found.holds) << found.reason;
      EXPECT_EQ(found.proven.value, proven.value);
      EXPECT_EQ(found.proven.lower_bound, proven.lower_bound);
      EXPECT_EQ(found.proven.reference, proven.reference);
      EXPECT_EQ(judge(here, model).proven.lower_bound, judged.lower_bound);
    });
  }

 private:
  static std::string fingerprint_with_constant(const Dataset& data, const Risk& risk) {
    return fingerprint(risk.bias == Bias::regularized ? with_constant(data, risk.constant) : data);
  }
  static Vector numbers_here(const Dataset& here, const Vector& all) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(here.ranks ? here.ranks->first_row() : 0);
    return {begin, begin + static_cast<std::ptrdiff_t>(here.targets.size())};
  }

  TemporaryFolder folder_;
  int before_ = threads();
};

class RankProofsWithLoss : public RankProofs, public ::testing::WithParamInterface<LossInfo> {};

TEST_P(RankProofsWithLoss, HaveTheBytesOfOneProcess) {
  if (GetParam().joint) GTEST_SKIP() << "has several columns";
  Random random(1009);
  for (const bool weighted : {false, true})
    for (const Bias bias : {Bias::none, Bias::free, Bias::regularized}) {
      SCOPED_TRACE(::testing::Message() << (weighted ? "weighted, " : "") << to_string(bias));
      const double density = weighted ? 1 : 0.2;
      const RandomData problem =
          random_data(random, GetParam().task, {.rows = 5003, .columns = 12, .density = density, .weighted = weighted});
      const Trained run = trained(problem.data, risk_of(GetParam().name, bias), 5);
      expect_the_same_proofs(problem.data, run.model, run.slopes, {3});
    }
}

TEST_F(RankProofs, HaveTheBytesOfOneProcessForEveryNumberOfRanks) {
  Random random(1013);
  const RandomData problem =
      random_data(random, Task::classification, {.rows = 20001, .columns = 9, .density = 0.4, .weighted = true});
  const Trained run = trained(problem.data, risk_of("logistic", Bias::free), 6);
  expect_the_same_proofs(problem.data, run.model, run.slopes, {1, 2, 3, 4, 5, 8});
}

TEST_F(RankProofs, HaveTheBytesOfOneProcessOnFewRows) {
  Random random(1019);
  for (const std::size_t rows : {12u, 513u, 1500u}) {
    SCOPED_TRACE(rows);
    const RandomData problem = random_data(random, Task::regression, {.rows = rows, .columns = 4});
    const Trained run = trained(problem.data, risk_of("squared", Bias::free), 4);
    expect_the_same_proofs(problem.data, run.model, run.slopes, {2, 8});
  }
}

// Ranks share blocks, and some of them may have no rows.
TEST_F(RankProofs, HaveTheBytesOfOneProcessOnMoreRanksThanBlocks) {
  Random random(1023);
  for (const std::size_t rows : {7u, 9001u})
    for (const double density : {0.5, 1.0}) {
      SCOPED_TRACE(::testing::Message() << rows << " rows, density " << density);
      const RandomData problem =
          random_data(random, Task::regression, {.rows = rows, .columns = 5, .density = density, .weighted = true});
      const Trained run = trained(problem.data, risk_of("huber", Bias::free), 4);
      expect_the_same_proofs(problem.data, run.model, run.slopes, {9, 20});
    }
}

// Each rank continues the sums of columns that the ranks before it have begun. With few entries,
// most columns are empty.
TEST_F(RankProofs, HaveTheBytesOfOneProcessOnManyColumns) {
  Random random(1021);
  for (const std::size_t columns : {4000u, 60000u}) {
    SCOPED_TRACE(columns);
    const RandomData problem = random_data(random, Task::classification, {.rows = 3000, .columns = 20, .density = 0.4});
    Dataset wide = problem.data;
    SparseArrays arrays = dynamic_cast<const SparseRows&>(*wide.rows).arrays();
    const std::size_t stride = columns / 20;
    std::visit(
        [&](const auto& indices) {
          std::vector<std::uint32_t> spread;
          for (std::size_t k = 0; k < indices.size(); ++k)
            spread.push_back(static_cast<std::uint32_t>(indices[k] * stride + k % stride));
          arrays.indices = SharedArray(std::move(spread));
        },
        arrays.indices);
    arrays.columns = columns;
    wide.rows = std::make_shared<SparseRows>(arrays);
    LinearModel model;
    model.risk = risk_of("logistic", Bias::free, 1e-2);
    model.weights.resize(columns);
    for (std::size_t j = 0; j < columns; j += 7) model.weights[j] = 0.1 * random.normal();
    model.bias_weights = {0.25};
    model.labels = binary_labels(wide);
    expect_the_same_proofs(wide, model, slopes_at(wide, model), {2, 3, 8});
  }
}

TEST_F(RankProofs, HaveTheBytesOfOneProcessWithExtremeWeights) {
  Random random(1031);
  for (const std::string_view loss : {"logistic", "huber"}) {
    SCOPED_TRACE(loss);
    RandomData problem = random_data(random, loss_named(loss).task, {.rows = 2500, .columns = 3, .weighted = true});
    for (double& weight : problem.data.weights) weight = random.log_uniform(1e-200, 1e10);
    const Trained run = trained(problem.data, risk_of(loss, Bias::free), 5);
    expect_the_same_proofs(problem.data, run.model, run.slopes, {2, 5});
  }
}

TEST_F(RankProofs, PassColumnsOnOnceForEachBound) {
  Random random(1097);
  const RandomData problem = random_data(random, Task::classification, {.rows = 6000, .columns = 50});
  const Trained run = trained(problem.data, risk_of("logistic", Bias::free), 4);
  const Certificate certificate = certify(problem.data, run.model, run.slopes);
  const auto thrown = run_ranks(3, [&](const std::shared_ptr<Communicator>& comm) {
    const Dataset here = on_ranks(rows_of_rank(problem.data, comm->rank(), 3), comm);
    const Traffic before = comm->traffic();
    (void)prove(here, run.model, certificate.dual);
    const Traffic after = comm->traffic();
    EXPECT_LE(after.rounds - before.rounds, 20u);
    // A column is four numbers; each of 64 blocks of rows has three for a sum.
    EXPECT_LE(after.bytes - before.bytes, 8 * (4 * 50 + 2 * 64 * 3 + 100));
  });
  EXPECT_EQ(thrown, std::vector<std::string>(3));
}

/// A model of a loss that has not been trained.
LinearModel some_model(Random& random, const Dataset& data, const Risk& risk) {
  LinearModel model;
  model.risk = risk;
  for (std::size_t j = 0; j < data.rows->columns(); ++j) model.weights.push_back(0.1 * random.normal());
  if (risk.bias == Bias::free) model.bias_weights = {0.5};
  if (loss_named(risk.loss).task == Task::classification) model.labels = binary_labels(data);
  return model;
}

// A double near the kink of the loss has too few digits for the optimal intercept; the slow way has
// numbers of all rows.
TEST_F(RankProofs, HaveTheBytesOfOneProcessWhereDoubleHasTooFewDigits) {
  Random random(1033);
  RandomData classes = random_data(random, Task::classification, {.rows = 1500, .columns = 3, .weighted = true});
  for (std::size_t i = 0; i < 1500; ++i) classes.data.weights[i] = classes.data.targets[i] > 0 ? 1 : 1e-20;
  const LinearModel hinge = some_model(random, classes.data, risk_of("smoothed-hinge", Bias::free));
  expect_the_same_proofs(classes.data, hinge, slopes_at(classes.data, hinge), {2, 5});

  RandomData tiny = random_data(random, Task::regression, {.rows = 1500, .columns = 3, .weighted = true});
  for (double& y : tiny.data.targets) y *= 1e-160;
  LinearModel squared = some_model(random, tiny.data, risk_of("squared", Bias::free));
  squared.weights.assign(squared.weights.size(), 1e-170);
  squared.bias_weights = {0};
  expect_the_same_proofs(tiny.data, squared, slopes_at(tiny.data, squared), {2, 5});
}

INSTANTIATE_TEST_SUITE_P(AllLosses, RankProofsWithLoss, ::testing::ValuesIn(losses().begin(), losses().end()),
                         [](const auto& test) { return test_name(std::string(test.param.name)); });

}  // namespace
}  // namespace geodescent::testing
