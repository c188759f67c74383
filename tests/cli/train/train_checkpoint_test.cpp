// `geodescent train --checkpoint`: killed or stopped, a training continues with the same bytes.
#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class TrainCheckpoint : public ::testing::Test {
 protected:
  TrainCheckpoint() { generate_data(data, {"--rows", "400", "--features", "60", "--noise", "0.1"}); }

  std::vector<std::string> command(const std::string& file, const std::string& model,
                                   const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"train",
                                 "--quiet",
                                 "-c",
                                 "1e4",
                                 "--tol",
                                 "1e-9",
                                 "--directions",
                                 "gradients",
                                 "--loss",
                                 "logistic",
                                 "--checkpoint",
                                 folder / file,
                                 "--checkpoint-every",
                                 "5"};
    all.insert(all.end(), more.begin(), more.end());
    all.push_back(data);
    all.push_back(folder / model);
    return all;
  }

  TemporaryFolder folder;
  std::string data = folder / "data.svm";
};

TEST_F(TrainCheckpoint, KilledAtAnyMomentItContinuesWithTheSameBytes) {
  ASSERT_EQ(geodescent(command("whole.ckpt", "whole.model")).code, 0);
  const std::string whole = contents(folder / "whole.model");
  ASSERT_TRUE(fs::exists(folder / "whole.ckpt"));
  for (int round = 0; round < 5; ++round) {
    const std::string file = "killed" + std::to_string(round) + ".ckpt";
    {
      Program program(geodescent_command(command(file, "killed.model")));
      while (!fs::exists(folder / file)) ASSERT_EQ(::usleep(200), 0);
      ::usleep(static_cast<useconds_t>(500 * round));
      program.send(SIGKILL);
      program.wait();
    }
    const Outcome again = geodescent(command(file, "killed.model", {"--resume", "--threads", "1"}));
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(contents(folder / "killed.model"), whole) << "round " << round;
    fs::remove(folder / "killed.model");
  }
}

TEST_F(TrainCheckpoint, ItIsAModelWithItsProof) {
  ASSERT_EQ(geodescent(command("a.ckpt", "a.model", {"--max-iterations", "7"})).code, 1);
  EXPECT_EQ(geodescent({"verify", data, folder / "a.ckpt"}).code, 0);
  EXPECT_EQ(geodescent({"predict", data, folder / "a.ckpt", folder / "out"}).code, 0);
  const json resumed = train_json({"-c", "1e4", "--tol", "1e-9", "--directions", "gradients", "--checkpoint",
                                   folder / "a.ckpt", "--checkpoint-every", "5", "--resume", data, folder / "a.model"});
  EXPECT_EQ(resumed["checkpoints"]["resumed_after"], 5);
  EXPECT_EQ(resumed["checkpoints"]["every"], 5);
  EXPECT_GE(resumed["checkpoints"]["written"], 1);
}

TEST_F(TrainCheckpoint, WhereThereIsNoneItBeginsAnew) {
  const Outcome began = geodescent(command("new.ckpt", "new.model", {"--resume"}));
  EXPECT_EQ(began.code, 0) << began.err;
  EXPECT_TRUE(fs::exists(folder / "new.ckpt"));
}

TEST_F(TrainCheckpoint, EndsAtTheLimitOfPrecisionWithAnyInterval) {
  for (const char* every : {"1", "2"}) {
    const json ended =
        train_json({"--l2", "0.1", "--tol", "0", "--directions", "gradients", "--max-iterations", "3000",
                    "--checkpoint", folder / "a.ckpt", "--checkpoint-every", every, data, folder / "a.model"});
    EXPECT_EQ(ended["status"], "precision_limit") << ended["message"];
    EXPECT_LT(ended["relative_gap"], 1e-11);
    EXPECT_EQ(geodescent({"verify", data, folder / "a.model"}).code, 0);
  }
}

TEST_F(TrainCheckpoint, WhatDoesNotFitIsAnError) {
  ASSERT_EQ(geodescent(command("a.ckpt", "a.model", {"--max-iterations", "7"})).code, 1);
  const auto refused = [&](const std::vector<std::string>& arguments, const std::vector<std::string>& words, int code) {
    const Outcome outcome = geodescent(arguments);
    EXPECT_EQ(outcome.code, code);
    EXPECT_TRUE(says(outcome.err, words)) << outcome.err;
  };
  const std::string other = folder / "other.svm";
  generate_data(other, {"--rows", "400", "--features", "60", "--seed", "9"});
  auto arguments = command("a.ckpt", "a.model", {"--resume"});
  arguments[arguments.size() - 2] = other;
  refused(arguments, {"a.ckpt", "a checkpoint of other data"}, 3);
  refused(command("a.ckpt", "a.model", {"--resume", "-w", "1", "2"}), {"a.ckpt", "other data or weights"}, 3);
  refused(command("a.ckpt", "a.model", {"--resume", "--bias", "regularized"}), {"has the intercept free", "anew"}, 2);
  arguments = command("a.model", "b.model", {"--resume"});
  refused(arguments, {"a.model", "no checkpoint"}, 3);
  refused({"train", "--checkpoint", folder / "a.ckpt", "--resume", "-c", "2", data, folder / "b.model"}, {"l2"}, 2);
  refused({"train", "--resume", data, folder / "b.model"}, {"--checkpoint"}, 2);
  refused({"train", "--checkpoint", folder / "c", "--folds", "3", data, folder / "b.model"}, {"--checkpoint"}, 2);
  refused({"train", "--checkpoint", folder / "same", data, folder / "same"}, {"--checkpoint"}, 2);
}

}  // namespace
}  // namespace geodescent::testing
