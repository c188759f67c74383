// What was changed does not hold: data, model, certificate, with a right checksum or without.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "cli/verify/verify_fixture.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

TEST_F(Verify, ChangedWeight) {
  train({});
  change_model([](LinearModel& m) { m.weights[2] += 1e-2; });
  expect_failure("the value of the model is ");
}

TEST_F(Verify, ChangedIntercept) {
  train({});
  change_model([](LinearModel& m) { m.bias_weights[0] -= 1e-2; });
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
  expect_failure(" has 299 rows, but the certificate is for 300");
}

TEST_F(Verify, OtherData) {
  train({});
  generate_data(data, {"--rows", "300", "--features", "6", "--seed", "99"});
  expect_failure("the data are not those of the certificate");
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

TEST_F(Verify, ForgedClassWeights) {
  train({"-w", "1", "2"});
  change_certificate([](Certificate& c) { c.class_weights = {{1, 3}}; });
  expect_failure("the total weight of the rows is ");
  // Nor do they hide in the weights of rows.
  change_certificate([](Certificate& c) { c.class_weights = {{-1, 0.5}}; });
  expect_failure("the total weight of the rows is ");
  change_certificate([](Certificate& c) { c.class_weights = {{1, 0}}; });
  expect_failure("the certificate is for 300");
  change_certificate([](Certificate& c) { c.class_weights = {{1, 2}, {3, 1}}; });
  expect_error(geodescent({"verify", data, model}), 3, "no row has the label 3");
}

TEST_F(Verify, ForgedSectionOfTheModel) {
  train({});
  change_model([](LinearModel& m) { m.value *= 0.99; });
  expect_failure("the model claims the value ");
  train({});
  change_model([](LinearModel& m) { m.lower_bound = m.value; });
  expect_failure("the model claims the value ");
  train({});
  change_model([](LinearModel& m) { ++m.labels->negatives; });
  expect_failure("rows with the label ");
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

}  // namespace
}  // namespace geodescent::testing
