#include "peers/programs/process.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/machine/find_program.hpp"
#include "geodescent/error.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::lab {
namespace {

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

TEST(Process, OutputAndExitCode) {
  const ProgramEnd end = run_program(
      {.command = shell("echo $WORD; echo oh >&2; exit 3"), .environment = {{"WORD", "hello"}}, .waiting = {}});
  EXPECT_EQ(end.code, 3);
  EXPECT_EQ(end.out, "hello\n");
  EXPECT_EQ(end.err, "oh\n");
  EXPECT_FALSE(end.out_of_time);
  EXPECT_EQ(end.trouble(), "exit code 3: oh");
  EXPECT_EQ(run_program({.command = shell("exit 0"), .waiting = {}}).trouble(), "");
}

TEST(Process, ASignalIsNoSuccess) {
  EXPECT_EQ(run_program({.command = shell("kill -9 $$"), .waiting = {}}).code, 128 + 9);
}

TEST(Process, MoreOutputThanAPipeHolds) {
  const ProgramEnd end = run_program({.command = shell("yes | head -c 1000000"), .waiting = {}});
  EXPECT_EQ(end.out.size(), 1000000u);
}

TEST(Process, TheTimeLimitEndsAllThatWasStarted) {
  const testing::TemporaryFolder folder;
  // The grandchild would write its file if it outlived the limit; the pipe ends when nobody holds
  // it any more.
  const ProgramEnd end = run_program(
      {.command = shell("(sleep 600; touch " + folder / "late" + ") & wait"), .seconds = 0.05, .waiting = {}});
  EXPECT_TRUE(end.out_of_time);
  EXPECT_NE(end.trouble().find("not finished within"), std::string::npos) << end.trouble();
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Process, WhoeverWaitsMayThrow) {
  struct Stop {};
  EXPECT_THROW(run_program({.command = shell("sleep 600"), .waiting = [] { throw Stop{}; }}), Stop);
}

TEST(Process, AProgramThatIsNotThere) {
  EXPECT_THROW(run_program({.command = {"/nowhere/at-all"}, .waiting = {}}), InputError);
  EXPECT_EQ(find_program("no-program-has-this-name"), "");
  EXPECT_EQ(find_program("/nowhere/at-all"), "");
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_NE(find_program("sh"), "");
}

TEST(Conversation, LinesForLines) {
  Conversation program(shell("while read line; do echo \"you said $line\"; done"), {});
  EXPECT_EQ(program.ask("a", 60, {}).line, "you said a");
  EXPECT_EQ(program.ask("b", 60, {}).line, "you said b");
  EXPECT_TRUE(program.alive());
}

TEST(Conversation, TheTimeLimitEndsIt) {
  Conversation program(shell("read line; sleep 600"), {});
  const Conversation::Answer answer = program.ask("a", 0.05, {});
  EXPECT_TRUE(answer.out_of_time);
  EXPECT_FALSE(answer);
  EXPECT_FALSE(program.alive());
}

TEST(Conversation, AProgramThatDiesSaysWhy) {
  Conversation program(shell("echo 'no module of that name' >&2; exit 1"), {});
  const Conversation::Answer answer = program.ask("a", 60, {});
  EXPECT_FALSE(answer);
  EXPECT_FALSE(answer.out_of_time);
  EXPECT_EQ(answer.trouble, "no module of that name");
  EXPECT_FALSE(program.ask("b", 60, {})) << "and it stays gone, without a signal for us";
}

}  // namespace
}  // namespace geodescent::lab
