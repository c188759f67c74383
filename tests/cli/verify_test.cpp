// Verification: what was trained holds, what was changed does not, and weights of others are judged by themselves.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "cli/support/program.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/data/libsvm.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

class Verify : public ::testing::Test {
 protected:
  Verify() { generate_data(data, {"--rows", "300", "--features", "6", "--noise", "0.3"}); }

  void train(std::vector<std::string> options) const {
    options.insert(options.begin(), {"train", "--quiet", "--tol", "1e-7"});
    options.insert(options.end(), {data, model});
    const Outcome outcome = geodescent(options);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  Outcome verify(std::vector<std::string> options = {}) const {
    if (options.empty() || (options.size() == 2 && options[0] == "--row-weights")) check(options);
    options.insert(options.begin(), "verify");
    options.insert(options.end(), {data, model});
    return geodescent(options);
  }
  /// The checker that shares nothing with the library: the same verdict.
  void check(const std::vector<std::string>& options) const {
    std::vector<std::string> ours{"verify", "--quiet"}, theirs{"python3", GEODESCENT_CHECKER};
    for (std::vector<std::string>* command : {&ours, &theirs}) {
      command->insert(command->end(), options.begin(), options.end());
      command->insert(command->end(), {data, model});
    }
    const Outcome by_checker = run(theirs);
    const int code = geodescent(ours).code;
    const std::string said = by_checker.out + by_checker.err;
    if (code == 3) {  // what has no form it may also call false
      EXPECT_TRUE(by_checker.code == 2 || by_checker.out.starts_with("does not hold: ")) << said;
    } else {
      EXPECT_EQ(by_checker.code, code) << said;
      EXPECT_TRUE(by_checker.out.starts_with(code == 0   ? "holds: "
                                             : code == 1 ? "does not hold: "
                                                         : "says nothing: "))
          << said;
    }
  }
  json verify_json(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"--json", "--quiet"});
    const Outcome outcome = verify(options);
    EXPECT_EQ(outcome.err, "");
    json found = json::parse(outcome.out);
    found["exit_code"] = outcome.code;
    return found;
  }
  void expect_failure(const std::string& part) const {
    const json found = verify_json();
    EXPECT_EQ(found["exit_code"], 1);
    EXPECT_EQ(found["verdict"], "fails");
    EXPECT_NE(found["reason"].get<std::string>().find(part), std::string::npos) << found["reason"];
    const Outcome words = verify();
    EXPECT_EQ(words.code, 1);
    EXPECT_NE(words.out.find("verdict     fails: "), std::string::npos) << words.out;
  }
  void expect_error(const Outcome& outcome, int code, const std::string& part) const {
    EXPECT_EQ(outcome.code, code);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
  template <class Change>
  void change_model(Change change) const {
    CertifiedModel changed = read_certified_model(model);
    change(changed.model);
    write_model(changed.model, *changed.certificate, model);
  }
  template <class Change>
  void change_certificate(Change change) const {
    CertifiedModel changed = read_certified_model(model);
    change(*changed.certificate);
    write_model(changed.model, *changed.certificate, model);
  }

  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  const std::string model = folder / "data.model";
  const std::string certificate = folder / "data.model.cert";  ///< where it was before models contained theirs
};

TEST_F(Verify, WhatWasTrainedHolds) {
  for (const char* loss : {"logistic", "smoothed-hinge", "squared-hinge", "squared", "huber"}) {
    for (const char* bias : {"free", "regularized", "none"}) {
      train({"--loss", loss, "--bias", bias, "--l2", "1e-3"});
      const Outcome outcome = verify({"--tol", "1e-7"});
      EXPECT_EQ(outcome.code, 0) << loss << " " << bias << outcome.out << outcome.err;
      EXPECT_NE(outcome.out.find("verdict     holds\n"), std::string::npos) << outcome.out;
      EXPECT_EQ(outcome.err, "");
      check({});
    }
  }
}

TEST_F(Verify, JsonSaysAll) {
  train({"--l2", "1e-3"});
  const json found = verify_json({"--tol", "1e-7"});
  EXPECT_EQ(found["exit_code"], 0);
  EXPECT_EQ(found["verdict"], "holds");
  EXPECT_TRUE(found["reason"].is_null());
  EXPECT_LE(found["value"], found["claimed_value"]);
  EXPECT_GE(found["lower_bound"], found["claimed_lower_bound"]);
  EXPECT_LE(found["relative_gap"], found["claimed_relative_gap"]);
  EXPECT_GE(found["gap"].get<double>(), found["value"].get<double>() - found["lower_bound"].get<double>());
  EXPECT_NEAR(found["distance_bound"].get<double>(), std::sqrt(2 * found["gap"].get<double>() / 1e-3), 1e-9);
  EXPECT_EQ(found["tolerance"], 1e-7);
  EXPECT_EQ(found["data"], data);
  EXPECT_EQ(found["model"], model);
  EXPECT_EQ(found["certificate"], model);
  EXPECT_EQ(found["loss"], "logistic");
  EXPECT_EQ(found["l2"], 1e-3);
  EXPECT_EQ(found["bias"], "free");
  EXPECT_EQ(found["rows"], 300);
  EXPECT_EQ(found["features"], 6);
  EXPECT_TRUE(found.contains("version"));
}

TEST_F(Verify, ToleranceIsAClaimOfItsOwn) {
  train({});
  const Outcome outcome = verify({"--tol", "1e-15"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("more than --tol 1e-15"), std::string::npos) << outcome.out;
}

TEST_F(Verify, WeightedRowsAreReadAsInTheTraining) {
  std::ofstream weights(folder / "weights");
  for (int i = 0; i < 300; ++i) weights << (i % 4) * 0.5 << "\n";  // some are 0
  weights.close();
  train({"--row-weights", folder / "weights", "-w", "1", "2.5"});
  EXPECT_EQ(verify({"--row-weights", folder / "weights", "-w", "1", "2.5"}).code, 0);
  EXPECT_EQ(verify({"--row-weights", folder / "weights"}).code, 1) << "other weights are other data";
  EXPECT_EQ(verify().code, 1);
}

TEST_F(Verify, ChangedWeight) {
  train({});
  change_model([](LinearModel& m) { m.weights[2] += 1e-2; });
  expect_failure("the value of the model is ");
}

TEST_F(Verify, ChangedIntercept) {
  train({});
  change_model([](LinearModel& m) { m.bias_weight -= 1e-2; });
  expect_failure("the value of the model is ");
}

TEST_F(Verify, ChangedRegularisation) {
  train({});
  change_model([](LinearModel& m) { m.risk.l2 *= 1.5; });
  expect_failure("the l2 is ");
}

TEST_F(Verify, ChangedLoss) {
  train({});
  change_model([](LinearModel& m) { m.risk.loss = "squared-hinge"; });
  expect_failure("the loss is squared-hinge in the model and logistic in the certificate");
}

TEST_F(Verify, ChangedLabel) {
  train({});
  std::string text = contents(data);
  const std::size_t place = text.find("\n-1 ");
  ASSERT_NE(place, std::string::npos);
  put(data, text.replace(place, 4, "\n1 "));
  expect_failure("the data are not those of the certificate");
}

TEST_F(Verify, RemovedRow) {
  train({});
  const std::string text = contents(data);
  put(data, text.substr(text.find('\n') + 1));
  expect_failure("the data have 299 rows, the certificate is for 300");
}

TEST_F(Verify, OtherData) {
  train({});
  generate_data(data, {"--rows", "300", "--features", "6", "--seed", "99"});
  expect_failure("the data are not those of the certificate");
}

TEST_F(Verify, TheSameDataWrittenOtherwiseAreTheSame) {
  train({});
  put(data, "# a comment\n" + contents(data) + "\n\n");
  EXPECT_EQ(verify().code, 0);
}

TEST_F(Verify, ForgedClaims) {
  train({});
  change_certificate([](Certificate& c) { c.value *= 0.99; });
  expect_failure("more than the ");
  train({});
  change_certificate([](Certificate& c) { c.lower_bound = c.value; });
  expect_failure("the lower bound is ");
  train({});
  change_certificate([](Certificate& c) { c.relative_gap = 0; });
  expect_failure("the relative gap is ");
}

TEST_F(Verify, AClaimThatSaysNothingHasAnExitCodeOfItsOwn) {
  train({"--max-iterations", "1000"});
  change_certificate([](Certificate& c) { c.relative_gap = std::numeric_limits<double>::infinity(); });
  std::string text = contents(model);
  const std::size_t status = text.find("status converged");  // which has a gap
  put(model, text.replace(status, 16, "status time_limit"));
  const Outcome outcome = verify();
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.out.find("verdict     says nothing: "), std::string::npos) << outcome.out;
  EXPECT_EQ(verify({"--tol", "1e-6"}).code, 0) << "what is computed anew says more";
}

TEST_F(Verify, AnUnknownStatusSwitchesNothingOff) {
  train({});
  std::string text = contents(model);
  const auto replace_line = [&](const std::string& key, const std::string& line) {
    const std::size_t begin = text.find("\n" + key, text.find("geodescent-model 2")) + 1;
    text.replace(begin, text.find('\n', begin) - begin, line);
  };
  for (const char* line : {"status unknown", "value inf", "lower_bound -inf", "l2 0"})
    replace_line(std::string(line).substr(0, std::string(line).find(' ') + 1), line);
  put(model, text);
  const Outcome outcome = geodescent({"verify", data, model});
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_NE(outcome.out.find("the l2 is 0 in the model"), std::string::npos) << outcome.out;
}

TEST_F(Verify, ForgedSectionOfTheModel) {
  train({});
  change_model([](LinearModel& m) { m.value *= 0.99; });
  expect_failure("the model says that its value is ");
  train({});
  change_model([](LinearModel& m) { m.lower_bound = m.value; });
  expect_failure("the model says that its value is ");
  train({});
  change_model([](LinearModel& m) { ++m.labels->negatives; });
  expect_failure("rows have its labels, but the data have ");
  // Nothing in it switches a check off.
  train({});
  std::string text = contents(model);
  const std::size_t start = text.find("\nstatus ") + 1;
  text.replace(start, text.find('\n', start) - start, "status");
  put(model, text);
  expect_error(verify(), 3, "unknown status ''");
}

TEST_F(Verify, ForgedDualPoint) {
  train({"--bias", "none"});
  change_certificate([](Certificate& c) { c.dual.steps[5] = 1; });
  expect_failure("the dual value of row 6 is ");
  train({"--bias", "none"});
  change_certificate([](Certificate& c) { c.dual.steps[5] /= 2; });
  expect_failure("the lower bound is ");
  train({"--bias", "free"});
  change_certificate([](Certificate& c) { c.dual.steps[5] /= 2; });
  expect_failure("do not add up to 0");
}

TEST_F(Verify, BrokenCertificateIsBadInput) {
  train({});
  const std::string whole = contents(model);
  const std::size_t start = whole.find("geodescent-certificate 2\n");
  ASSERT_NE(start, std::string::npos);
  put(model, whole.substr(0, (start + whole.size()) / 2));
  expect_error(verify(), 3, "its header announces");
  put(model, whole + "x");
  expect_error(verify(), 3, "its header announces");
  std::string flipped = whole;
  flipped[(start + whole.size()) / 2] ^= 4;
  put(model, flipped);
  expect_error(verify(), 3, "do not match its checksum");
  put(model, whole.substr(0, start) + "geodescent-certificate 2\nloss logistic\n");
  expect_error(verify(), 3, "data.model (certificate):3: the header has no end");
  put(model, whole.substr(0, start));
  expect_error(verify(), 3, "a model without a certificate; name one, or give --loss");
  expect_error(geodescent({"verify", data, model, folder / "other"}), 3, "no such file");
  expect_error(geodescent({"verify", data, model, model}), 3, "a model without a certificate");
}

TEST_F(Verify, CertificateCanBeElsewhereAndCompressedDataAreData) {
  train({});
  const std::string whole = contents(model);
  const std::size_t start = whole.find("geodescent-certificate 2\n");
  const std::string bare = folder / "bare";
  put(bare, whole.substr(0, start));
  put(folder / "proof", whole.substr(start));
  EXPECT_EQ(geodescent({"verify", data, bare, folder / "proof"}).code, 0);
  EXPECT_EQ(geodescent({"verify", data, bare, model}).code, 0) << "the certificate in another model's file";
  put(bare + ".cert", whole.substr(start));
  EXPECT_EQ(geodescent({"verify", data, bare}).code, 0) << "beside the model, as it was once";
  Surroundings piped;
  piped.input = data;
  EXPECT_EQ(geodescent({"verify", "-", model}, piped).code, 0);
}

TEST_F(Verify, TheModelAloneIsReadByPredict) {
  train({});
  const std::string whole = contents(model);
  put(folder / "bare", whole.substr(0, whole.find("geodescent-certificate 2\n")));
  const Outcome with = geodescent({"predict", data, model}), without = geodescent({"predict", data, folder / "bare"});
  EXPECT_EQ(with.code, 0) << with.err;
  EXPECT_EQ(with.out, without.out);
}

TEST_F(Verify, Usage) {
  train({});
  expect_error(geodescent({"verify", "--loss", "logistic", "--l2", "1", data, model, certificate}), 2, "CERTIFICATE");
  expect_error(verify({"--loss", "logistic"}), 2, "--l2 or --cost");
  expect_error(verify({"--loss", "logistic", "--l2", "1", "-c", "1"}), 2, "excludes");
  expect_error(verify({"--loss", "logistic", "--l2", "1", "--huber-delta", "1"}), 2, "--huber-delta");
  expect_error(verify({"--loss", "hinge", "--l2", "1"}), 2, "'hinge' given");
  for (const char* option : {"--l2", "--cost", "--huber-delta", "--features"})
    expect_error(verify({option, "1"}), 2, std::string(option) + " has an effect only with --loss");
  expect_error(verify({"--bias", "none"}), 2, "--bias has an effect only with --loss");
  expect_error(verify({"--tol", "-1"}), 2, "--tol");
}

// Weights without a certificate --------------------------------------------------------------------------------------

TEST_F(Verify, WeightsProveThemselves) {
  train({"--l2", "1e-3", "--bias", "free"});
  const json found = verify_json({"--loss", "logistic", "--l2", "1e-3"});
  EXPECT_EQ(found["exit_code"], 0);
  EXPECT_EQ(found["verdict"], "no claim");
  EXPECT_EQ(found["bias"], "free");
  EXPECT_TRUE(found["certificate"].is_null());
  EXPECT_TRUE(found["claimed_value"].is_null());
  EXPECT_LT(found["relative_gap"], 1e-5);
  EXPECT_EQ(verify({"--loss", "logistic", "--l2", "1e-3", "--tol", "1e-5"}).code, 0);
  const Outcome worse = verify({"--loss", "logistic", "--l2", "1", "--tol", "1e-5"});
  EXPECT_EQ(worse.code, 1) << "not the minimum of another risk";
  EXPECT_NE(worse.out.find("verdict     fails: the relative gap is "), std::string::npos) << worse.out;
}

TEST_F(Verify, CostIsThatOfLiblinear) {
  // 1/2 |w|^2 + C sum loss: the squared losses have no factor 1/2 there.
  for (const auto& [loss, l2] : std::vector<std::pair<std::string, double>>{
           {"logistic", 1 / 600.0}, {"squared-hinge", 1 / 1200.0}, {"squared", 1 / 1200.0}}) {
    train({"--loss", loss, "-c", "2"});
    const json found = verify_json({"--loss", loss, "-c", "2"});
    EXPECT_DOUBLE_EQ(found["l2"], l2) << loss;
    EXPECT_LT(found["relative_gap"], 1e-5) << loss;
  }
}

TEST_F(Verify, PlainWeights) {
  train({"--l2", "1e-3", "--bias", "free"});
  const LinearModel trained = read_model(model);
  const auto write = [&](bool intercept) {
    std::ofstream out(folder / "w.txt");
    out.precision(17);
    for (const double w : trained.weights) out << w << "\n\n";
    if (intercept) out << trained.bias_weight << "\n";
  };
  const auto judge = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"verify", "--json", "-q", "--loss", "logistic", "--l2", "1e-3"});
    options.insert(options.end(), {data, folder / "w.txt"});
    return geodescent(options);
  };
  write(true);
  const Outcome outcome = judge({"--bias", "free"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["value"], verify_json({"--loss", "logistic", "--l2", "1e-3"})["value"]);
  expect_error(judge({}), 3, "7 numbers, but " + data + " has 6 features; ");
  expect_error(judge({"--bias", "free", "--features", "7"}), 3, "has 7 features, and the intercept is one number more");
  write(false);
  expect_error(judge({"--bias", "regularized"}), 3, "6 numbers, but " + data + " has 6 features, and the intercept");
  EXPECT_EQ(json::parse(judge({}).out)["bias"], "none");
  put(folder / "w.txt", "1\n2\nx\n4\n5\n6\n");
  expect_error(judge({}), 3, "w.txt:3: ");
  put(folder / "w.txt", "\n\n");
  expect_error(judge({}), 3, "no number");
}

TEST_F(Verify, LiblinearModel) {
  put(data, "1 1:1\n2 1:-1\n");
  // With C = 1: 1/2 w^2 + 2 log(1 + exp(w)) in the direction of the label 1, whose minimum is near w = -0.6.
  put(model, "solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 1\nbias -1\nw\n0.6\n");
  const json found = verify_json({"--loss", "logistic", "-c", "1"});
  EXPECT_EQ(found["verdict"], "no claim");
  EXPECT_DOUBLE_EQ(found["l2"], 0.5);
  EXPECT_LT(found["relative_gap"], 0.1) << found;
  put(data, "1 1:1\n3 1:-1\n");
  expect_error(verify({"--loss", "logistic", "-c", "1"}), 3, "the model is for the labels 1 and 2");
}

TEST_F(Verify, InterceptOfAnotherKind) {
  train({"--bias", "regularized", "--l2", "1e-3"});
  const LinearModel trained = read_model(model);
  const std::vector<std::string> risk{"--loss", "logistic", "--l2", "1e-3", "--bias"};
  const auto with = [&](const char* bias) {
    std::vector<std::string> options = risk;
    options.emplace_back(bias);
    return options;
  };
  EXPECT_EQ(verify_json(with("regularized"))["bias"], "regularized");
  EXPECT_EQ(verify_json(with("free"))["bias"], "free");
  EXPECT_LT(verify_json(with("free"))["value"], verify_json(with("regularized"))["value"]);
  expect_error(verify(with("none")), 3, "the model has an intercept");
}

}  // namespace
}  // namespace geodescent::testing
