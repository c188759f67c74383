// Whatever happens at whichever write, fsync, rename or unlink: a model and its proof are both old
// or both new, and the next run clears up.
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

namespace fs = std::filesystem;

class Crash : public ::testing::Test {
 protected:
  void SetUp() override {
    generate_data(data, {"--rows", "60", "--features", "5", "--noise", "0.2"});
    command = {"train", "--quiet", "--threads", "1", data, model};
    ASSERT_EQ(train({"--l2", "0.5"}).code, 0);
    old = files();
    ASSERT_EQ(train({}).code, 0);
    fresh = files();
    ASSERT_NE(old, fresh);
  }

  Outcome train(const std::vector<std::string>& options, const Surroundings& surroundings = {}) const {
    std::vector<std::string> words = command;
    words.insert(words.begin() + 1, options.begin(), options.end());
    return geodescent(words, surroundings);
  }

  /// Everything but the data and what was left behind.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found = snapshot(folder.path().string());
    std::erase_if(found, [](const auto& file) {
      return file.first.find("data.svm") != std::string::npos || file.first.find(".geodescent-") != std::string::npos;
    });
    return found;
  }
  void put_back(const std::map<std::string, std::string>& state) const {
    for (const auto& [name, text] : files()) fs::remove(folder / name);
    for (const auto& [name, text] : state) put(folder / name, text);
  }
  std::size_t left_behind() const { return folder.files() - files().size() - 1; }

  Surroundings crashing(int at, int error) const {
    fs::remove(mark / "crashed");
    Surroundings surroundings;
    surroundings.environment = {{"LD_PRELOAD", GEODESCENT_CRASH},
                                {"CRASH_AT", std::to_string(at)},
                                {"CRASH_AS", std::to_string(error)},
                                {"CRASH_MARK", mark / "crashed"}};
    return surroundings;
  }
  bool has_crashed() const { return fs::exists(mark / "crashed"); }

  /// Runs with every change in turn failing as `error` (0: killed); each time all files are old or
  /// new. Returns how many changes there are.
  int crash_everywhere(int error, const std::vector<std::string>& options = {}) const {
    for (int at = 1;; ++at) {
      SCOPED_TRACE(at);
      put_back(old);
      const Outcome outcome = train(options, crashing(at, error));
      const auto now = files();
      EXPECT_TRUE(now == old || now == fresh);
      if (!has_crashed()) {
        EXPECT_EQ(outcome.code, 0);
        EXPECT_EQ(now, fresh);
        return at - 1;
      }
      if (outcome.code == 0) {  // only the clearing up has failed
        EXPECT_EQ(now, fresh);
        continue;
      }
      if (error != 0) {
        EXPECT_EQ(outcome.code, 3) << outcome.err;
        EXPECT_EQ(now, old) << "an error, and yet the new files";
        EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
      } else {
        EXPECT_EQ(outcome.code, 128 + SIGKILL);
      }
      if (HasFailure() || at > 200) return at;
    }
  }

  const TemporaryFolder folder, mark;
  const std::string data = folder / "data.svm";
  const std::string model = folder / "data.model";
  std::vector<std::string> command;
  std::map<std::string, std::string> old, fresh;
};

TEST_F(Crash, KilledAtEachChangeModelAndProofAreBothOldOrBothNew) {
  EXPECT_GE(crash_everywhere(0), 4) << "a probe of the place, a write, an fsync and a rename at least";
  ASSERT_EQ(train({}).code, 0);
  EXPECT_EQ(files(), fresh);
  EXPECT_EQ(left_behind(), 0u) << "the next run clears up";
  EXPECT_EQ(geodescent({"verify", data, model}).code, 0);
}

TEST_F(Crash, AFullDiskAndALimitKeepTheOldModelAndItsProof) {
  for (const int error : {ENOSPC, EFBIG, EIO}) EXPECT_GE(crash_everywhere(error), 3) << error;
  put_back(old);
  EXPECT_EQ(geodescent({"verify", data, model}).code, 0);
}

TEST_F(Crash, ThePathToo) {
  const std::string before = contents(model);
  put_back({});
  ASSERT_EQ(train({"--l2-path", "0.1:1:2"}).code, 0);
  const auto path = files();
  ASSERT_EQ(path.size(), 3u);
  for (int at = 1; at < 200; ++at) {
    for (const auto& [name, text] : path) put(folder / name, name.ends_with(".csv") ? "old\n" : before);
    const Outcome outcome = train({"--l2-path", "0.1:1:2"}, crashing(at, 0));
    for (const auto& [name, text] : files()) {
      const bool table = name.ends_with(".csv");  // with the seconds of each run
      const bool whole =
          table ? text.starts_with("number,l2,") && text.ends_with(model + ".02\n") : text == path.at(name);
      EXPECT_TRUE(whole || text == "old\n" || text == before) << name << " at " << at;
    }
    if (!has_crashed()) {
      EXPECT_EQ(outcome.code, 0);
      EXPECT_EQ(left_behind(), 0u);
      return;
    }
    ASSERT_FALSE(HasFailure());
  }
  FAIL() << "it never got through";
}

TEST_F(Crash, ALimitOnTheSizeOfFilesIsAnError) {
  put_back(old);
  const rlimit before = [] {
    rlimit now{};
    ::getrlimit(RLIMIT_FSIZE, &now);
    return now;
  }();
  const rlimit small{100, before.rlim_max};
  // Our own output is captured by pipes, to which the limit does not apply.
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Outcome outcome = train({});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("ulimit -f"), std::string::npos) << outcome.err;
  EXPECT_EQ(files(), old);
  EXPECT_EQ(left_behind(), 0u);
}

TEST_F(Crash, TwoTrainingsToOneModelLeaveOneOfThem) {
  for (int round = 0; round < 10; ++round) {
    put_back({});
    Program one(geodescent_command({"train", "--quiet", "--threads", "1", "--l2", "0.5", data, model}));
    Program two(geodescent_command({"train", "--quiet", "--threads", "1", data, model}));
    EXPECT_EQ(one.wait().code, 0);
    EXPECT_EQ(two.wait().code, 0);
    const auto now = files();
    EXPECT_TRUE(now == old || now == fresh);
    EXPECT_EQ(left_behind(), 0u);
  }
}

TEST_F(Crash, DataThatBecomeShorterWhileTheyAreReadAreAnError) {
  Surroundings surroundings;
  surroundings.environment = {{"LD_PRELOAD", GEODESCENT_CRASH}, {"CRASH_CUT", data}};
  const Outcome outcome = train({}, surroundings);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
  EXPECT_NE(outcome.err.find("has become shorter"), std::string::npos) << outcome.err;
  EXPECT_EQ(files(), fresh);
}

}  // namespace
}  // namespace geodescent::testing
