// Ctrl-C, and what a long run shows while it lasts.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/support/program.hpp"
#include "geodescent/learn/model.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

/// A problem that steepest descent does not finish in the time of a test.
class LongRun : public ::testing::Test {
 protected:
  void SetUp() override {
    generate_data(data, {"--rows", "2000", "--features", "50", "--conditioning", "1e4", "--noise", "0.2"});
  }

  std::vector<std::string> command(std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"train",         "--method",  "sd", "--l2", "1e-9", "--tol", "0", "--max-iterations",
                                   "1000000000000", "--threads", "1",  data,   model};
    words.insert(words.end(), more.begin(), more.end());
    return geodescent_command(words);
  }

  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  const std::string model = folder / "data.model";
};

TEST_F(LongRun, InterruptWritesTheBestModelSoFar) {
  const std::vector<std::pair<int, std::string>> signals{{SIGINT, "Ctrl-C"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};
  for (const auto& [signal, name] : signals) {
    std::filesystem::remove_all(model);
    Program program(command({"--json", "--trace", folder / "trace.csv"}));
    ASSERT_TRUE(program.wait_until_it_says("iteration "));
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    const json result = json::parse(outcome.out);
    EXPECT_EQ(result["status"], "stopped_by_observer");
    EXPECT_TRUE(says(result["message"], {"interrupted by " + name + "; proven gap "})) << result["message"];
    EXPECT_TRUE(says(outcome.err, {"\nstatus      interrupted by " + name + "; proven gap "})) << outcome.err;
    EXPECT_FALSE(says(outcome.err, {"observer"})) << outcome.err;
    EXPECT_LT(result["value"], result["reference_value"]);
    const LinearModel written = read_model(model);
    EXPECT_EQ(written.status, "stopped_by_observer");
    EXPECT_EQ(written.value, result["value"].get<double>());
    EXPECT_TRUE(std::filesystem::exists(folder / "trace.csv"));
    EXPECT_EQ(folder.files(), 3u) << "data, model and trace; no temporary files stay";
  }
}

/// Bit of a signal in a mask of /proc/PID/status.
bool catches(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("SigCgt:", 0) == 0) return ((std::stoull(line.substr(7), nullptr, 16) >> (signal - 1)) & 1) != 0;
  }
  return false;
}

TEST_F(LongRun, SecondInterruptQuitsAtOnce) {
  // A trace into a pipe that nobody empties stops the run in the middle of an iteration.
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  Program program(command({"--quiet", "--trace", pipe}));
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  for (int filled = 0; filled < 65536; pause()) ASSERT_EQ(::ioctl(reader, FIONREAD, &filled), 0);
  ASSERT_TRUE(catches(program.id(), SIGINT));
  program.send(SIGINT);
  while (catches(program.id(), SIGINT)) pause();
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, 128 + SIGINT);
  EXPECT_FALSE(std::filesystem::exists(model));
  ::close(reader);
}

// Before the training there is nothing to keep.
TEST_F(LongRun, InterruptWhileLoadingEndsWithALine) {
  const std::vector<std::pair<int, std::string>> signals{{SIGINT, "Ctrl-C"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};
  const std::string pipe = folder / "data.pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const auto& [signal, name] : signals) {
    for (const char* command : {"train", "info"}) {
      std::vector<std::string> words{command, pipe};
      if (words[0] == "train") words.push_back(model);
      Program program(geodescent_command(words));
      const int writer = ::open(pipe.c_str(), O_WRONLY | O_CLOEXEC);  // waits for the program to read
      ASSERT_GE(writer, 0);
      program.send(signal);
      const Outcome outcome = program.wait();
      ::close(writer);
      EXPECT_EQ(outcome.code, 128 + signal);
      EXPECT_EQ(outcome.err, "geodescent: ended by " + name + "; unfinished files are not written\n");
      EXPECT_FALSE(std::filesystem::exists(model));
    }
  }
}

TEST_F(LongRun, LogGetsSparseLines) {
  Program program(command({"--max-seconds", "3.5"}));
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 1);
  std::size_t lines = 0;
  for (std::size_t at = outcome.err.find("iteration "); at != std::string::npos;
       at = outcome.err.find("iteration ", at + 1)) {
    ++lines;
  }
  EXPECT_GE(lines, 1u) << outcome.err;
  EXPECT_LE(lines, 3u) << outcome.err;
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("proven gap"), std::string::npos) << outcome.err;
}

TEST_F(LongRun, InterruptedGenerationLeavesNothing) {
  const TemporaryFolder empty;
  Program program(geodescent_command({"generate", "--rows", "1000000000", empty / "huge.svm"}));
  ASSERT_TRUE(program.wait_until_it_says("rows"));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, 128 + SIGINT);
  EXPECT_EQ(empty.files(), 0u);
}

class Terminal {
 public:
  Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    if (master_ >= 0 && ::grantpt(master_) == 0 && ::unlockpt(master_) == 0) name_ = ::ptsname(master_);
    if (!name_.empty()) keep_open_ = ::open(name_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    const winsize size{24, 60, 0, 0};
    ::ioctl(master_, TIOCSWINSZ, &size);
    ::fcntl(master_, F_SETFL, O_NONBLOCK);
  }
  ~Terminal() {
    ::close(keep_open_);
    ::close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  const std::string& name() const { return name_; }
  std::string text() const {
    std::string result;
    char buffer[4096];
    for (ssize_t count; (count = ::read(master_, buffer, sizeof buffer)) > 0;)
      result.append(buffer, static_cast<std::size_t>(count));
    return result;
  }

 private:
  int master_;
  int keep_open_ = -1;  // what was written stays readable after the program has gone
  std::string name_;
};

TEST_F(LongRun, TerminalShowsALiveLineAndErasesIt) {
  const Terminal terminal;
  if (terminal.name().empty()) GTEST_SKIP() << "no pseudo terminal here";
  Surroundings surroundings;
  surroundings.terminal = terminal.name();
  surroundings.environment["TERM"] = "xterm";
  EXPECT_EQ(
      geodescent({"train", "--method", "geod", "--max-iterations", "3", "--bias", "none", data, model}, surroundings)
          .code,
      1);
  const std::string shown = terminal.text();
  const std::string erase = "\r\x1b[K";
  EXPECT_NE(shown.find(erase + "reading "), std::string::npos) << shown;
  const std::size_t line = shown.find(erase + "iteration 0  value 0.69314718  proven gap 1 relative");
  ASSERT_NE(line, std::string::npos) << shown;
  const std::size_t end = shown.find('\r', line + erase.size());
  ASSERT_NE(end, std::string::npos);
  EXPECT_LT(end - line - erase.size(), 60u) << "a line that wraps cannot be erased";
  EXPECT_EQ(shown.substr(shown.size() - erase.size()), erase) << "nothing of it stays";
}

TEST_F(LongRun, DumbTerminalIsALog) {
  const Terminal terminal;
  if (terminal.name().empty()) GTEST_SKIP() << "no pseudo terminal here";
  Surroundings surroundings;
  surroundings.terminal = terminal.name();
  surroundings.environment["TERM"] = "dumb";
  EXPECT_EQ(
      geodescent({"train", "--method", "geod", "--max-iterations", "3", "--bias", "none", data, model}, surroundings)
          .code,
      1);
  EXPECT_EQ(terminal.text(), "");
}

}  // namespace
}  // namespace geodescent::testing
