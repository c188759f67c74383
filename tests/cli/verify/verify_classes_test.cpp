// Models of several classes: softmax and one class against the rest, ours and LIBLINEAR's. check()
// in the fixture asks scripts/check.py as well.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "cli/verify/verify_fixture.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

class VerifyClasses : public Verify {
 protected:
  VerifyClasses() {
    generate_data(data, {"--rows", "200", "--features", "5", "--density", "0.6", "--classes", "4", "--noise", "0.2"});
  }

  /// Changes what was trained and writes it anew, with a right checksum.
  void change(const std::function<void(LinearModel&, Certificate&)>& how) const {
    CertifiedModel found = read_certified_model(model);
    how(found.model, *found.certificate);
    write_model(found.model, *found.certificate, model);
  }
};

TEST_F(VerifyClasses, HonestClaimsHold) {
  for (const std::string loss : {"softmax", "logistic", "smoothed-hinge", "squared-hinge"})
    for (const std::string bias : {"free", "regularized", "none"}) {
      SCOPED_TRACE(loss + " " + bias);
      train({"--loss", loss, "--bias", bias, "--l2", "1e-3", "-w", "2", "3"});
      const Outcome words = verify();
      EXPECT_EQ(words.code, 0) << words.out;
      const bool several = loss != "softmax";
      EXPECT_EQ(words.out.find("classes     4, the sums above:\n  1         value 0.") != std::string::npos, several)
          << words.out;
      const json found = verify_json();
      EXPECT_EQ(found["verdict"], "holds");
      EXPECT_LE(found["relative_gap"], 1e-7);
      ASSERT_EQ(found["classes"].is_null(), !several);
      if (!several) continue;
      ASSERT_EQ(found["classes"].size(), 4U);
      double value = 0, largest = 0;
      for (const json& one : found["classes"]) {
        value += one["value"].get<double>();
        largest = std::max(largest, one["relative_gap"].get<double>());
      }
      EXPECT_NEAR(value, found["value"].get<double>(), 1e-12);
      EXPECT_EQ(largest, found["relative_gap"].get<double>());
    }
}

/// Files that an earlier program has written: a certificate of version 2, and both kinds of version
/// 3.
TEST_F(VerifyClasses, StoredModelsHold) {
  const std::string stored = GEODESCENT_TEST_DATA "/proven/";
  for (const auto& [rows, name] : std::vector<std::pair<std::string, std::string>>{
           {"two.svm", "logistic"}, {"classes.svm", "softmax"}, {"classes.svm", "against-rest"}}) {
    SCOPED_TRACE(name);
    put(data, contents(stored + rows));
    put(model, contents(stored + name + ".model"));
    const Outcome outcome = verify();
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_TRUE(says(outcome.out, {"verdict     holds"})) << outcome.out;
  }
}

TEST_F(VerifyClasses, FalseClaimsFail) {
  const auto lower = [](double& number) { number *= 1 - 1e-6; };
  for (const std::string loss : {"softmax", "logistic"}) {
    SCOPED_TRACE(loss);
    const auto expect_refused = [&](const std::string& reason,
                                    const std::function<void(LinearModel&, Certificate&)>& how) {
      train({"--loss", loss, "--l2", "1e-3"});
      change(how);
      expect_failure(reason);
    };
    expect_refused("the value of the model is ", [&](LinearModel&, Certificate& c) { lower(c.value); });
    expect_refused("the lower bound is ", [](LinearModel&, Certificate& c) { c.lower_bound = c.value; });
    expect_refused("the value of the model is ", [](LinearModel& m, Certificate&) { m.weights[3] += 0.1; });
    expect_refused("the model claims the value ", [&](LinearModel& m, Certificate&) { lower(m.value); });
    expect_refused("rows with the label 3", [](LinearModel& m, Certificate&) { ++m.classes[2].rows; });
    if (loss == "softmax") {
      expect_refused("do not add up to 0", [](LinearModel&, Certificate& c) { ++c.dual.steps[5]; });
    } else {
      expect_refused("class 2: the value of the model is ",
                     [&](LinearModel&, Certificate& c) { lower(c.claims[1].value); });
      expect_refused("class 4: the relative gap is ",
                     [](LinearModel&, Certificate& c) { c.claims[3].relative_gap = 0; });
      expect_refused("do not add up to 0", [](LinearModel&, Certificate& c) { ++c.claims[0].dual.steps[5]; });
    }
  }
}

TEST_F(VerifyClasses, OtherLabelsAndOtherDataFail) {
  train({"--loss", "softmax", "--l2", "1e-3"});
  std::string text = contents(data);
  text[0] = text[0] == '1' ? '2' : '1';
  put(data, text);
  expect_failure("the data are not those of the certificate");
}

TEST_F(VerifyClasses, CoefficientsProveThemselves) {
  for (const std::string loss : {"softmax", "squared-hinge"}) {
    train({"--loss", loss, "--l2", "1e-3"});
    write_model(read_model(model), model);  // without its certificate
    const json found = verify_json({"--loss", loss, "--l2", "1e-3"});
    EXPECT_EQ(found["bound_from"], "coefficients");
    EXPECT_LT(found["relative_gap"], 1e-4) << loss;
    const json other = verify_json({"--loss", loss, "--l2", "1e-1"});
    EXPECT_GT(other["gap"], found["gap"]) << "not the minimum of another risk";
    const json tight = verify_json({"--tight", "--loss", loss, "--l2", "1e-1"});
    EXPECT_EQ(tight["bound_from"], "training");
    EXPECT_LT(tight["gap"], other["gap"]) << loss;
  }
  expect_error(geodescent({"verify", "--loss", "squared", "--l2", "1", data, model}), 2, "has 4 classes");
}

TEST_F(VerifyClasses, ModelsOfLiblinearAreJudged) {
  if (!installed("liblinear-train")) GTEST_SKIP() << "liblinear-train is not installed (package liblinear-tools)";
  for (const std::string solver : {"0", "1", "2", "7"}) {
    SCOPED_TRACE("-s " + solver);
    const std::string loss = solver == "0" || solver == "7" ? "logistic" : "squared-hinge";
    for (const std::string bias : {"-1", "1"}) {
      ASSERT_EQ(run({"liblinear-train", "-q", "-s", solver, "-c", "2", "-e", "1e-8", "-B", bias, data, model}).code, 0);
      const json found = verify_json({"--loss", loss, "-c", "2"});
      EXPECT_EQ(found["classes"].size(), 4U);
      // The dual solvers end by their number of iterations.
      EXPECT_LT(found["relative_gap"], solver == "0" || solver == "2" ? 1e-5 : 1e-2)
          << "its C, its bias and its loss are ours";
      EXPECT_TRUE(found["hint"].is_null()) << found["hint"];
      ASSERT_EQ(run({"liblinear-train", "-q", "-s", solver, "-c", "2", "-e", "0.5", "-B", bias, data, model}).code, 0);
      const json loose = verify_json({"--loss", loss, "-c", "2"});
      const json tight = verify_json({"--tight", "--loss", loss, "-c", "2"});
      EXPECT_LE(tight["gap"], loose["gap"]);
      EXPECT_GE(tight["lower_bound"], loose["lower_bound"]);
    }
  }
}

TEST_F(VerifyClasses, ObjectivesOfLiblinearWithoutAProofAreNamed) {
  if (!installed("liblinear-train")) GTEST_SKIP() << "liblinear-train is not installed (package liblinear-tools)";
  for (const auto& [solver, part] : std::vector<std::pair<std::string, std::string>>{
           {"3", "L2R_L1LOSS_SVC_DUAL minimises the hinge loss, which is not smooth"},
           {"4", "MCSVM_CS minimises the loss of Crammer and Singer, which is not smooth"},
           {"5", "L1R_L2LOSS_SVC minimises an objective with |w| (L1) in place of |w|^2"},
           {"6", "L1R_LR minimises an objective with |w| (L1) in place of |w|^2"}}) {
    SCOPED_TRACE("-s " + solver);
    ASSERT_EQ(run({"liblinear-train", "-q", "-s", solver, data, model}).code, 0);
    const Outcome alone = geodescent({"verify", data, model});
    expect_error(alone, 3, part);
    EXPECT_TRUE(says(alone.err, {"no bound is proven for that"})) << alone.err;
    const json found = verify_json({"--loss", "squared-hinge", "-c", "1"});
    EXPECT_TRUE(found["hint"].get<std::string>().starts_with(part)) << found["hint"];
    EXPECT_EQ(found["exit_code"], 0);
  }
}

}  // namespace
}  // namespace geodescent::testing
