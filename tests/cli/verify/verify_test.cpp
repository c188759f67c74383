// Verification: what was trained holds, wherever its certificate is.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "cli/verify/verify_fixture.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

TEST_F(Verify, WhatWasTrainedHolds) {
  for (const char* loss : {"logistic", "smoothed-hinge", "squared-hinge", "squared", "huber"}) {
    for (const char* bias : {"free", "regularized", "none"}) {
      train({"--loss", loss, "--bias", bias, "--l2", "1e-3"});
      const Outcome outcome = verify({"--tol", "1e-7"});
      EXPECT_EQ(outcome.code, 0) << loss << " " << bias << outcome.out << outcome.err;
      EXPECT_NE(outcome.out.find("verdict     holds: the relative gap is at most "), std::string::npos) << outcome.out;
      EXPECT_EQ(outcome.err, "");
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
  EXPECT_EQ(verify({"--row-weights", folder / "weights"}).code, 0) << "the certificate states class weights";
  EXPECT_EQ(verify().code, 1) << "other row weights are other data";
}

TEST_F(Verify, ClassWeightsArePartOfTheCertificate) {
  train({"-w", "1", "2.5", "-w", "-1", "0.5", "-w", "1", "2"});
  const Outcome outcome = verify();
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(says(outcome.out, {"; class weights -1: 0.5, 1: 5\n"})) << outcome.out;
  EXPECT_EQ(verify_json()["class_weights"],
            json::parse(R"([{"label": -1, "weight": 0.5}, {"label": 1, "weight": 5}])"));
  EXPECT_EQ(verify({"-w", "-1", "0.5", "-w1", "5"}).code, 0) << "the same, said otherwise";
  expect_error(verify({"-w", "1", "5"}), 3,
               "data.model: its class weights are -1: 0.5, 1: 5, and -w gives others; leave out -w");
}

TEST_F(Verify, AWeightOfZeroLeavesAClassOutOfTheProof) {
  put(data, contents(data) + "7 1:1 2:3\n7 3:1\n");
  train({"-w", "7", "0", "-w", "-1", "3"});
  EXPECT_EQ(verify().code, 0);
  EXPECT_EQ(verify_json()["rows"], 300);
  std::string text = contents(data);
  put(data, text.substr(0, text.find("7 1:1 2:3")));
  expect_error(geodescent({"verify", data, model}), 3, "no row has the label 7");
  expect_unusable(checker({data, model}), "data.svm: a label of class_weights is not in the data");
}

// As a certificate that was made before they stated class weights.
TEST_F(Verify, ACertificateWithoutClassWeightsNeedsTheOption) {
  train({"-w", "1", "2.5"});
  change_certificate([](Certificate& c) { c.class_weights.clear(); });
  EXPECT_EQ(verify().code, 1);
  EXPECT_EQ(verify({"-w", "1", "2.5"}).code, 0);
  EXPECT_EQ(verify({"-w", "1", "2"}).code, 1);
}

TEST_F(Verify, SaysWhetherThereAreSampleWeights) {
  const auto line_of = [](const Outcome& outcome) {
    const std::size_t begin = outcome.out.find("\nweights ") + 1;
    return begin == 0 ? "" : outcome.out.substr(begin, outcome.out.find('\n', begin) - begin);
  };
  std::string ones_and_threes;
  for (int i = 0; i < 300; ++i) ones_and_threes += i % 2 == 0 ? "1\n" : "3\n";
  put(folder / "weights", ones_and_threes);
  const std::vector<std::string> given{"--row-weights", folder / "weights"};

  train({});
  EXPECT_EQ(line_of(verify()), "");
  const json plain = verify_json();
  EXPECT_EQ(plain["sample_weights"], false);
  EXPECT_EQ(plain["total_weight"], 300);
  EXPECT_EQ(plain["claimed_total_weight"], 300);
  EXPECT_EQ(line_of(verify(given)),
            "weights     sample weights; 300 rows with the total weight 600; in the certificate 300 rows with the "
            "total weight 300");

  train(given);
  EXPECT_EQ(line_of(verify(given)), "weights     sample weights; 300 rows with the total weight 600");
  const json weighted = verify_json(given);
  EXPECT_EQ(weighted["verdict"], "holds");
  EXPECT_EQ(weighted["sample_weights"], true);
  EXPECT_EQ(weighted["total_weight"], 600);
  EXPECT_EQ(weighted["claimed_total_weight"], 600);
  EXPECT_EQ(line_of(verify()), "weights     no sample weights; in the certificate 300 rows with the total weight 600");
  const json forgotten = verify_json();
  EXPECT_EQ(forgotten["verdict"], "fails");
  EXPECT_EQ(forgotten["sample_weights"], false);
  EXPECT_EQ(forgotten["total_weight"], 300);
  EXPECT_EQ(forgotten["claimed_total_weight"], 600);

  const json judged = verify_json({"--ignore-certificate", "--loss", "logistic", "--l2", "1e-4", "-w", "1", "2"});
  EXPECT_EQ(judged["sample_weights"], true) << "class weights are sample weights";
  EXPECT_TRUE(judged["claimed_total_weight"].is_null());
}

TEST_F(Verify, TheSameDataWrittenOtherwiseAreTheSame) {
  train({});
  put(data, "# a comment\n" + contents(data) + "\n\n");
  EXPECT_EQ(verify().code, 0);
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

TEST_F(Verify, AFileInPlaceOfAnotherIsNamed) {
  train({});
  const auto error_of = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "verify");
    const Outcome outcome = geodescent(words);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    return outcome.err;
  };
  const std::string none = "not a geodescent model, this looks like ";
  EXPECT_TRUE(says(error_of({data, data}), {data + ":1: " + none + "LIBSVM text; "})) << error_of({data, data});
  EXPECT_TRUE(says(error_of({model, data}), {data + ":1: " + none + "LIBSVM text; "}));
  EXPECT_TRUE(
      says(error_of({data, model, data}), {data + ":1: not a geodescent certificate, this looks like LIBSVM text; "}));
  EXPECT_TRUE(says(error_of({"--loss", "logistic", "--l2", "1", data, data}),
                   {data + ":1: ", "this looks like LIBSVM text; give one number a line"}));
  EXPECT_TRUE(
      says(error_of({"--loss", "logistic", "--l2", "1", model, model}), {model + ":1:1: ", "looks like a model"}));
  put(folder / "table.csv", "mean,std,label\n");
  EXPECT_TRUE(says(error_of({data, folder / "table.csv"}), {"table.csv:1: " + none + "CSV; "}));
  ASSERT_EQ(geodescent({"convert", "--quiet", data, folder / "data.gdm"}).code, 0);
  EXPECT_TRUE(says(error_of({data, folder / "data.gdm"}), {"data.gdm:1: " + none + "converted data; "}));
  generate_data(folder / "other.svm", {"--rows", "50", "--features", "6"});
  const Outcome other = geodescent({"verify", folder / "other.svm", model});
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(says(other.out, {"fails: " + (folder / "other.svm") + " has 50 rows, but the certificate is for 300",
                               "give the data of the training\n"}))
      << other.out;
  EXPECT_EQ(other.out.find("weights"), std::string::npos) << other.out;
}

TEST_F(Verify, Usage) {
  train({});
  expect_error(geodescent({"verify", "--ignore-certificate", data, model, certificate}), 2, "contradicts CERTIFICATE");
  expect_error(verify({"--ignore-certificate", "--loss", "logistic"}), 2, "--l2 or --cost");
  expect_error(verify({"--loss", "logistic", "--l2", "1", "-c", "1"}), 2, "excludes");
  expect_error(verify({"--loss", "logistic", "--l2", "1", "--huber-delta", "1"}), 2, "--huber-delta");
  expect_error(verify({"--loss", "hinge", "--l2", "1"}), 2, "'hinge' given");
  expect_error(verify({"--features", "6"}), 2, "--features has an effect only without a certificate, and " + model);
  expect_error(verify({"--tight"}), 2, "--tight has an effect only without a certificate, and " + model);
  expect_error(verify({"--huber-delta", "1"}), 2, "--huber-delta has an effect only with --loss huber");
  expect_error(verify({"-s", "3", "-c", "1"}), 2, "the smooth loss nearest to LIBLINEAR's hinge");
  expect_error(verify({"-s", "0", "--loss", "logistic", "-c", "1"}), 2, "excludes");
  expect_error(verify({"-B", "2"}), 2, "-B: '2' given");
  expect_error(verify({"-B", "1", "--bias", "free"}), 2, "excludes");
  expect_error(verify({"--tol", "-1"}), 2, "--tol");
}

}  // namespace
}  // namespace geodescent::testing
