// What a newcomer gets wrong: data, settings and functions that make no sense are refused, with the place and the
// range.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>

#include "geodescent/geodescent.hpp"
#include "support/numbers.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// What std::invalid_argument says.
std::string refusal(const std::function<void()>& misuse) {
  try {
    misuse();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

/// 1/2 |x - 1|^2.
double bowl(std::span<const double> x, std::span<double> g) {
  for (std::size_t i = 0; i < x.size(); ++i) g[i] = x[i] - 1;
  return 0.5 * squared_norm(g);
}

FunctionObjective bowl_of(std::size_t dimension) {
  return FunctionObjective({.dimension = dimension, .strong_convexity = 1}, bowl);
}

class MisusedData : public ::testing::TestWithParam<Bias> {
 protected:
  std::string train_on(const Dataset& data, const char* loss = "squared") const {
    return refusal([&] { std::ignore = train(data, {.loss = loss, .l2 = 1, .bias = GetParam()}); });
  }
  /// Three rows of one feature, put together by hand.
  static Dataset by_hand(Vector targets, Vector weights = {}) {
    Dataset data;
    data.rows = std::make_shared<DenseRows>(Vector{1, 2, 3}, 1);
    data.targets = std::move(targets);
    data.weights = std::move(weights);
    return data;
  }
};

TEST_P(MisusedData, IsRefusedWithThePlace) {
  for (const char* loss : {"squared", "logistic"}) {
    EXPECT_EQ(train_on(Dataset{}, loss), "a data set needs a matrix");
    EXPECT_EQ(train_on(by_hand({1, -1, 1}, {1, -2, 1}), loss),
              "row 1: the sample weight -2 is not positive and finite");
    EXPECT_EQ(train_on(by_hand({1, -1, 1}, {1, 1, infinity}), loss),
              "row 2: the sample weight inf is not positive and finite");
    EXPECT_EQ(train_on(by_hand({1, -1, 1}, {1e308, 1e308, 1}), loss), "the sample weights add up to infinity");
    EXPECT_EQ(train_on(by_hand({1, -1, infinity}), loss), "row 2: the target inf is not finite");
    EXPECT_EQ(train_on(by_hand({1, -1}), loss), "2 targets for 3 rows");
    EXPECT_EQ(train_on(by_hand({1, -1, 1}, {1, 1}), loss), "2 sample weights for 3 rows");
  }
  Dataset no_rows;
  no_rows.rows = std::make_shared<DenseRows>(Vector{}, 1);
  EXPECT_EQ(train_on(no_rows), "a data set needs at least one row");
}

INSTANTIATE_TEST_SUITE_P(All, MisusedData, ::testing::Values(Bias::none, Bias::free, Bias::regularized),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(Misuse, DataThatAreNoneAreRefusedByRisksAndProofs) {
  EXPECT_EQ(refusal([] { std::ignore = make_risk("squared", Dataset{}, 1); }), "a data set needs a matrix");
  EXPECT_EQ(refusal([] { std::ignore = with_constant(Dataset{}, 1); }), "a data set needs a matrix");
  LinearModel model;
  model.risk = {.loss = "squared", .l2 = 1};
  EXPECT_THROW(std::ignore = prove(Dataset{}, model, {}), InputError);
  Dataset targets_only;
  targets_only.targets = {1};
  EXPECT_THROW(std::ignore = prove(targets_only, model, {}), InputError);
}

TEST(Misuse, NumbersOfThreadsHaveARange) {
  const int before = threads();
  for (const int count : {-1, 0, most_threads + 1, 100'000})
    EXPECT_EQ(refusal([&] { set_threads(count); }),
              "the number of threads must be from 1 to 1024, but is " + std::to_string(count));
  EXPECT_EQ(threads(), before);
}

TEST(Misuse, OptionsHaveARange) {
  const auto with = [](const Options& options) {
    return refusal([&] { std::ignore = minimize(bowl_of(2), {}, options); });
  };
  for (const double bad : {-1.0, 1.0, 2.0, infinity})
    EXPECT_TRUE(with({.gap_tolerance = bad}).starts_with("gap_tolerance must be at least 0 and below 1, but is "))
        << bad;
  EXPECT_EQ(with({.gap_tolerance = 0.5}), "accepted");
  const TrainOptions loose{.minimize = {.gap_tolerance = 1.05}};
  Random random(3);
  const RandomData data = random_data(random, Task::classification, {.rows = 20, .columns = 2});
  EXPECT_TRUE(refusal([&] {
                std::ignore = train(data.data, {.loss = "logistic", .l2 = 1}, loose);
              }).starts_with("gap_tolerance must be at least 0 and below 1, but is 1.05"));
}

TEST(Misuse, SettingsHaveARange) {
  const auto with = [](const MethodChoice& method) {
    return refusal([&] { std::ignore = minimize(bowl_of(2), method); });
  };
  EXPECT_EQ(with(GeodMemory{.memory = 0}), "memory must be at least 1, but is 0");
  EXPECT_EQ(with(Lbfgs{.memory = 0}), "memory must be at least 1, but is 0");
  EXPECT_EQ(with(GeodMemory{.balls = 0}), "balls must be at least 1, but is 0");
}

/// A function of a user's own class, which says what it likes about itself.
class Bold final : public Objective {
 public:
  Bold(double alpha, std::optional<double> beta) : alpha_(alpha), beta_(beta) {}
  std::size_t dimension() const override { return 2; }
  double strong_convexity() const override { return alpha_; }
  std::optional<double> smoothness() const override { return beta_; }
  double evaluate(std::span<const double> x, std::span<double> g) const override { return bowl(x, g); }

 private:
  double alpha_;
  std::optional<double> beta_;
};

TEST(Misuse, PropertiesHaveARange) {
  const auto as_function = [](double alpha, std::optional<double> beta) {
    return refusal([&] {
      std::ignore = FunctionObjective({.dimension = 2, .strong_convexity = alpha, .smoothness = beta}, bowl);
    });
  };
  const auto as_class = [](double alpha, std::optional<double> beta) {
    return refusal([&] { std::ignore = minimize(Bold(alpha, beta)); });
  };
  for (const double alpha : {0.0, 1.0})
    for (const double beta : {0.0, -1.0, infinity, no_number}) {
      EXPECT_TRUE(as_function(alpha, beta).starts_with("smoothness must be positive and finite, but is ")) << beta;
      EXPECT_TRUE(as_class(alpha, beta).starts_with("smoothness must be positive and finite, but is ")) << beta;
    }
  EXPECT_EQ(as_function(1, 0.5), "smoothness 0.5 is below strong_convexity 1");
  EXPECT_EQ(as_class(1, 0.5), "smoothness 0.5 is below strong_convexity 1");
  for (const double alpha : {-1.0, infinity, no_number}) {
    const std::string expected = "strong_convexity must be finite and positive, or 0 when unknown, not ";
    EXPECT_TRUE(as_function(alpha, {}).starts_with(expected)) << alpha;
    EXPECT_TRUE(as_class(alpha, {}).starts_with(expected)) << alpha;
  }
  EXPECT_EQ(as_class(1, 1), "accepted");
}

TEST(Misuse, EmptyBracesMeanTheDefault) {
  const FunctionObjective f = bowl_of(2);
  const Result usual = minimize(f);
  EXPECT_EQ(minimize(f, {}).x, usual.x);
  EXPECT_EQ(minimize(f, {}, {.gap_tolerance = 1e-6}).x, usual.x);
  EXPECT_EQ(minimize(f, {}, {}).x, usual.x);
  EXPECT_EQ(minimize(f, {1.0, 1.0}).iterations, minimize(f, Vector{1, 1}).iterations);
  EXPECT_EQ(minimize(f, "lbfgs", {}).x, minimize(f, Lbfgs{}).x);
  EXPECT_THROW(std::ignore = minimize(f, {1.0}), std::invalid_argument);
}

}  // namespace
}  // namespace geodescent::testing
