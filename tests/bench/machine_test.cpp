#include "journal/machine.hpp"

#include <gtest/gtest.h>

namespace geodescent::lab {
namespace {

TEST(Machine, SaysWhereAResultWasMade) {
  std::string names;
  for (const auto& [name, value] : machine_facts()) {
    EXPECT_NE(value, "") << name;
    names += name + " ";
  }
  EXPECT_EQ(names, "date geodescent compiler processor memory system ");
}

TEST(Machine, QuotesWhatAShellWouldChange) {
  EXPECT_EQ(quoted_for_shell("--l2=1e-4,1e-6"), "--l2=1e-4,1e-6");
  EXPECT_EQ(quoted_for_shell("lbfgs:memory=10"), "lbfgs:memory=10");
  EXPECT_EQ(quoted_for_shell(""), "''");
  EXPECT_EQ(quoted_for_shell("my folder"), "'my folder'");
  EXPECT_EQ(quoted_for_shell("it's"), "'it'\\''s'");
  EXPECT_EQ(quoted_for_shell("$HOME"), "'$HOME'");
  EXPECT_EQ(quoted_for_shell("~x"), "'~x'");
}

TEST(Machine, KnowsItsCommandLine) { EXPECT_EQ(command_line().rfind("bench_tests", 0), 0u) << command_line(); }

}  // namespace
}  // namespace geodescent::lab
