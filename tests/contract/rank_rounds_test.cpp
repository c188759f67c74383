// How often ranks wait for each other, and what they send: docs/guides/several-machines.md has the
// table.
#include <gtest/gtest.h>

#include <functional>

#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/ranks.hpp"
#include "learn/softmax/softmax_risk.hpp"
#include "optimize/oracles/hessian_model.hpp"
#include "optimize/oracles/subspace_model.hpp"
#include "support/problems.hpp"
#include "support/rank_data.hpp"
#include "support/thread_ranks.hpp"

namespace geodescent::testing {
namespace {

constexpr std::size_t two_ranks = 2;

/// An oracle of data on two ranks, and what they exchange.
class CountedRank {
 public:
  CountedRank(const Objective& f, Communicator& ranks) : oracle(f.oracle()), ranks_(ranks) {}

  Traffic exchanged(const std::function<void()>& action) const {
    const Traffic before = ranks_.traffic();
    action();
    return {ranks_.traffic().rounds - before.rounds, ranks_.traffic().bytes - before.bytes};
  }
  Point lifted(double entry) const {
    Point p(oracle->dimension(), oracle->image_size());
    for (std::size_t j = 0; j < p.x.size(); ++j) p.x[j] = entry * (1 + static_cast<double>(j % 7));
    oracle->lift(p);
    return p;
  }

  std::unique_ptr<Oracle> oracle;

 private:
  Communicator& ranks_;
};

/// Calls check(rank) on each of two ranks with an objective that make(data) makes.
void on_two_ranks(const Dataset& data, const std::function<std::unique_ptr<Objective>(const Dataset&)>& make,
                  const std::function<void(CountedRank& rank)>& check) {
  const auto thrown = run_ranks(two_ranks, [&](const std::shared_ptr<Communicator>& comm) {
    const auto f = make(on_ranks(rows_of_rank(data, comm->rank(), two_ranks), comm));
    CountedRank rank(*f, *comm);
    check(rank);
  });
  EXPECT_EQ(thrown, std::vector<std::string>(two_ranks));
}

/// A search in a subspace of three directions, then of four, at the same and at another point.
void expect_few_rounds_of_a_subspace(CountedRank& rank, std::uint64_t first, std::uint64_t later) {
  Oracle& f = *rank.oracle;
  Basis basis(f.dimension(), f.image_size(), 30);
  Reduced reduced(f.image_size(), 30, f.facts().outputs);
  const auto add_direction = [&] {
    Point v(f.dimension(), f.image_size());
    v.x[basis.size()] = 1;
    f.lift(v);
    ASSERT_TRUE(basis.add(v));
  };
  for (int k = 0; k < 20; ++k) add_direction();
  const Point x = rank.lifted(1e-3), y = rank.lifted(2e-2), far = rank.lifted(1);
  const auto rounds_at = [&](const Point& p) {
    return rank.exchanged([&] { f.subspace()->reduce(basis, p, reduced); }).rounds;
  };
  EXPECT_LE(rounds_at(x), first);
  EXPECT_LE(rounds_at(x), later);
  add_direction();
  add_direction();
  EXPECT_LE(rounds_at(x), later);
  EXPECT_LE(rounds_at(y), later);
  EXPECT_LE(rounds_at(far), later);
}

TEST(RankRounds, OfARiskAreOneForEachCall) {
  Random random(941);
  const RandomData problem = random_data(random, Task::classification, {.rows = 6000, .columns = 50});
  const auto make = [](const Dataset& data) { return make_risk("logistic", data, 1e-3); };
  on_two_ranks(problem.data, make, [](CountedRank& rank) {
    Oracle& f = *rank.oracle;
    Point x(f.dimension(), f.image_size());
    EXPECT_EQ(rank.exchanged([&] { f.lift(x); }).rounds, 0u);
    Vector g(f.dimension());
    const Traffic of_gradient = rank.exchanged([&] { f.gradient(x, g); });
    EXPECT_EQ(of_gradient.rounds, 1u);
    EXPECT_EQ(of_gradient.bytes, 8 * (50 + 6));
    const Point d = rank.lifted(1e-2);
    Line line(f.dimension());
    line.set(x, d);
    EXPECT_EQ(rank.exchanged([&] { f.on(line, 1); }).rounds, 1u);
    expect_few_rounds_of_a_subspace(rank, 1, 2);
    Hessian h = f.hessian()->hessian_memory();
    EXPECT_EQ(rank.exchanged([&] { f.hessian()->hessian_at(x, 0, h); }).rounds, 1u);
  });
}

TEST(RankRounds, OfAFreeInterceptAreOneMoreForEachStepOfItsSearch) {
  Random random(947);
  const RandomData problem = random_data(random, Task::classification, {.rows = 6000, .columns = 50});
  const auto make = [](const Dataset& data) { return make_risk("logistic", data, 1e-3, {}, Bias::free); };
  on_two_ranks(problem.data, make, [](CountedRank& rank) {
    Oracle& f = *rank.oracle;
    const Point x = rank.lifted(1e-3);
    Vector g(f.dimension());
    f.gradient(x, g);
    EXPECT_EQ(rank.exchanged([&] { f.gradient(x, g); }).rounds, 2u);  // one step of the search
    expect_few_rounds_of_a_subspace(rank, 2, 6);
  });
}

TEST(RankRounds, OfSoftmaxAreAsFew) {
  Random random(953);
  Dataset data = random_data(random, Task::regression, {.rows = 3000, .columns = 20}).data;
  for (std::size_t i = 0; i < 3000; ++i) data.targets[i] = static_cast<double>(i % 4);
  const auto make = [](const Dataset& here) {
    return std::make_unique<SoftmaxRisk>(here, L2(1e-3), std::size_t{4}, Bias::none);
  };
  on_two_ranks(data, make, [](CountedRank& rank) {
    Oracle& f = *rank.oracle;
    const Point x = rank.lifted(1e-3), d = rank.lifted(1e-2);
    Vector g(f.dimension());
    EXPECT_EQ(rank.exchanged([&] { f.gradient(x, g); }).rounds, 1u);
    Line line(f.dimension());
    line.set(x, d);
    EXPECT_EQ(rank.exchanged([&] { f.on(line, 1); }).rounds, 1u);
    expect_few_rounds_of_a_subspace(rank, 1, 2);
    Hessian h = f.hessian()->hessian_memory();
    EXPECT_EQ(rank.exchanged([&] { f.hessian()->hessian_at(x, 0, h); }).rounds, 2u);  // also whether all rows are alike
  });
}

// Every rank has the images of all rows, so sums over them need no messages.
TEST(RankRounds, OfRowFormAreForProductsOnly) {
  Random random(967);
  const RandomData problem = random_data(random, Task::classification, {.rows = 60, .columns = 500, .density = 0.2});
  const auto make = [](const Dataset& data) { return make_risk("logistic", data, 1e-3, {}, Bias::free); };
  on_two_ranks(problem.data, make, [](CountedRank& rank) {
    rank.oracle = rank.oracle->row_form(Vector(500));
    Oracle& f = *rank.oracle;
    const Point x = rank.lifted(1e-3), d = rank.lifted(1e-2);
    Vector g(f.dimension());
    const Traffic of_gradient = rank.exchanged([&] { f.gradient(x, g); });
    EXPECT_EQ(of_gradient.rounds, 2u);  // the product of columns, and the images
    EXPECT_LE(of_gradient.bytes, 8 * (500 + 60));
    Line line(f.dimension(), f.product());
    line.set(x, d);
    EXPECT_EQ(rank.exchanged([&] { f.on(line, 1); }).rounds, 0u);
  });
}

// Many columns without entries, in blocks of rows and in parts of columns.
TEST(RankRounds, LeaveOutZeros) {
  constexpr std::size_t columns = 300000;
  for (const std::size_t rows : {500u, 9000u}) {
    Random random(977);
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> indices;
    Vector values, targets;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::uint32_t k = 0; k < 120; ++k) {
        indices.push_back(k * 2000 + static_cast<std::uint32_t>(random.below(100)));
        values.push_back(random.normal());
      }
      offsets.push_back(indices.size());
      targets.push_back(i % 2 == 0 ? 1 : -1);
    }
    const Dataset data = dataset(std::make_shared<SparseRows>(offsets, indices, values, columns), Vector(targets));
    const auto f = make_risk("logistic", data, 1e-3);
    Vector expected(columns);
    const double value = f->evaluate(Vector(columns, 1e-2), expected);
    const auto make = [](const Dataset& here) { return make_risk("logistic", here, 1e-3); };
    on_two_ranks(data, make, [&](CountedRank& rank) {
      Point x(columns, rank.oracle->image_size());
      x.x.assign(columns, 1e-2);
      rank.oracle->lift(x);
      Vector g(columns);
      Evaluation e;
      const Traffic of_gradient = rank.exchanged([&] { e = rank.oracle->gradient(x, g); });
      EXPECT_EQ(e.value, value);
      EXPECT_EQ(g, expected);
      EXPECT_LE(of_gradient.bytes, 8 * (12000 + columns / 32 + 1000));
    });
  }
}

// Each iteration has one gradient and one decision to go on.
TEST(RankRounds, OfARunFollowFromItsCounts) {
  Random random(971);
  const RandomData problem = random_data(random, Task::classification, {.rows = 6000, .columns = 40});
  const auto thrown = run_ranks(two_ranks, [&](const std::shared_ptr<Communicator>& comm) {
    const auto f = make_risk("logistic", on_ranks(rows_of_rank(problem.data, comm->rank(), two_ranks), comm), 1e-4);
    const std::uint64_t before = comm->traffic().rounds;
    const Result r = minimize(*f, "geod-memory:directions=gradients", Vector(40), {.gap_tolerance = 1e-9});
    EXPECT_EQ(r.status, Status::converged);
    const std::uint64_t rounds = comm->traffic().rounds - before;
    EXPECT_LE(rounds, r.counts.backward_passes + r.counts.line_evaluations + 2 * r.counts.subspace_evaluations +
                          r.iterations + 1);
  });
  EXPECT_EQ(thrown, std::vector<std::string>(two_ranks));
}

}  // namespace
}  // namespace geodescent::testing
