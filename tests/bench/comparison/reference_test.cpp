// The reference minimum against the oracle of tests/support, which shares nothing with it.
#include "comparison/reference.hpp"

#include <gtest/gtest.h>

#include "geodescent/error.hpp"
#include "support/problems.hpp"

namespace geodescent::lab {
namespace {

using testing::Optimum;
using testing::Random;
using testing::RandomData;

/// The data that `change` makes of random data: entries row by row, and targets.
template <class Change>
RandomData random_data(Random& random, geodescent::Task task, std::size_t n, std::size_t d, bool sparse,
                       Change&& change) {
  const double density = sparse ? 0.4 : 1;
  const RandomData base =
      testing::random_data(random, task, {.rows = n, .columns = d, .density = density, .scale = 1, .noise = 0.5});
  Vector targets = base.data.targets;
  Vector entries(n * d);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      const double sign = task == geodescent::Task::classification ? targets[i] : 1;
      entries[i * d + j] = sign * static_cast<double>(base.rows(i, j));
    }
  change(entries, targets);
  RandomData result{
      {"random", testing::rows_of(entries, d, sparse), targets, n * d}, base.rows, testing::real(targets)};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j)
      result.rows(i, j) = entries[i * d + j] * (task == geodescent::Task::classification ? targets[i] : 1);
  return result;
}

/// `value_rounding`, relative, is allowed for where the value does not pay for it.
void expect_holds(const ReferenceMinimum& reference, const Optimum& truth, double gap, double value_rounding = 0) {
  EXPECT_LE(static_cast<long double>(reference.lower_bound), truth.value);
  EXPECT_GE(static_cast<long double>(reference.value) * (1 + value_rounding), truth.lower);
  EXPECT_LE(reference.lower_bound, reference.value);
  EXPECT_LE(reference.value, reference.start_value);
  const double possible = reference.start_value - reference.lower_bound;
  const double rounding = 1e-13 * reference.start_value + 1e-16;  // all there is where zero is the minimum
  EXPECT_LE(reference.value - reference.lower_bound, gap * possible + rounding);
  if (possible == 0) return;
  EXPECT_DOUBLE_EQ(reference.accuracy(reference.start_value), 1);
  EXPECT_GE(reference.accuracy(reference.value), 0);
}

struct Shape {
  std::size_t rows, columns;
};
constexpr Shape shapes[] = {{25, 6}, {6, 15}, {10, 10}, {2, 1}, {2, 5}};
constexpr double lambdas[] = {1e-1, 1e-2, 1e-4, 1e-6, 1e-8};

class Reference : public ::testing::TestWithParam<std::string> {
 protected:
  template <class Change>
  void check(std::uint64_t seed, double gap, Change&& change) const {
    const std::string loss = GetParam();
    Random random(seed);
    for (const Shape& shape : shapes)
      for (const double lambda : lambdas)
        for (const bool sparse : {false, true}) {
          SCOPED_TRACE(::testing::Message()
                       << shape.rows << " x " << shape.columns << ", " << lambda << (sparse ? ", sparse" : ", dense"));
          const RandomData data =
              random_data(random, testing::task_of(loss), shape.rows, shape.columns, sparse,
                          [&](Vector& entries, Vector& targets) { change(random, shape, entries, targets); });
          const ReferenceMinimum reference = reference_minimum(data.data, loss, lambda);
          EXPECT_EQ(reference.solver, "newton");
          const testing::SmoothFunction f = testing::true_risk(loss, data, lambda);
          const double start = static_cast<double>(f.at(testing::RealVector(shape.columns)).value);
          EXPECT_GE(reference.start_value, start);
          EXPECT_NEAR(reference.start_value, start, 1e-13 * start + 1e-16);
          expect_holds(reference, testing::newton(f), gap);
        }
  }
};

TEST_P(Reference, HoldsTheMinimum) {
  for (const std::uint64_t seed : {1, 2, 3}) check(seed, 1e-12, [](auto&&...) {});
}

TEST_P(Reference, HoldsTheMinimumOfBadlyScaledColumns) {
  check(11, 1e-11, [](Random& random, const Shape& shape, Vector& entries, Vector&) {
    for (std::size_t j = 0; j < shape.columns; ++j) {
      const double scale = random.log_uniform(0.05, 20);
      for (std::size_t i = 0; i < shape.rows; ++i) entries[i * shape.columns + j] *= scale;
    }
  });
}

TEST_P(Reference, HoldsTheMinimumWithRepeatedRows) {
  check(12, 1e-12, [](Random&, const Shape& shape, Vector& entries, Vector& targets) {
    for (std::size_t i = 1; i + 1 < shape.rows; i += 2) {
      std::copy_n(&entries[(i - 1) * shape.columns], shape.columns, &entries[i * shape.columns]);
      targets[i] = targets[i - 1];
    }
  });
}

TEST_P(Reference, HoldsTheMinimumWithZeroRowsAndColumns) {
  check(13, 1e-12, [](Random&, const Shape& shape, Vector& entries, Vector&) {
    if (shape.rows < 3 || shape.columns < 3) return;
    std::fill_n(&entries[shape.columns], shape.columns, 0.0);
    for (std::size_t i = 0; i < shape.rows; ++i) entries[i * shape.columns + 2] = 0;
  });
}

TEST_P(Reference, HoldsTheMinimumOfContradictions) {
  if (testing::task_of(GetParam()) == geodescent::Task::regression) return;  // has no classes
  check(14, 1e-12, [](Random&, const Shape& shape, Vector& entries, Vector& targets) {
    for (std::size_t i = 1; i < shape.rows; i += 2) {
      std::copy_n(&entries[(i - 1) * shape.columns], shape.columns, &entries[i * shape.columns]);
      if (shape.rows > 2) targets[i] = -targets[i - 1];
    }
    if (shape.rows == 2) entries[0] += 1;  // else the minimum is at zero
    if (shape.rows > 2) entries[0] += 1;
  });
}

TEST_P(Reference, MethodsOfTheLibraryStandInForNewton) {
  Random random(15);
  for (const double lambda : {1e-1, 1e-3, 1e-5}) {
    const RandomData data = random_data(random, testing::task_of(GetParam()), 40, 8, false, [](auto&&...) {});
    const ReferenceMinimum reference = reference_minimum(data.data, GetParam(), lambda, {}, 4);
    EXPECT_NE(reference.solver.find("lbfgs"), std::string::npos) << reference.solver;
    expect_holds(reference, testing::newton(testing::true_risk(GetParam(), data, lambda)), 1e-9, 1e-14);
  }
}

TEST_P(Reference, RefusesOneClass) {
  if (testing::task_of(GetParam()) == geodescent::Task::regression) return;  // has no classes
  Random random(16);
  RandomData data = random_data(random, geodescent::Task::classification, 10, 3, false, [](auto&&...) {});
  data.data.name = "mine.svm";
  std::fill(data.data.targets.begin(), data.data.targets.end(), 1.0);
  for (const std::size_t largest_newton : {0, 1}) {
    try {
      reference_minimum(data.data, GetParam(), 1e-2, {}, largest_newton);
      ADD_FAILURE() << "one class was taken";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("mine.svm"), std::string::npos) << error.what();
    }
  }
}

TEST_P(Reference, RefusesARegularisationThatIsNotPositive) {
  Random random(17);
  const RandomData data = random_data(random, testing::task_of(GetParam()), 10, 3, false, [](auto&&...) {});
  for (const double lambda : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_THROW(reference_minimum(data.data, GetParam(), lambda), std::invalid_argument) << lambda;
}

std::vector<std::string> all_losses() {
  std::vector<std::string> names;
  for (const LossInfo& loss : losses()) names.emplace_back(loss.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Losses, Reference, ::testing::ValuesIn(all_losses()),
                         [](const auto& loss) { return testing::test_name(loss.param); });

TEST(ReferenceLoss, MustExist) {
  Random random(18);
  const RandomData data = random_data(random, geodescent::Task::regression, 10, 3, false, [](auto&&...) {});
  EXPECT_THROW(reference_minimum(data.data, "hinge", 1e-2), std::invalid_argument);
}

TEST(ReferenceLoss, HeedsTheThresholdOfHuber) {
  // With a threshold beyond all residuals Huber's loss is the squared one.
  Random random(19);
  const RandomData data = random_data(random, geodescent::Task::regression, 30, 5, false, [](auto&&...) {});
  const ReferenceMinimum huber = reference_minimum(data.data, "huber", 1e-3, 1e6);
  const ReferenceMinimum squared = reference_minimum(data.data, "squared", 1e-3);
  EXPECT_NEAR(huber.value, squared.value, 1e-13 * squared.value);
  EXPECT_LT(reference_minimum(data.data, "huber", 1e-3, 0.1).value, 0.9 * squared.value);
}

}  // namespace
}  // namespace geodescent::lab
