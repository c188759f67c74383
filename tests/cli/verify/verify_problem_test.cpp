// A certificate is compared with the problem that was asked for.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "cli/verify/verify_fixture.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

TEST_F(Verify, TheProblemOfTheCertificateIsAsAskedFor) {
  train({"--loss", "squared-hinge", "-c", "2", "--bias", "regularized"});
  const std::vector<std::vector<std::string>> same{
      {"--loss", "squared-hinge"}, {"-s", "2"}, {"-c", "2"},
      {"--bias", "regularized"},   {"-B", "1"}, {"-s", "1", "-c", "2", "-B", "1"}};
  for (const auto& options : same) {
    const json found = verify_json(options);
    EXPECT_EQ(found["verdict"], "holds") << fmt::format("{}", fmt::join(options, " "));
    EXPECT_EQ(found["bound_from"], "certificate");
    EXPECT_EQ(found["compared"].size(), options.size() / 2);
  }
  EXPECT_TRUE(says(verify(same.back()).out, {"\nasked for   this problem (--loss, --cost, --bias)\n"}));
  EXPECT_FALSE(says(verify().out, {"asked for"}));
  EXPECT_EQ(verify_json()["compared"].size(), 0u);
  const json certified = verify_json();
  EXPECT_EQ(verify_json({"--l2", fmt::format("{}", certified["l2"].get<double>())})["verdict"], "holds");
}

TEST_F(Verify, AnotherProblemThanTheOneAskedForIsAnError) {
  train({"--loss", "huber", "--huber-delta", "0.5", "--l2", "0.25"});
  const auto expect_contradiction = [&](const std::vector<std::string>& options, const std::string& text) {
    expect_error(verify(options), 3,
                 model + ": the certificate is for " + text + " was asked for; leave out the option");
    EXPECT_TRUE(says(verify(options).err, {"--ignore-certificate"}));
  };
  expect_contradiction({"--loss", "squared"}, "--loss huber, but --loss squared");
  expect_contradiction({"--l2", "0.5"}, "--l2 0.25, but --l2 0.5");
  expect_contradiction({"--huber-delta", "1"}, "--huber-delta 0.5, but --huber-delta 1");
  expect_contradiction({"--bias", "none"}, "--bias free, but --bias none");
  expect_contradiction({"-B", "1"}, "--bias free, but --bias regularized");
  expect_contradiction({"--loss", "huber", "-c", "1"},
                       "--cost 0.013333333333333334 (l2 = 0.25), but --cost 1 (l2 = 0.0033333333333333335)");
  EXPECT_EQ(verify({"--loss", "huber", "--huber-delta", "0.5", "--l2", "0.25", "--bias", "free"}).code, 0);
}

TEST_F(Verify, OtherDataAreSaidBeforeAnotherProblem) {
  train({"-c", "1"});
  generate_data(data, {"--rows", "200", "--features", "6", "--noise", "0.3"});
  const Outcome outcome = verify({"--loss", "logistic", "-c", "1"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(says(outcome.out, {"fails: " + data + " has 200 rows"})) << outcome.out;
}

TEST_F(Verify, CoefficientsOfACertifiedModelAreJudgedOnRequest) {
  train({"--l2", "1e-3"});
  const json found = verify_json({"--ignore-certificate", "--loss", "logistic", "--l2", "1e-2"});
  EXPECT_EQ(found["verdict"], "no claim");
  EXPECT_EQ(found["bound_from"], "coefficients");
  EXPECT_TRUE(found["certificate"].is_null());
  expect_error(verify({"--ignore-certificate"}), 3, "give --loss and --l2");
}

}  // namespace
}  // namespace geodescent::testing
