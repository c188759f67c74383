// What the program says about itself: help, version, manual page, completion.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "cli/support/program.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/method_choice.hpp"
#include "geodescent/version.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

const std::vector<std::string> commands{"train",    "predict", "verify", "info",       "convert",
                                        "generate", "fetch",   "bench",  "completion", "man"};
const std::vector<std::string> experiments{"paper", "balls", "run", "worst-case", "geometry", "functions", "peers"};

/// The words of every command: {"train"}, {"bench"}, {"bench", "geometry"}.
std::vector<std::vector<std::string>> all_commands() {
  std::vector<std::vector<std::string>> result;
  for (const std::string& command : commands) result.push_back({command});
  for (const std::string& experiment : experiments) result.push_back({"bench", experiment});
  return result;
}

std::string joined(const std::vector<std::string>& words) {
  std::string result = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) result += " " + words[i];
  return result;
}

std::string output_of(const std::vector<std::string>& arguments) {
  const Outcome outcome = geodescent(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

std::string help_of(std::vector<std::string> command) {
  command.emplace_back("--help");
  return output_of(command);
}

/// The names of all options in a help text.
std::vector<std::string> options_in(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream words(help.substr(0, help.find("\nExamples:")));
  for (std::string line; std::getline(words, line);) {
    const std::size_t at = line.find("--");
    if (line.rfind("  -", 0) == 0) names.push_back(line.substr(at, line.find_first_of(" ,", at) - at));
  }
  return names;
}

TEST(Pages, HelpIsACommandToo) {
  EXPECT_EQ(output_of({"help"}), output_of({"--help"}));
  EXPECT_EQ(output_of({"help", "train"}), help_of({"train"}));
  EXPECT_EQ(output_of({"help", "bench", "run"}), help_of({"bench", "run"}));
}

TEST(Pages, Version) {
  const std::string version = "geodescent " GEODESCENT_VERSION_STRING "\n";
  EXPECT_EQ(output_of({"--version"}), version);
  for (std::vector<std::string> command : all_commands()) {
    command.emplace_back("--version");
    EXPECT_EQ(output_of(command), version) << joined(command);
  }
}

TEST(Pages, TopLevelHelpShowsTheWay) {
  const std::string help = output_of({"--help"});
  EXPECT_EQ(help, output_of({"-h"}));
  for (const std::string& command : commands)
    EXPECT_NE(help.find("\n  " + command + " "), std::string::npos) << command;
  for (const char* first_steps : {"geodescent info DATA", "geodescent train DATA", "geodescent predict TEST"}) {
    EXPECT_NE(help.find(first_steps), std::string::npos) << first_steps;
  }
}

TEST(Pages, HelpOfNestedCommandsShowsTheWay) {
  const std::string help = help_of({"bench"});
  EXPECT_EQ(help.rfind("Usage: geodescent bench COMMAND [options]", 0), 0u) << help;
  for (const std::string& experiment : experiments)
    EXPECT_NE(help.find("\n  " + experiment + " "), std::string::npos) << experiment;
}

TEST(Pages, EveryHelpEndsWithExamplesAndFitsATerminal) {
  for (const auto& words : all_commands()) {
    const std::string command = joined(words);
    SCOPED_TRACE(command);
    const std::string help = help_of(words);
    EXPECT_EQ(help.rfind("Usage: geodescent " + command, 0), 0u);
    const std::size_t examples = help.find("\nExamples:\n");
    ASSERT_NE(examples, std::string::npos);
    EXPECT_NE(help.find("geodescent " + command, examples), std::string::npos);
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST(Pages, TrainHelpTeaches) {
  const std::string help = output_of({"train", "--help"});
  for (const MethodInfo& method : methods()) {
    EXPECT_NE(help.find("\n  " + std::string(method.name) + " "), std::string::npos) << method.name;
  }
  for (const LossInfo& loss : losses()) {
    EXPECT_NE(help.find("\n  " + std::string(loss.name) + " "), std::string::npos) << loss.name;
  }
  for (const char* word : {"lower bound", "proven gap", "relative gap", "Ctrl-C"}) {
    EXPECT_NE(help.find(word), std::string::npos) << word;
  }
}

TEST(Pages, ManualHasEveryOptionAndIsClean) {
  const std::string page = output_of({"man"});
  for (const char* section : {".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH COMMANDS", ".SH EXAMPLES",
                              ".SH EXIT STATUS", ".SH FILES"}) {
    EXPECT_NE(page.find(section), std::string::npos) << section;
  }
  const auto escaped = [](const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '-' ? std::string("\\-") : std::string(1, c);
    return result;
  };
  for (const auto& command : all_commands()) {
    const std::size_t section = page.find(".SS \"geodescent " + escaped(joined(command)) + " ");
    ASSERT_NE(section, std::string::npos) << joined(command);
    const std::string text = page.substr(section, page.find("\n.S", section + 1) - section);
    for (const std::string& name : options_in(help_of(command))) {
      if (name == "--help") continue;  // said once, for all of them
      EXPECT_NE(text.find(escaped(name)), std::string::npos) << joined(command) << " " << name;
    }
  }
  if (!installed("groff")) GTEST_SKIP() << "no groff here";
  const TemporaryFolder folder;
  put(folder / "geodescent.1", page);
  const Outcome lint = run({"groff", "-man", "-ww", "-z", "-Tutf8", folder / "geodescent.1"});
  EXPECT_EQ(lint.code, 0);
  EXPECT_EQ(lint.err, "");
}

/// What stands between the first `before` in the text and the next `after`.
std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t begin = text.find(before) + before.size();
  return text.substr(begin, text.find(after, begin) - begin);
}

/// A page of roff without its backslashes.
std::string plain_text_of(std::string page) {
  std::erase(page, '\\');
  return page;
}

TEST(Pages, ManualHasEveryExitCode) {
  const std::string codes = between(output_of({"man"}), ".SH EXIT STATUS\n", ".SH FILES");
  for (const char* code : {"0", "1", "2", "3", "4"})
    EXPECT_TRUE(says(codes, {std::string(".TP\n.B ") + code + "\n"})) << code << codes;
}

// The files that the manual page describes are those that are written and read.
TEST(Pages, ManualDescribesTheFilesOfThisProgram) {
  const std::string page = plain_text_of(output_of({"man"}));
  const std::string files = between(page, ".SH FILES\n", ".SH ENVIRONMENT");
  const TemporaryFolder folder;
  const std::string data = folder / "data.svm", model = folder / "model", trace = folder / "trace.csv";
  ASSERT_TRUE(says(files, {"label [qid:number] index:value index:value ... [# comment]"}));
  put(data, "1 qid:3 1:0.5\t2:1 # a comment\n-1 0:0 2:-0.25\n");
  ASSERT_EQ(geodescent({"train", "--trace", trace, data, model}).code, 0);
  EXPECT_EQ(geodescent({"verify", data, model}).code, 0);

  const std::string described = between(files, ".SS Model\n", ".SS Trace"), written = contents(model);
  for (const char* before : {"the line fI", "up to the line fI", "begins with the line fI"}) {
    const std::string line = between(described, before, "fR");
    EXPECT_TRUE(says(written, {"\n" + line + "\n"})) << line;
  }
  for (const char* key : {"loss", "l2", "labels", "status", "value", "lower_bound"})
    EXPECT_TRUE(says(described, {key}) && says(written, {std::string("\n") + key + " "})) << key;
  std::string columns = contents(trace);
  columns = columns.substr(0, columns.find('\n'));
  std::string listed = between(files, "CSV with the columns ", ".\n");
  std::erase(listed, ' ');
  EXPECT_EQ(listed, columns);

  put(data, "1 1:1\n2 2:1\n3 1:-1\n");
  ASSERT_EQ(geodescent({"train", data, model}).code, 0);
  const std::string of_classes = between(described, "With several classes its first line is fI", "fR");
  EXPECT_TRUE(says(contents(model), {"\n" + of_classes + "\n"})) << of_classes;
}

TEST(Pages, CompletionScriptsHaveEveryOptionAndParse) {
  const TemporaryFolder folder;
  std::map<std::string, std::string> command_of;  // by option: the last that has it
  for (const auto& command : all_commands())
    for (const std::string& name : options_in(help_of(command))) command_of[name] = joined(command);
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = output_of({"completion", shell});
    for (const auto& [name, command] : command_of) {
      const std::string expected = shell == "fish" ? "-l " + name.substr(2) + " " : name;
      EXPECT_NE(script.find(expected), std::string::npos) << shell << " " << command << " " << name;
    }
    EXPECT_NE(script.find("smoothed-hinge logistic"), std::string::npos) << shell;
    if (!installed(shell)) continue;
    put(folder / shell, script);
    const Outcome parsed = run({shell, "-n", folder / shell});
    EXPECT_EQ(parsed.code, 0) << parsed.err;
    EXPECT_EQ(parsed.err, "");
  }
}

/// What bash offers after these words.
std::string completed(const std::string& words) {
  const Outcome outcome = run({"bash", "-c",
                               "source <(\"$0\" completion bash); compopt() { echo files; }; "
                               "eval \"COMP_WORDS=($1)\"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _geodescent; "
                               "echo \"${COMPREPLY[*]}\"",
                               binary(), words});
  EXPECT_EQ(outcome.err, "") << words;
  return outcome.out;
}

TEST(Pages, BashCompletes) {
  EXPECT_EQ(completed("geodescent tr"), "train\n");
  EXPECT_EQ(completed("geodescent train --max"), "--max-iterations --max-seconds\n");
  EXPECT_EQ(completed("geodescent train --line-search ''"), "wolfe exact\n");
  EXPECT_EQ(completed("geodescent train --line-search = e"), "exact\n");
  EXPECT_EQ(completed("geodescent train --trace ''"), "files\n\n");
  EXPECT_EQ(completed("geodescent train --tol ''"), "\n");
  EXPECT_EQ(completed("geodescent predict ''"), "files\n\n");
  EXPECT_EQ(completed("geodescent completion z"), "zsh\n");
}

TEST(Pages, BashCompletesNestedCommands) {
  EXPECT_EQ(completed("geodescent be"), "bench\n");
  EXPECT_EQ(completed("geodescent bench g"), "geometry\n");
  EXPECT_EQ(completed("geodescent bench --h"), "--help\n");
  EXPECT_EQ(completed("geodescent bench geometry --st"), "--steps\n");
  EXPECT_EQ(completed("geodescent bench geometry --method = b"), "ball\n");
  EXPECT_EQ(completed("geodescent bench worst-case --out ''"), "files\n\n");
  EXPECT_EQ(completed("geodescent train bench --max-i"), "--max-iterations\n") << "a file may be called bench";
}

}  // namespace
}  // namespace geodescent::testing
