// What a newcomer gets wrong: data, settings and functions that make no sense are refused, with the
// place and the range.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>

#include "geodescent/geodescent.hpp"
#include "support/numbers.hpp"
#include "support/problems.hpp"
#include "support/variants.hpp"

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

TEST(Misuse, AStartHasNumbers) {
  for (const double bad : {no_number, infinity, -infinity})
    EXPECT_TRUE(refusal([&] {
                  std::ignore = minimize(bowl_of(2), {1.0, bad});
                }).starts_with("entry 1 of x0 must be "))
        << bad;
}

TEST(Misuse, ALossThatIsNoneHasANearestOne) {
  const auto said = [](std::string_view loss) { return refusal([&] { std::ignore = loss_named(loss); }); };
  EXPECT_TRUE(said("logstic").starts_with("unknown loss 'logstic' (did you mean logistic?); the losses are smoothed-"));
  EXPECT_TRUE(said("hinge").starts_with("unknown loss 'hinge' (did you mean smoothed-hinge?); the losses are "));
  EXPECT_TRUE(said("").starts_with("unknown loss ''; the losses are "));
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

class UnwrittenGradient : public ::testing::TestWithParam<std::string_view> {
 protected:
  static Result run(const FunctionObjective::ValueAndGradient& f) {
    return minimize_with(GetParam(), FunctionObjective({.dimension = 3, .strong_convexity = 1}, f), {},
                         {.max_iterations = 50});
  }
  static void expect_named(const Result& r, const char* entry) {
    EXPECT_EQ(r.status, Status::not_finite) << r.message;
    EXPECT_FALSE(r.gap() < infinity) << r.message;
    EXPECT_NE(r.message.find(entry), std::string::npos) << r.message;
    EXPECT_NE(r.message.find("the function did not write it, or wrote NaN"), std::string::npos) << r.message;
  }
};

TEST_P(UnwrittenGradient, ProvesNothing) {
  expect_named(run([](std::span<const double> x, std::span<double>) { return 1 + 0.5 * squared_norm(x); }),
               "entry 0 of the gradient");
  expect_named(run([](std::span<const double> x, std::span<double> g) {
                 const double value = bowl(x, g);
                 g[1] = no_number;
                 return value;
               }),
               "entry 1 of the gradient");
}

TEST_P(UnwrittenGradient, InALaterIterationIsNamed) {
  int evaluations = 0;
  const Result r = run([&](std::span<const double> x, std::span<double> g) {
    return ++evaluations > 1 ? 0.5 * squared_norm(x) : 10 + bowl(x, g);
  });
  EXPECT_EQ(r.status, Status::not_finite) << r.message;
  EXPECT_NE(r.message.find("an entry of the gradient that the function does not write is NaN"), std::string::npos)
      << r.message;
}

INSTANTIATE_TEST_SUITE_P(All, UnwrittenGradient, ::testing::ValuesIn(method_variants()),
                         [](const auto& test) { return test_name(test.param); });

// Huge and tiny numbers end runs in many ways. Whatever a message says, it says it in numbers.
TEST(Messages, HaveNoNan) {
  Random random(17);
  const auto any_size = [&] { return std::pow(random.log_uniform(1e-150, 1e150), 2); };
  for (const std::string_view method : method_variants())
    for (int k = 0; k < 40; ++k) {
      const double scale = any_size(), far = any_size(), start = any_size();
      const double alpha = random.chance(0.3) ? 0 : random.chance(0.5) ? scale : any_size();
      const FunctionObjective f({.dimension = 2, .strong_convexity = alpha},
                                [=](std::span<const double> x, std::span<double> g) {
                                  for (std::size_t i = 0; i < 2; ++i) g[i] = scale * (x[i] - far);
                                  return 0.5 * scale * ((x[0] - far) * (x[0] - far) + (x[1] - far) * (x[1] - far));
                                });
      try {
        const Result r = minimize_with(method, f, Vector{start, -start}, {.max_iterations = 30});
        EXPECT_EQ(r.message.find("nan"), std::string::npos)
            << method << " scale " << scale << " far " << far << " alpha " << alpha << ": " << r.message;
      } catch (const std::invalid_argument&) {
        EXPECT_EQ(alpha, 0) << "needed by " << method;
      }
    }
}

}  // namespace
}  // namespace geodescent::testing
