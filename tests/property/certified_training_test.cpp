// Every training is proven: for every method, loss and intercept the certificate holds, and the
// proven gap is the reported one.
#include <gtest/gtest.h>

#include <filesystem>

#include "geodescent/data/generate.hpp"
#include "geodescent/geodescent.hpp"
#include "support/problems.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

Risk risk_with(std::string_view loss, double l2, Bias bias) {
  const auto& parameter = find_loss(loss)->parameter;
  return {
      .loss = std::string(loss), .loss_parameter = parameter ? parameter->default_value : 0, .l2 = l2, .bias = bias};
}

void expect_proven(const Dataset& data, const TrainResult& trained, double tolerance) {
  ASSERT_TRUE(trained.certificate);
  const Certificate& claimed = *trained.certificate;
  const Verification checked = verify(data, trained.model, claimed);
  EXPECT_TRUE(checked.holds) << checked.reason;
  EXPECT_LE(checked.proven.gap(), 1.1 * trained.run.gap());
  EXPECT_EQ(trained.run.status == Status::converged, claimed.relative_gap <= tolerance) << trained.run.message;
}

constexpr Bias every_bias[] = {Bias::none, Bias::free, Bias::regularized};

TEST(CertifiedTraining, EveryMethodCanProduceACertificate) {
  for (const std::string_view variant : method_variants())
    for (const Bias bias : every_bias) {
      SCOPED_TRACE(std::string(variant) + " " + std::string(to_string(bias)));
      const Dataset data =
          dataset_of(generate({.rows = 300, .features = 20, .density = 0.3, .label_noise = 0.1, .seed = 3}), "data");
      TrainOptions options{.minimize = {.gap_tolerance = 1e-6, .max_iterations = 2000}};
      options.method = method_of(variant);
      const TrainResult trained = train(data, risk_with("logistic", 1e-3, bias), options);
      expect_proven(data, trained, 1e-6);
      // The averaged dual point makes the proof as tight as the run. All but the slowest method
      // converge.
      if (variant != "ball") {
        EXPECT_EQ(trained.run.status, Status::converged) << trained.run.message;
      }
    }
}

TEST(CertifiedTraining, EveryLossWithWeightsAndEveryIntercept) {
  Random random(911);
  for (const LossInfo& loss : losses())
    for (const bool weighted : {false, true})
      for (const double l2 : {1e-2, 1e-5, 1e-8}) {
        const RandomData made = random_data(
            random, loss.task, {.rows = 120, .columns = 12, .density = 0.5, .weighted = weighted, .shift = 1});
        for (const Bias bias : {Bias::none, Bias::free}) {
          SCOPED_TRACE(std::string(loss.name) + " " + std::string(to_string(bias)) + (weighted ? " weighted" : ""));
          const TrainResult trained = train(made.data, risk_with(loss.name, l2, bias));
          expect_proven(made.data, trained, 1e-6);
          EXPECT_EQ(trained.run.status, Status::converged) << trained.run.message;
        }
      }
}

TEST(CertifiedTraining, RealData) {
  const std::string shared = GEODESCENT_SHARED_DATA;
  if (!std::filesystem::exists(shared + "/binary/heart.xz")) GTEST_SKIP() << "no shared data here";
  for (const std::string set :
       {"binary/heart", "binary/colon-cancer", "binary/german.numer", "regression/housing_scale"})
    for (const LossInfo& loss : losses()) {
      if (set[0] == 'r' && loss.task == Task::classification) continue;
      for (const Bias bias : every_bias)
        for (const double l2 : {1e-2, 1e-5, 1e-8}) {
          SCOPED_TRACE(set + " " + std::string(loss.name) + " " + std::string(to_string(bias)) + " " +
                       std::to_string(l2));
          const Dataset data = dataset_of(read_libsvm(shared + "/" + set + ".xz"), "data");
          expect_proven(data, train(data, risk_with(loss.name, l2, bias)), 1e-6);
        }
    }
}

TEST(CertifiedTraining, AToleranceBeyondDoublePrecisionIsSaidNotClaimed) {
  const Dataset data = dataset_of(generate({.rows = 200, .features = 10, .label_noise = 0.1}), "data");
  const TrainResult trained =
      train(data, risk_with("logistic", 1e-4, Bias::free), {.minimize = {.gap_tolerance = 1e-16}});
  EXPECT_EQ(trained.run.status, Status::precision_limit) << trained.run.message;
  EXPECT_GT(trained.certificate->relative_gap, 1e-16);
  EXPECT_LT(trained.certificate->relative_gap, 1e-9);
  EXPECT_TRUE(verify(data, trained.model, *trained.certificate).holds);
}

TEST(CertifiedTraining, AnotherToleranceThatIsMetIsNotALackOfPrecision) {
  Random random(23);
  const RandomData data = random_data(random, Task::classification, {60, 8, 0.5});
  const TrainResult trained = train(data.data, {.loss = "logistic", .l2 = 1e-3},
                                    {.minimize = {.gap_tolerance = 1e-12, .gradient_tolerance = 0.01}});
  EXPECT_EQ(trained.run.status, Status::converged) << trained.run.message;
  EXPECT_EQ(trained.run.message.find("precision"), std::string::npos) << trained.run.message;
  EXPECT_GT(trained.certificate->relative_gap, 1e-12);
}

TEST(CertifiedTraining, ALossWithAParameterHasItsDefault) {
  Random random(29);
  const RandomData data = random_data(random, Task::regression, {60, 8, 0.5});
  const double standard = loss_named("huber").parameter->default_value;
  const TrainResult silent = train(data.data, {.loss = "huber", .l2 = 1e-3}),
                    said = train(data.data, {.loss = "huber", .loss_parameter = standard, .l2 = 1e-3});
  EXPECT_EQ(silent.model.risk.loss_parameter, standard);
  EXPECT_EQ(silent.model.weights, said.model.weights);
}

TEST(CertifiedTraining, ALossWithoutAParameterGetsNone) {
  Random random(31);
  const RandomData data = random_data(random, Task::classification, {60, 8, 0.5});
  EXPECT_THROW((void)train(data.data, {.loss = "logistic", .loss_parameter = 1, .l2 = 1e-3}), std::invalid_argument)
      << "neither the model nor its certificate could be read";
  LinearModel model = train(data.data, {.loss = "logistic", .l2 = 1e-3}).model;
  const DualPoint dual = rounded_dual(data.data, model.risk, Vector(60), 8);
  EXPECT_NO_THROW((void)prove(data.data, model, dual));
  model.risk.loss_parameter = 1;
  EXPECT_THROW((void)prove(data.data, model, dual), InputError);
}

TEST(CertifiedTraining, FeaturesFarFromZeroDoNotMislead) {
  // All predictions change by hundreds with the coefficients, and the intercept compensates.
  LibsvmData far = generate({.rows = 300, .features = 10, .density = 1, .label_noise = 0.1, .seed = 5});
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t i = 0; i < far.rows.rows(); ++i) {
    for (std::uint32_t j = 0; j < 10; ++j) indices.push_back(j), values.push_back(480 + 20 * far.rows.values(i)[j]);
    offsets.push_back(values.size());
  }
  far.rows = SparseRows(offsets, indices, values, 10);
  const Dataset data = dataset_of(std::move(far), "far");
  for (const char* loss : {"logistic", "smoothed-hinge", "huber"}) {
    const TrainResult trained = train(data, risk_with(loss, 1e-2, Bias::free));
    expect_proven(data, trained, 1e-6);
    EXPECT_EQ(trained.run.status, Status::converged) << loss << ": " << trained.run.message;
  }
}

TEST(Path, EveryModelIsProvenAndStartsNearItsGoal) {
  const Dataset data =
      dataset_of(generate({.rows = 400, .features = 30, .density = 0.3, .label_noise = 0.1, .seed = 11}), "data");
  const Vector values = path_values(1e-6, 1e-2, 9);
  std::uint64_t iterations = 0, cold = 0, models = 0;
  train_path(data, risk_with("logistic", 0, Bias::free), values, {}, [&](TrainResult&& trained) {
    expect_proven(data, trained, 1e-6);
    EXPECT_EQ(trained.model.risk.l2, values[models]);
    iterations += trained.run.iterations;
    cold += train(data, risk_with("logistic", values[models], Bias::free)).run.iterations;
    ++models;
    return true;
  });
  EXPECT_EQ(models, values.size());
  EXPECT_LT(iterations, cold);
}

TEST(Path, MayRepeatAStrength) {
  const Dataset data = dataset_of(generate({.rows = 100, .features = 5, .label_noise = 0.1, .seed = 12}), "data");
  train_path(data, risk_with("logistic", 0, Bias::none), Vector{1e-2, 1e-2, 1e-2, 1e-3}, {},
             [&](TrainResult&& trained) {
               expect_proven(data, trained, 1e-6);
               return true;
             });
}

}  // namespace
}  // namespace geodescent::testing
