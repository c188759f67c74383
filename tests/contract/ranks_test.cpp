// The promise of ranks.hpp: a risk whose rows are on several ranks has the bits of one process, for
// every loss and method and every number of ranks and threads.
#include "geodescent/ranks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <new>
#include <stdexcept>

#include "data/ranks/rank_messages.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/cross_validation.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/threads.hpp"
#include "support/problems.hpp"
#include "support/rank_data.hpp"
#include "support/thread_ranks.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

struct RankOutcome {
  Vector x, intercepts;
  double value = 0, lower_bound = 0, gradient_norm = 0;
  std::uint64_t iterations = 0;
  bool operator==(const RankOutcome&) const = default;
};

struct RankRun {
  std::string loss = "logistic";
  Bias bias = Bias::none;
  MethodChoice method;
  double lambda = 1e-3;
  std::uint64_t iterations = 6;
};

RankOutcome outcome_of(const RankRun& run, const Dataset& data) {
  const auto f = make_risk(run.loss, data, run.lambda, {}, run.bias);
  const Result r =
      minimize(*f, run.method, Vector(f->dimension()), {.gap_tolerance = 0, .max_iterations = run.iterations});
  return {r.x, r.intercepts, r.value, r.lower_bound, r.gradient_norm, r.iterations};
}

class Ranks : public ::testing::Test {
 protected:
  ~Ranks() override { set_threads(before_); }

  static void expect_same_bits(const RankRun& run, const Dataset& data, const std::vector<std::size_t>& counts) {
    set_threads(1);
    const RankOutcome alone = outcome_of(run, data);
    for (const std::size_t ranks : counts) {
      set_threads(ranks % 2 == 0 ? 1 : 2);
      std::vector<RankOutcome> of_rank(ranks);
      const auto thrown = run_ranks(ranks, [&](const std::shared_ptr<Communicator>& comm) {
        of_rank[comm->rank()] = outcome_of(run, on_ranks(rows_of_rank(data, comm->rank(), ranks), comm));
      });
      for (std::size_t r = 0; r < ranks; ++r) {
        EXPECT_EQ(thrown[r], "");
        EXPECT_TRUE(of_rank[r] == alone) << "rank " << r << " of " << ranks;
      }
    }
  }

 private:
  int before_ = threads();
};

TEST_F(Ranks, HaveTheConstantColumnOfOneProcess) {
  Random random(931);
  for (const double density : {0.2, 1.0}) {
    const RandomData problem =
        random_data(random, Task::classification, {.rows = 9001, .columns = 12, .density = density});
    set_threads(2);
    const RankRun run{.bias = Bias::regularized, .method = method_of(with_newton)};
    const RankOutcome alone = outcome_of(run, with_constant(problem.data, 2));
    for (const std::size_t ranks : {2u, 5u}) {
      const auto thrown = run_ranks(ranks, [&](const std::shared_ptr<Communicator>& comm) {
        const Dataset data = on_ranks(rows_of_rank(problem.data, comm->rank(), ranks), comm);
        EXPECT_TRUE(outcome_of(run, with_constant(data, 2)) == alone) << ranks;
      });
      EXPECT_EQ(thrown, std::vector<std::string>(ranks));
    }
  }
}

TEST_F(Ranks, CountTheRowsOfAllRanks) {
  Random random(933);
  const RandomData problem =
      random_data(random, Task::classification, {.rows = 3001, .columns = 3, .density = 0.5, .weighted = true});
  for (const std::size_t ranks : {1u, 2u, 3u, 8u}) {
    const auto thrown = run_ranks(ranks, [&](const std::shared_ptr<Communicator>& comm) {
      const Dataset data = on_ranks(rows_of_rank(problem.data, comm->rank(), ranks), comm);
      EXPECT_EQ(data.ranks == nullptr, ranks == 1);
      EXPECT_EQ(number_of_rows(data), 3001u);
      EXPECT_EQ(data.nonzeros, problem.data.rows->nonzeros());
      EXPECT_EQ(with_constant(data, 1).nonzeros, problem.data.rows->nonzeros() + 3001);
      EXPECT_EQ(total_weight(data), total_weight(problem.data));
      EXPECT_EQ(class_rows(data), class_rows(problem.data));
      const BinaryLabels found = binary_labels(data), expected = binary_labels(problem.data);
      EXPECT_EQ(found.positive, expected.positive);
      EXPECT_EQ(found.negatives, expected.negatives);
      EXPECT_EQ(found.positives, expected.positives);
    });
    EXPECT_EQ(thrown, std::vector<std::string>(ranks));
  }
}

/// The methods without dual epochs, which ranks do not have.
std::vector<std::string_view> methods_of_ranks() {
  std::vector<std::string_view> methods;
  for (const std::string_view method : method_variants())
    if (method != with_dual && method != "geod-memory") methods.push_back(method);
  return methods;
}

class RanksWithLoss : public Ranks, public ::testing::WithParamInterface<LossInfo> {};

TEST_P(RanksWithLoss, HaveTheBitsOfOneProcess) {
  Random random(911);
  for (const bool weighted : {false, true}) {
    const double density = weighted ? 1 : 0.15;
    const RandomData problem =
        random_data(random, GetParam().task, {.rows = 5003, .columns = 20, .density = density, .weighted = weighted});
    for (const Bias bias : {Bias::none, Bias::free})
      for (const std::string_view method : {with_gradients, with_newton, with_quasi_newton}) {
        SCOPED_TRACE(::testing::Message()
                     << method << (weighted ? ", weighted" : "") << (bias == Bias::free ? ", free intercept" : ""));
        expect_same_bits({std::string(GetParam().name), bias, method_of(method)}, problem.data, {3});
      }
  }
}

TEST_F(Ranks, HaveTheBitsOfOneProcessWithEveryMethod) {
  Random random(919);
  const RandomData problem = random_data(random, Task::classification, {.rows = 9001, .columns = 12, .density = 0.4});
  for (const std::string_view method : methods_of_ranks()) {
    SCOPED_TRACE(method);
    expect_same_bits({.bias = Bias::free, .method = method_of(method)}, problem.data, {3});
  }
}

TEST_F(Ranks, HaveTheBitsOfOneProcessForEveryNumberOfThem) {
  Random random(923);
  const RandomData problem = random_data(random, Task::classification, {.rows = 9001, .columns = 12, .density = 0.4});
  for (const std::string_view method : {with_gradients, with_newton})
    expect_same_bits({.bias = Bias::free, .method = method_of(method)}, problem.data, {1, 2, 4, 5, 8});
}

// Blocks of different sums end at different rows; Hessians are kept, extended and updated.
TEST_F(Ranks, HaveTheBitsOfOneProcessInLongRunsOnManyRows) {
  Random random(929);
  const RandomData problem = random_data(random, Task::classification, {.rows = 40001, .columns = 40, .density = 0.1});
  const std::string method = "geod-memory:directions=gradients";
  expect_same_bits({"logistic", Bias::free, method, 1e-5, 20}, problem.data, {2});
  expect_same_bits({"smoothed-hinge", Bias::free, method, 1e-5, 20}, problem.data, {5});
}

TEST_F(Ranks, HaveTheBitsOfOneProcessOnFewRows) {
  Random random(937);
  for (const std::size_t rows : {20u, 513u, 1500u}) {
    SCOPED_TRACE(rows);
    const RandomData problem = random_data(random, Task::regression, {.rows = rows, .columns = 7});
    expect_same_bits({"squared", Bias::free, method_of(with_gradients)}, problem.data, {2, 8});
    expect_same_bits({"huber", Bias::none, method_of(with_newton)}, problem.data, {3});
  }
}

TEST_F(Ranks, StopTogether) {
  Random random(947);
  const RandomData problem = random_data(random, Task::classification, {.rows = 3000, .columns = 5});
  for (const bool by_time : {false, true}) {
    std::vector<Result> results(3);
    const auto thrown = run_ranks(3, [&](const std::shared_ptr<Communicator>& comm) {
      const auto f = make_risk("logistic", on_ranks(rows_of_rank(problem.data, comm->rank(), 3), comm), 1e-6);
      Options options{.gap_tolerance = 0};
      Observer observer;
      if (comm->rank() == 1 && by_time) options.max_seconds = 0;
      if (comm->rank() == 1 && !by_time) observer = [](const Progress& at) { return at.iteration < 2; };
      results[comm->rank()] = minimize(*f, "sd", Vector(5), options, observer);
    });
    EXPECT_EQ(thrown, std::vector<std::string>(3));
    for (const Result& r : results) {
      EXPECT_EQ(r.status, by_time ? Status::time_limit : Status::stopped_by_observer);
      EXPECT_EQ(r.iterations, by_time ? 0u : 2u);
    }
  }
}

// Errors -----------------------------------------------------------------------------------------

void expect_all_throw(const std::function<Dataset(std::size_t rank)>& data, const std::vector<std::string>& messages) {
  const auto thrown = run_ranks(messages.size(), [&](const std::shared_ptr<Communicator>& comm) {
    (void)make_risk("logistic", on_ranks(data(comm->rank()), comm), 1e-3);
  });
  for (std::size_t r = 0; r < messages.size(); ++r)
    EXPECT_NE(thrown[r].find(messages[r]), std::string::npos) << "rank " << r << ": " << thrown[r];
}

TEST_F(Ranks, AllThrowIfTheRowsOfOneAreInvalid) {
  expect_all_throw(
      [](std::size_t rank) {
        Dataset data = dataset(std::make_shared<DenseRows>(Vector{1, 2, 3, 4}, 1), {1, -1, 1, -1});
        if (rank == 1) data.targets[2] = std::nan("");
        return data;
      },
      std::vector<std::string>(3, "rank 1: row 2: the target nan is not finite"));
}

// A verdict on the data is an InputError on all ranks; a lack of memory is a verdict on none of
// them.
TEST_F(Ranks, AllThrowTheErrorOfTheFirst) {
  const auto thrown_by = [](auto error_of_rank_1) {
    std::vector<std::string> kinds(3);
    run_ranks(3, [&](const std::shared_ptr<Communicator>& comm) {
      std::string& kind = kinds[comm->rank()];
      try {
        std::exception_ptr error;
        if (comm->rank() == 1) error = std::make_exception_ptr(error_of_rank_1);
        if (comm->rank() == 2) error = std::make_exception_ptr(InputError("of rank 2"));
        throw_on_all(*comm, error);
      } catch (const InputError& e) {
        kind = std::string("input: ") + e.what();
      } catch (const std::invalid_argument& e) {
        kind = std::string("argument: ") + e.what();
      } catch (const std::bad_alloc&) {
        kind = "memory";
      } catch (const std::exception& e) {
        kind = std::string("other: ") + e.what();
      }
    });
    return kinds;
  };
  EXPECT_EQ(thrown_by(InputError("row 7 \xc3\xa4")), std::vector<std::string>(3, "input: row 7 \xc3\xa4"));
  EXPECT_EQ(thrown_by(std::invalid_argument("l2")), std::vector<std::string>(3, "argument: l2"));
  EXPECT_EQ(thrown_by(std::bad_alloc()), std::vector<std::string>(3, "memory"));
  const std::string elsewhere = "other: rank 1: disk";
  EXPECT_EQ(thrown_by(std::runtime_error("disk")), (std::vector<std::string>{elsewhere, "other: disk", elsewhere}));
}

TEST_F(Ranks, AllThrowIfTheirRowsDoNotFitEachOther) {
  const auto dense = [](std::size_t columns, Vector targets) {
    return dataset(std::make_shared<DenseRows>(Vector(columns * targets.size(), 1.5), columns), targets);
  };
  expect_all_throw(
      [&](std::size_t rank) {
        return dense(1 + rank, {1, -1, 1});
      },
      {"the same number of columns", "the same number of columns"});
  expect_all_throw(
      [&](std::size_t) {
        return dense(1, {3, 3, 3});
      },
      {"only one class (6 rows with the label 3)", "only one class (6 rows with the label 3)"});
  expect_all_throw(
      [&](std::size_t rank) {
        return dense(1, {3, 4, 5.0 + static_cast<double>(rank)});
      },
      {"4 classes (labels 3, 4, 5, 6)", "4 classes (labels 3, 4, 5, 6)"});
  expect_all_throw(
      [&](std::size_t rank) {
        Dataset data = dense(1, {1, -1, 1});
        if (rank == 0) data.weights = {1, 2, 3};
        return data;
      },
      {"either all ranks have sample weights or none", "either all ranks have sample weights or none"});
}

TEST_F(Ranks, AreRefusedWhereOneProcessIsNeeded) {
  Random random(943);
  const RandomData problem = random_data(random, Task::classification, {.rows = 40, .columns = 2});
  const auto thrown = run_ranks(2, [&](const std::shared_ptr<Communicator>& comm) {
    const Dataset data = on_ranks(rows_of_rank(problem.data, comm->rank(), 2), comm);
    EXPECT_THROW((void)on_ranks(data, comm), std::invalid_argument);
    EXPECT_THROW((void)fold_of_rows(data, Task::classification, 2, 1), std::invalid_argument);
    EXPECT_THROW((void)rows_of(data, std::vector<std::size_t>{0}), std::invalid_argument);
    EXPECT_THROW((void)cross_validate(data, {.loss = "logistic", .l2 = 1}, std::vector<double>{1}, 2, 1),
                 std::invalid_argument);
  });
  EXPECT_EQ(thrown, std::vector<std::string>(2));
}

INSTANTIATE_TEST_SUITE_P(AllLosses, RanksWithLoss, ::testing::ValuesIn(losses().begin(), losses().end()),
                         [](const auto& test) { return test_name(std::string(test.param.name)); });

}  // namespace
}  // namespace geodescent::testing
