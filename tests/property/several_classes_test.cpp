// Training of several classes against minima of Newton's method in long double: what is certified
// contains them.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "geodescent/geodescent.hpp"
#include "support/input_errors.hpp"
#include "support/problems.hpp"
#include "support/reference/softmax_truth.hpp"

namespace geodescent::testing {
namespace {

constexpr Bias every_bias[] = {Bias::none, Bias::free, Bias::regularized};

/// The label of class k: not a number from 0 on.
double label_of(std::size_t k) { return 3 * static_cast<double>(k) - 4.5; }

/// Every class occurs.
Dataset random_classes(Random& random, std::size_t classes, const DataShape& shape) {
  Dataset data = random_data(random, Task::regression, shape).data;
  Vector sorted = data.targets;
  std::ranges::sort(sorted);
  for (double& y : data.targets) {
    const auto rank = static_cast<std::size_t>(std::ranges::lower_bound(sorted, y) - sorted.begin());
    y = label_of(rank * classes / sorted.size());
  }
  return data;
}

struct Interval {
  Real lower = 0, value = 0;
};

Interval true_minimum_of_softmax(const Dataset& data, std::size_t classes, const Risk& risk) {
  SoftmaxData truth{data, classes, risk.bias, risk.l2};
  for (double& y : truth.data.targets) y = std::round((y + 4.5) / 3);
  if (risk.bias == Bias::regularized) truth.data = with_constant(truth.data, risk.constant);
  const Optimum optimum = newton(true_softmax(truth));
  return {optimum.lower, optimum.value};
}

void expect_contains(const TrainResult& trained, const Interval& minimum, const Options& options) {
  ASSERT_TRUE(trained.certificate) << trained.run.message;
  const Certificate& claimed = *trained.certificate;
  EXPECT_EQ(trained.run.status, Status::converged) << trained.run.message;
  EXPECT_LE(claimed.relative_gap, options.gap_tolerance);
  EXPECT_LE(claimed.lower_bound, minimum.value);
  EXPECT_GE(claimed.value, minimum.lower);
  EXPECT_EQ(trained.run.value, claimed.value);
  EXPECT_EQ(trained.model.value, claimed.value);
  EXPECT_EQ(trained.model.lower_bound, claimed.lower_bound);
}

void expect_sums_of_zero(const Vector& numbers, std::size_t outputs) {
  for (std::size_t first = 0; first < numbers.size(); first += outputs) {
    double sum = 0;
    for (std::size_t k = 0; k < outputs; ++k) sum += numbers[first + k];
    EXPECT_NEAR(sum, 0, 1e-6);
  }
}

TEST(SeveralClasses, SoftmaxForThreeToTenClassesIsProven) {
  Random random(7001);
  const TrainOptions options{.minimize = {.gap_tolerance = 1e-8}};
  for (std::size_t classes = 3; classes <= 10; ++classes)
    for (const Bias bias : every_bias)
      for (const bool weighted : {false, true}) {
        SCOPED_TRACE(::testing::Message()
                     << classes << " classes, " << to_string(bias) << (weighted ? ", weighted" : ""));
        const Dataset data = random_classes(
            random, classes, {.rows = 50, .columns = 2, .density = weighted ? 0.7 : 1, .weighted = weighted});
        const Risk risk{.loss = "softmax", .l2 = 0.01, .bias = bias, .constant = bias == Bias::regularized ? 2.0 : 1};
        const TrainResult trained = train(data, risk, options);
        expect_contains(trained, true_minimum_of_softmax(data, classes, risk), options.minimize);
        const LinearModel& model = trained.model;
        EXPECT_EQ(model.classes, class_rows(data));
        EXPECT_FALSE(model.labels);
        EXPECT_EQ(model.weights.size(), 2 * classes);
        EXPECT_EQ(model.bias_weights.size(), bias == Bias::none ? 0 : classes);
        EXPECT_EQ(trained.run.intercepts.size(), bias == Bias::free ? classes : 0);
        expect_sums_of_zero(model.weights, classes);
        expect_sums_of_zero(model.bias_weights, classes);
        EXPECT_EQ(trained.certificate->classes, classes);
        EXPECT_EQ(trained.certificate->dual.steps.size(), 50 * classes);
        const ProvenGap proven = prove(data, model, trained.certificate->dual);
        EXPECT_LE(proven.value, trained.certificate->value);
        EXPECT_GE(proven.lower_bound, trained.certificate->lower_bound);
        EXPECT_LE(proven.relative_gap(), trained.certificate->relative_gap);
      }
}

/// The minimum of class k against the rest.
Interval true_minimum(const Dataset& data, double label, const Risk& risk) {
  RandomData truth{data, {}, {}};
  const std::size_t columns = data.rows->columns(), constant = risk.bias == Bias::regularized ? 1 : 0;
  truth.rows = RealMatrix(data.targets.size(), columns + constant);
  std::vector<std::uint32_t> indices;
  Vector values;
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    const Real sign = data.targets[i] == label ? 1 : -1;
    truth.targets.push_back(sign);
    data.rows->copy_row(i, indices, values);
    for (std::size_t e = 0; e < indices.size(); ++e) truth.rows(i, indices[e]) = sign * values[e];
    if (constant > 0) truth.rows(i, columns) = sign * risk.constant;
  }
  const Optimum optimum = newton(true_risk(risk.loss, truth, risk.l2, risk.bias));
  return {optimum.lower, optimum.value};
}

TEST(SeveralClasses, EachClassAgainstTheRestIsProven) {
  Random random(7027);
  const TrainOptions options{.minimize = {.gap_tolerance = 1e-8}};
  for (std::size_t classes = 3; classes <= 10; ++classes)
    for (const LossInfo& loss : losses())
      for (const Bias bias : every_bias) {
        if (loss.task == Task::regression) continue;
        const bool weighted = classes % 2 == 0;
        SCOPED_TRACE(::testing::Message() << classes << " classes, " << loss.name << ", " << to_string(bias));
        const Dataset data = random_classes(
            random, classes, {.rows = 50, .columns = 3, .density = weighted ? 0.7 : 1, .weighted = weighted});
        const Risk risk{.loss = std::string(loss.name), .l2 = 0.01, .bias = bias};
        const TrainResult trained = train(data, risk, options);
        Interval sums;
        ASSERT_TRUE(trained.certificate);
        ASSERT_EQ(trained.certificate->claims.size(), classes);
        for (std::size_t k = 0; k < classes; ++k) {
          const Interval minimum = true_minimum(data, label_of(k), risk);
          const Claim& claim = trained.certificate->claims[k];
          EXPECT_LE(claim.lower_bound, minimum.value);
          EXPECT_GE(claim.value, minimum.lower);
          EXPECT_LE(claim.relative_gap, 1e-8);
          EXPECT_EQ(trained.of_classes[k].value, claim.value);
          EXPECT_EQ(claim.dual.steps.size(), 50);
          sums.lower += minimum.lower;
          sums.value += minimum.value;
        }
        expect_contains(trained, sums, options.minimize);
        EXPECT_TRUE(trained.certificate->dual.steps.empty());
        EXPECT_EQ(trained.model.classes, class_rows(data));
        EXPECT_EQ(trained.model.weights.size(), 3 * classes);
        EXPECT_EQ(trained.model.bias_weights.size(), bias == Bias::none ? 0 : classes);
      }
}

/// Data with the labels 1 and -1, as a stranger would write them to train one class alone.
Dataset alone(const Dataset& data, double label) {
  Dataset two = data;
  for (double& y : two.targets) y = y == label ? 1 : -1;
  return two;
}

TEST(SeveralClasses, EachClassHasTheBitsOfATrainingAloneForEveryNumberOfThreads) {
  Random random(7039);
  const int before = threads();
  for (const double density : {0.1, 1.0})
    for (const char* method : {"geod-memory", "geod-memory:directions=dual", "lbfgs"}) {
      SCOPED_TRACE(::testing::Message() << density << " " << method);
      const Dataset data =
          random_classes(random, 5, {.rows = 900, .columns = 40, .density = density, .weighted = density < 1});
      const Risk risk{.loss = "logistic", .l2 = 1e-4, .bias = Bias::free};
      const TrainOptions options{.method = method};
      for (const int count : {1, 2, 3}) {
        set_threads(count);
        const TrainResult trained = train(data, risk, options);
        for (std::size_t k = 0; k < 5; ++k) {
          const TrainResult one = train(alone(data, label_of(k)), risk, options);
          EXPECT_EQ(trained.model.bias_weights[k], one.model.bias_weight());
          for (std::size_t j = 0; j < 40; ++j)
            ASSERT_EQ(trained.model.weights[j * 5 + k], one.model.weights[j]) << count << " threads, class " << k;
          const Claim& claim = trained.certificate->claims[k];
          EXPECT_EQ(claim.dual.steps, one.certificate->dual.steps);
          EXPECT_EQ(claim.value, one.certificate->value);
          EXPECT_EQ(claim.lower_bound, one.certificate->lower_bound);
          EXPECT_EQ(trained.of_classes[k].iterations, one.run.iterations);
        }
      }
      set_threads(1);
      const TrainResult again = train(data, risk, options);
      EXPECT_EQ(again.certificate->fingerprint, fingerprint(data));
    }
  set_threads(before);
}

TEST(SeveralClasses, LimitsHoldForClassesThatRunAtOnce) {
  Random random(7043);
  const Dataset data = random_classes(random, 6, {.rows = 300, .columns = 30});
  const Risk risk{.loss = "squared-hinge", .l2 = 1e-6, .bias = Bias::free};
  const TrainResult free = train(data, risk);
  // As little memory as one class needs: then one runs after the other, to the same bits.
  GeodMemory settings;
  settings.memory_limit = 1.5 * free.of_classes[0].memory->bytes;
  const TrainResult narrow = train(data, risk, {.method = settings});
  EXPECT_EQ(narrow.run.status, Status::converged);
  EXPECT_LE(narrow.of_classes[0].memory->bytes, settings.memory_limit);

  const TrainResult few = train(data, risk, {.minimize = {.max_iterations = 1}});
  EXPECT_EQ(few.run.status, Status::iteration_limit);
  EXPECT_NE(few.run.message.find("label "), std::string::npos) << few.run.message;
  ASSERT_TRUE(few.certificate);
  EXPECT_GT(few.certificate->relative_gap, 1e-6);
  const TrainResult none = train(data, risk, {.minimize = {.max_seconds = 0}});
  EXPECT_EQ(none.run.status, Status::time_limit) << none.run.message;
  ASSERT_TRUE(none.certificate);
  const TrainResult short_time = train(data, risk, {.minimize = {.max_seconds = 1e-9}});
  EXPECT_TRUE(short_time.run.message.starts_with("reached the limit of 1e-09 seconds; ")) << short_time.run.message;
}

TEST(SeveralClasses, AnObserverSeesOneClassAtATimeAndStopsThemAll) {
  Random random(7057);
  const Dataset data = random_classes(random, 6, {.rows = 300, .columns = 30});
  const Risk risk{.loss = "logistic", .l2 = 1e-7};
  std::atomic<int> inside{0};
  std::vector<int> seen(6);
  int calls = 0;
  const TrainResult all = train(data, risk, {}, [&](const Progress& progress) {
    EXPECT_EQ(++inside, 1);
    EXPECT_EQ(progress.problems, 6);
    EXPECT_LE(progress.problems_done, 5);
    ++seen.at(progress.problem);
    ++calls;
    --inside;
    return true;
  });
  EXPECT_EQ(std::ranges::count(seen, 0), 0);
  int until = calls / 2;
  const TrainResult stopped = train(data, risk, {}, [&](const Progress&) { return --until > 0; });
  EXPECT_EQ(until, 0) << "nobody is asked again";
  EXPECT_EQ(stopped.run.status, Status::stopped_by_observer);
  ASSERT_TRUE(stopped.certificate) << "the best so far, with its proof";
  EXPECT_GE(stopped.certificate->value, all.certificate->lower_bound);
  struct Thrown {};
  EXPECT_THROW((void)train(data, risk, {}, [](const Progress&) -> bool { throw Thrown(); }), Thrown);
}

TEST(SeveralClasses, EveryMethodTrainsSoftmax) {
  Random random(7003);
  const Dataset data = random_classes(random, 4, {.rows = 60, .columns = 5});
  for (const MethodInfo& method : methods()) {
    SCOPED_TRACE(method.name);
    const TrainResult trained = train(data, {.loss = "softmax", .l2 = 0.1, .bias = Bias::free},
                                      {.method = method.name, .minimize = {.max_iterations = 5000}});
    ASSERT_TRUE(trained.certificate);
    EXPECT_EQ(trained.run.status, Status::converged) << trained.run.message;
  }
}

/// V = (-w, w)/2 has half of the penalty: softmax with lambda is logistic regression with lambda/2.
TEST(SeveralClasses, TwoClassesOfSoftmaxAreLogisticRegressionWithHalfOfLambda) {
  Random random(7007);
  for (const Bias bias : {Bias::none, Bias::free})
    for (const bool weighted : {false, true}) {
      const Dataset data =
          random_data(random, Task::classification, {.rows = 80, .columns = 5, .weighted = weighted, .shift = 0.5})
              .data;
      const TrainOptions options{.minimize = {.gap_tolerance = 1e-11}};
      const TrainResult both = train(data, {.loss = "softmax", .l2 = 0.02, .bias = bias}, options);
      const TrainResult one = train(data, {.loss = "logistic", .l2 = 0.01, .bias = bias}, options);
      EXPECT_NEAR(both.run.value, one.run.value, 1e-10);
      EXPECT_LE(both.run.lower_bound, one.run.value);
      EXPECT_LE(one.run.lower_bound, both.run.value);
      ASSERT_EQ(both.model.outputs(), 2);
      EXPECT_EQ(both.model.classes,
                (std::vector<ClassRows>{{-1, one.model.labels->negatives}, {1, one.model.labels->positives}}));
      for (std::size_t j = 0; j < 5; ++j) {
        EXPECT_EQ(both.model.weights[2 * j], -both.model.weights[2 * j + 1]) << "the file has their difference";
        EXPECT_NEAR(2 * both.model.weights[2 * j + 1], one.model.weights[j], 1e-4);
      }
      if (bias == Bias::free) {
        EXPECT_NEAR(2 * both.model.bias_weights[1], one.model.bias_weight(), 1e-4);
      }
    }
}

TEST(SeveralClasses, AWarmStartContinuesFromTheModel) {
  Random random(7013);
  for (const Bias bias : every_bias) {
    const Dataset data = random_classes(random, 5, {.rows = 200, .columns = 8});
    const Risk risk{.loss = "softmax", .l2 = 1e-3, .bias = bias};
    const TrainResult first = train(data, risk);
    const TrainResult again = train(data, risk, {.initial = &first.model});
    EXPECT_EQ(again.run.status, Status::converged);
    EXPECT_LE(again.run.iterations, 1);
    EXPECT_NEAR(again.run.reference_value, first.run.reference_value, 1e-12) << "measured from 0 all the same";
    // A class less: what is known of the others serves.
    LinearModel without = first.model;
    without.classes.pop_back();
    const auto keep_four = [](Vector& numbers) {
      Vector kept;
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if (i % 5 < 4) kept.push_back(numbers[i]);
      numbers = kept;
    };
    keep_four(without.weights);
    keep_four(without.bias_weights);
    const TrainResult extended = train(data, risk, {.initial = &without});
    EXPECT_EQ(extended.run.status, Status::converged);
    EXPECT_NEAR(extended.run.value, first.run.value, 1e-5);
    const TrainResult binary =
        train(random_data(random, Task::classification, {.columns = 8}).data, {.loss = "logistic", .l2 = 1});
    expect_error([&] { (void)train(data, risk, {.initial = &binary.model}); },
                 "has one column of coefficients, but this training needs 5");
  }
}

TEST(SeveralClasses, AWarmStartOfOneAgainstTheRestContinuesFromItsColumns) {
  Random random(7069);
  for (const Bias bias : every_bias) {
    const Dataset data = random_classes(random, 5, {.rows = 200, .columns = 8});
    const Risk risk{.loss = "squared-hinge", .l2 = 1e-3, .bias = bias};
    const TrainResult first = train(data, risk);
    const TrainResult again = train(data, risk, {.initial = &first.model});
    EXPECT_EQ(again.run.status, Status::converged);
    EXPECT_LE(again.run.iterations, 5) << "one for each class at most";
    const TrainResult joint = train(data, {.loss = "softmax", .l2 = 1e-3, .bias = bias}, {.initial = &first.model});
    EXPECT_EQ(joint.run.status, Status::converged);
    const TrainResult binary =
        train(random_data(random, Task::classification, {.columns = 8}).data, {.loss = "logistic", .l2 = 1});
    expect_error([&] { (void)train(data, risk, {.initial = &binary.model}); },
                 "has one column of coefficients, but this training needs 5");
    expect_error([&] { (void)train(alone(data, label_of(0)), risk, {.initial = &first.model}); },
                 "has 5 columns of coefficients, but this training needs one");
  }
}

TEST(SeveralClasses, EmptyColumnsAreLeftOut) {
  Random random(7019);
  const Dataset narrow = random_classes(random, 4, {.rows = 30, .columns = 20, .density = 0.3});
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices, row_indices;
  Vector values, row_values;
  for (std::size_t i = 0; i < 30; ++i) {
    narrow.rows->copy_row(i, row_indices, row_values);
    for (const std::uint32_t j : row_indices) indices.push_back(50 * j + 7);
    values.insert(values.end(), row_values.begin(), row_values.end());
    offsets.push_back(values.size());
  }
  Dataset wide = narrow;
  wide.rows = std::make_shared<SparseRows>(std::move(offsets), std::move(indices), std::move(values), 1500);
  for (const Bias bias : every_bias)
    for (const char* loss : {"softmax", "logistic"}) {
      const Risk risk{.loss = loss, .l2 = 0.01, .bias = bias};
      const TrainResult a = train(narrow, risk), b = train(wide, risk);
      EXPECT_EQ(b.run.status, Status::converged);
      EXPECT_NEAR(a.run.value, b.run.value, 1e-6);
      EXPECT_EQ(b.model.features(), 1500);
      for (std::size_t j = 0; j < 20; ++j)
        for (std::size_t k = 0; k < 4; ++k)
          EXPECT_NEAR(b.model.weights[(50 * j + 7) * 4 + k], a.model.weights[j * 4 + k], 1e-2);
      const TrainResult again = train(wide, risk, {.initial = &b.model});
      EXPECT_LE(again.run.iterations, 4);
    }
}

TEST(SeveralClasses, NumbersThatOverflowEndWithoutAModel) {
  const Dataset data{"huge", rows_of({1e300, -1e300, 3}, 1, false), {1, 2, 3}, 3};
  for (const char* loss : {"softmax", "logistic"}) {
    const TrainResult trained = train(data, {.loss = loss, .l2 = 1e-4, .bias = Bias::free});
    EXPECT_EQ(trained.run.status, Status::not_finite);
    EXPECT_FALSE(trained.certificate);
    EXPECT_TRUE(trained.run.message.ends_with("the gradient is not finite at the start")) << trained.run.message;
  }
}

TEST(SeveralClasses, BadDataAreRefusedWithAReason) {
  Dataset data{"labels", rows_of({1, 2, 3}, 1, false), {2, 2, 2}, 3};
  const Risk risk{.loss = "softmax", .l2 = 1};
  expect_error([&] { (void)train(data, risk); }, "only one class (3 rows with the label 2)");
  Vector entries, targets;
  for (int i = 0; i < 600; ++i) {
    entries.push_back(i % 7);
    targets.push_back(i);
  }
  const Dataset many{"many", rows_of(entries, 1, false), targets, 600};
  expect_error([&] { (void)train(many, risk); }, "600 classes; softmax takes at most 512");
  // A class of a single row, and labels that are no integers.
  const Dataset few{"few", rows_of({1, 2, 3, 5}, 1, false), {0.25, -7, 0.25, 1e10}, 4};
  const TrainResult trained = train(few, risk);
  EXPECT_EQ(trained.run.status, Status::converged);
  EXPECT_EQ(trained.model.classes, (std::vector<ClassRows>{{-7, 1}, {0.25, 2}, {1e10, 1}}));
}

}  // namespace
}  // namespace geodescent::testing
