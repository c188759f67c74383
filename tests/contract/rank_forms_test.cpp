// Ranks have the bits of one process in every form of a risk: several classes, fewer rows than
// columns, very wide sparse rows, products with more digits.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "data/ranks/shared_rows.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/ranks.hpp"
#include "geodescent/threads.hpp"
#include "learn/softmax/softmax_risk.hpp"
#include "support/problems.hpp"
#include "support/rank_data.hpp"
#include "support/thread_ranks.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

struct FormOutcome {
  Vector x, intercepts;
  double value = 0, lower_bound = 0, gradient_norm = 0;
  std::uint64_t iterations = 0;
  std::string message;
  bool operator==(const FormOutcome&) const = default;
};

/// What to do with data on ranks or in one process.
using FormRun = std::function<FormOutcome(const Dataset&)>;

FormOutcome minimized(const Objective& f, const MethodChoice& method, std::uint64_t iterations, Vector x0 = {}) {
  x0.resize(f.dimension());
  const Result r = minimize(f, method, x0, {.gap_tolerance = 0, .max_iterations = iterations});
  return {r.x, r.intercepts, r.value, r.lower_bound, r.gradient_norm, r.iterations, r.message};
}

class RankForms : public ::testing::Test {
 protected:
  ~RankForms() override { set_threads(before_); }

  static void expect_same_bits(const Dataset& data, const FormRun& run, const std::vector<std::size_t>& counts) {
    set_threads(1);
    const FormOutcome alone = run(data);
    for (const std::size_t ranks : counts)
      for (const int threads_of_rank : {1, 2}) {
        if (counts.size() == 1 && threads_of_rank == 2) continue;
        set_threads(threads_of_rank);
        std::vector<FormOutcome> of_rank(ranks);
        const auto thrown = run_ranks(ranks, [&](const std::shared_ptr<Communicator>& comm) {
          of_rank[comm->rank()] = run(on_ranks(rows_of_rank(data, comm->rank(), ranks), comm));
        });
        for (std::size_t r = 0; r < ranks; ++r) {
          EXPECT_EQ(thrown[r], "");
          EXPECT_EQ(of_rank[r].message, alone.message);
          EXPECT_TRUE(of_rank[r] == alone) << "rank " << r << " of " << ranks << ", " << threads_of_rank << " threads";
        }
      }
  }

 private:
  int before_ = threads();
};

const std::vector<std::size_t> every_number{1, 2, 3, 4, 8}, and_more{1, 2, 3, 4, 8, 11};

/// All but dual epochs, which ranks do not have.
std::vector<std::string_view> methods_without_dual() {
  std::vector<std::string_view> methods;
  for (const std::string_view method : method_variants())
    if (method != with_dual) methods.push_back(method);
  return methods;
}

// Several classes --------------------------------------------------------------------------------

Dataset of_classes(Random& random, std::size_t classes, const DataShape& shape) {
  Dataset data = random_data(random, Task::regression, shape).data;
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    const double y = std::abs(data.targets[i]) + random.uniform(0, 1);
    data.targets[i] = i < classes ? static_cast<double>(i) : std::fmod(std::floor(y), static_cast<double>(classes));
  }
  return data;
}

FormRun softmax(std::size_t classes, Bias bias, std::string_view method, std::uint64_t iterations = 5) {
  return [=](const Dataset& data) {
    return minimized(SoftmaxRisk(data, L2(1e-3), classes, bias), method_of(method), iterations);
  };
}

TEST_F(RankForms, HaveTheBitsOfOneProcessWithSoftmaxAndEveryMethod) {
  Random random(1009);
  const Dataset data = of_classes(random, 3, {.rows = 5003, .columns = 9, .density = 0.4});
  for (const std::string_view method : methods_without_dual())
    for (const Bias bias : {Bias::none, Bias::free}) {
      SCOPED_TRACE(::testing::Message() << method << (bias == Bias::free ? ", free intercepts" : ""));
      expect_same_bits(data, softmax(3, bias, method), {3});
    }
}

TEST_F(RankForms, HaveTheBitsOfOneProcessWithSoftmaxForEveryNumberOfThem) {
  Random random(1013);
  const Dataset data = of_classes(random, 5, {.rows = 3001, .columns = 6, .weighted = true});
  for (const std::string_view method : {with_gradients, with_newton})
    expect_same_bits(data, softmax(5, Bias::free, method), and_more);
}

TEST_F(RankForms, HaveTheBitsOfOneProcessWithSoftmaxOverFewAndManyClasses) {
  Random random(1019);
  const Dataset two = of_classes(random, 2, {.rows = 9001, .columns = 30, .density = 0.2});
  expect_same_bits(two, softmax(2, Bias::free, with_newton), {2});
  expect_same_bits(two, softmax(2, Bias::none, with_gradients, 20), {5});
  const Dataset many = of_classes(random, 60, {.rows = 2500, .columns = 3});
  expect_same_bits(many, softmax(60, Bias::free, with_gradients), {4});
  expect_same_bits(with_constant(many, 1), softmax(60, Bias::none, with_newton), {2});
}

TEST_F(RankForms, HaveTheBitsOfOneProcessWithClassesThatNoRowHas) {
  Random random(1021);
  const Dataset data = of_classes(random, 3, {.rows = 4001, .columns = 2});
  expect_same_bits(data, softmax(37, Bias::none, with_gradients), {3});
}

/// Ranks that hold fewer rows than on_ranks has given them.
struct FewerRows final : SharedRows {
  explicit FewerRows(const SharedRows& those) : SharedRows(those) { held.front().end /= 2; }
  Dataset with_constant(Dataset data, double /*constant*/) const override { return data; }
  void order_rows(Dataset& /*data*/) const override {}
};

TEST_F(RankForms, RefuseSoftmaxWhoseRowsTheyDoNotHold) {
  Random random(1021);
  const Dataset data = of_classes(random, 3, {.rows = 20001, .columns = 2});
  const auto thrown = run_ranks(3, [&](const std::shared_ptr<Communicator>& comm) {
    Dataset here = on_ranks(rows_of_rank(data, comm->rank(), 3), comm);
    here.ranks = std::make_shared<FewerRows>(*here.ranks);
    (void)SoftmaxRisk(here, L2(1), 3, Bias::none);
  });
  for (const std::string& message : thrown)
    EXPECT_NE(message.find("3 different targets"), std::string::npos) << message;
}

// Fewer rows than columns ------------------------------------------------------------------------

TEST_F(RankForms, HaveTheBitsOfOneProcessWithFewerRowsThanColumns) {
  Random random(1031);
  for (const double density : {0.1, 1.0}) {
    const RandomData problem =
        random_data(random, Task::classification, {.rows = 701, .columns = 800, .density = density, .weighted = true});
    for (const std::string_view method : {with_gradients, with_quasi_newton, std::string_view("lbfgs")}) {
      SCOPED_TRACE(method);
      const auto from = [&](const Vector& x0) -> FormRun {
        return [&, x0](const Dataset& data) {
          return minimized(*make_risk("logistic", data, 1e-3, {}, Bias::free), method_of(method), 5, x0);
        };
      };
      expect_same_bits(problem.data, from({}), {3});
      expect_same_bits(problem.data, from(Vector(800, 1e-2)), {2});
    }
  }
}

TEST_F(RankForms, HaveTheBitsOfOneProcessWithFewRowsForEveryNumberOfThem) {
  Random random(1033);
  const RandomData regression = random_data(random, Task::regression, {.rows = 40, .columns = 90, .density = 0.3});
  for (const Bias bias : {Bias::none, Bias::free})
    expect_same_bits(
        regression.data,
        [&](const Dataset& data) {
          return minimized(*make_risk("huber", data, 1e-3, {}, bias), method_of(with_gradients), 8);
        },
        and_more);
  const Dataset classes = of_classes(random, 4, {.rows = 60, .columns = 100, .density = 0.3});
  expect_same_bits(classes, softmax(4, Bias::free, with_gradients), and_more);
  expect_same_bits(classes,
                   [](const Dataset& here) { return softmax(4, Bias::none, with_gradients)(with_constant(here, 0.5)); },
                   {3});
}

// For proofs each rank needs the dual values of the rows that it holds, in row form, too.
TEST_F(RankForms, HaveTheDualValuesOfTheirRows) {
  Random random(1037);
  const auto dual_of = [](const Dataset& data, std::size_t classes) {
    const SoftmaxRisk f(data, L2(1e-3), classes, Bias::free);
    return minimize(f, method_of(with_gradients), Vector(f.dimension()), {.max_iterations = 40, .keep_dual = true})
        .dual;
  };
  for (const std::size_t columns : {5u, 900u}) {
    const Dataset data = of_classes(random, 3, {.rows = 700, .columns = columns});
    const Vector alone = dual_of(data, 3);
    ASSERT_EQ(alone.size(), 700 * 3u);
    const auto thrown = run_ranks(3, [&](const std::shared_ptr<Communicator>& comm) {
      const Dataset here = on_ranks(rows_of_rank(data, comm->rank(), 3), comm);
      const auto first = alone.begin() + static_cast<std::ptrdiff_t>(3 * here.ranks->first_row());
      EXPECT_EQ(dual_of(here, 3), Vector(first, first + static_cast<std::ptrdiff_t>(3 * here.rows->rows())));
    });
    EXPECT_EQ(thrown, std::vector<std::string>(3));
  }
}

// Very wide sparse rows --------------------------------------------------------------------------

/// 2^20 entries or more, and too few in each column for blocks of rows.
Dataset wide_rows(Random& random, std::size_t rows, std::size_t columns, std::size_t classes) {
  const std::size_t of_a_row = (std::size_t{1} << 20) / rows + 1, step = columns / of_a_row;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  Vector values, targets;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < of_a_row; ++k) {
      indices.push_back(static_cast<std::uint32_t>(k * step + random.below(step)));
      values.push_back(random.normal());
    }
    offsets.push_back(indices.size());
    targets.push_back(static_cast<double>(i < classes ? i : random.below(classes)));
  }
  return dataset(std::make_shared<SparseRows>(std::move(offsets), std::move(indices), std::move(values), columns),
                 std::move(targets));
}

TEST_F(RankForms, HaveTheBitsOfOneProcessWithVeryWideSparseRows) {
  Random random(1039);
  for (const std::size_t rows : {9000u, 16000u}) {
    const Dataset data = wide_rows(random, rows, 12000, 2);
    expect_same_bits(
        data,
        [&](const Dataset& here) {
          return minimized(*make_risk("logistic", here, 1e-3, {}, Bias::free), method_of(with_gradients), 2);
        },
        rows == 9000 ? std::vector<std::size_t>{3} : every_number);
    // A rank holds little more than its share: no sum has blocks that are larger.
    const auto thrown = run_ranks(4, [&](const std::shared_ptr<Communicator>& comm) {
      const Dataset here = on_ranks(rows_of_rank(data, comm->rank(), 4), comm);
      EXPECT_LT(here.rows->rows(), rows / 2);
    });
    EXPECT_EQ(thrown, std::vector<std::string>(4));
  }
  const Dataset classes = wide_rows(random, 9500, 9000, 3);
  expect_same_bits(classes, softmax(3, Bias::free, with_gradients, 3), {3});
  const FormRun with_column = [](const Dataset& here) {
    return softmax(3, Bias::none, with_gradients, 3)(with_constant(here, 0.5));
  };
  expect_same_bits(classes, with_column, {2});
}

// More digits ------------------------------------------------------------------------------------

TEST_F(RankForms, HaveTheBitsOfOneProcessWithMoreDigits) {
  Random random(1049);
  RandomData problem = random_data(random, Task::classification, {.rows = 2003, .columns = 8, .density = 0.5});
  for (const Bias bias : {Bias::none, Bias::free})
    expect_same_bits(
        problem.data,
        [&](const Dataset& data) -> FormOutcome {
          const auto f = make_risk("logistic", data, 1e-3, {}, bias);
          const auto oracle = f->oracle();
          EXPECT_TRUE(oracle->refine());
          Point p(oracle->dimension(), oracle->image_size());
          for (std::size_t j = 0; j < p.x.size(); ++j) p.x[j] = std::sin(static_cast<double>(j));
          oracle->lift(p);
          Vector g(p.x.size());
          const Evaluation e = oracle->gradient(p, g);
          return {g,
                  oracle->intercepts(),
                  e.value,
                  e.offset,
                  e.linear_error,
                  0,
                  std::to_string(e.value_error) + " " + std::to_string(e.offset_error)};
        },
        every_number);
}

}  // namespace
}  // namespace geodescent::testing
