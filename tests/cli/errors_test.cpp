// Everything that can be wrong: exit codes, one line that says what and what to do, and no file
// touched.
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

const std::string corpus = GEODESCENT_TEST_DATA;

struct Usage {
  std::vector<std::string> arguments;
  std::string said;
};

TEST(Errors, UnknownInstructionSetIsRefused) {
  const std::string data = corpus + "/accept/plain.svm";
  const Outcome unknown = geodescent({"info", data}, {.environment = {{"GEODESCENT_ISA", "avx1024"}}});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("'avx1024'; it must be portable, avx2 or avx512"), std::string::npos) << unknown.err;
  for (const char* set : {"", "portable", "avx2", "avx512"})
    EXPECT_EQ(geodescent({"info", data}, {.environment = {{"GEODESCENT_ISA", set}}}).code, 0) << set;
}

TEST(Errors, NoImprovementIsSaidInWords) {
  const TemporaryFolder folder;
  const Outcome outcome =
      geodescent({"train", "--max-iterations", "0", corpus + "/accept/plain.svm", folder / "model"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(says(outcome.out, {"no improvement is proven (tolerance 1e-06)\n",
                                 "relative inf (no improvement over coefficients 0 is proven)\n"}))
      << outcome.out;
  EXPECT_FALSE(says(outcome.out, {"inf of the possible improvement"})) << outcome.out;
}

TEST(Errors, UsageIsTwo) {
  const std::string data = corpus + "/accept/plain.svm";
  const std::vector<Usage> cases{
      {{}, "train, predict, verify, info"},
      {{"trian"}, "unknown command 'trian' (did you mean train?)"},
      {{"--nonsense"}, "--nonsense"},
      {{"train"}, "DATA is required"},
      {{"train", "--nonsense", data}, "--nonsense"},
      {{"train", data, "model", "more"}, "3 files; name the model of several files of data"},
      {{"verify", data, "model", "certificate", "more"}, "4 files; name the model of several files of data"},
      {{"train", "--l1", "0.1", data, "model"}, "error: unknown option --l1 (did you mean --l2?); see"},
      {{"train", "--l1"}, "error: unknown option --l1 (did you mean --l2?); see"},
      {{"train", "--max-iter=5", data}, "unknown option --max-iter (did you mean --max-iterations?)"},
      {{"train", "--tolerance", "0", data}, "(did you mean --tol?)"},
      {{"train", "--verbose", data}, "unknown option --verbose; see"},
      {{"predict", "--C", data, "model"}, "unknown option --C; see"},
      {{"bench", "worst-case", "--metods", "geod"}, "unknown option --metods (did you mean --methods?)"},
      {{"train", "--l2", "0", data}, "over 0"},
      {{"train", "--l2", "-1", data}, "over 0"},
      {{"train", "--l2", "nan", data}, "over 0"},
      {{"train", "--l2", "inf", data}, "over 0"},
      {{"train", "--l2", "1e999", data}, "over 0"},
      {{"train", "--l2", "1x", data}, "'1x'"},
      {{"train", "--l2", "", data}, "''"},
      {{"train", "--l2"}, "--l2: a value is missing; it takes LAMBDA"},
      {{"train", "--l2", "1", "--l2", "2", data}, "--l2: give it once"},
      {{"train", "-c", "1", "--cost", "2", data}, "--cost: give it once"},
      {{"train", "-w", "0:2", data}, "'0:2' given, but it takes a label and a weight of at least 0, such as -w 1 5"},
      {{"train", "-w", "1", data, "model"}, "given, but it takes a label and a weight of at least 0"},
      {{"train", data, "-w", "0:2"}, "--class-weight: a value is missing; it takes LABEL WEIGHT|balanced"},
      {{"train", "-w", "balanced", "-w", "1", "2", data}, "leave out the others"},
      {{"train", "-w", "balanced", "--loss", "squared", data}, "a loss for classes"},
      {{"train", "--l2", "1", "-c", "1", data}, "excludes"},
      {{"train", "-c", "0", data}, "--cost"},
      {{"train", "-c", "1e-320", data}, "--cost"},
      {{"train", "--tol", "-1", data}, "at least 0"},
      {{"train", "--tol", "1", data}, "below 1"},
      {{"train", "--max-iterations", "-1", data}, "whole number"},
      {{"train", "--max-iterations", "1.5", data}, "whole number"},
      {{"train", "--max-seconds", "-1", data}, "at least 0"},
      {{"train", "--threads", "0", data}, "at least 1"},
      {{"train", "--method", "newton", data}, "geod, geod-fixed"},
      {{"train", "--loss", "hinge", data}, "(did you mean smoothed-hinge?)"},
      {{"train", "--loss", "logstic", data}, "softmax (did you mean logistic?); see"},
      {{"train", "--loss", "xyz", data}, "softmax; see"},
      {{"train", "--method", "lbgfs", data}, "(did you mean lbfgs?)"},
      {{"train", "--bias", "fre", data}, "(did you mean free?)"},
      {{"train", "--bias", "regularised", data}, "(did you mean regularized?)"},
      {{"train", "--directions", "gradient", data}, "(did you mean gradients?)"},
      {{"predict", "--output-kind", "label", data, "model"}, "(did you mean labels?)"},
      {{"train", "--line-search", "armijo", data}, "wolfe, exact"},
      {{"train", "--line-search", "exact", data}, "lbfgs"},
      {{"train", "--method", "geod", "--memory", "5", data}, "lbfgs"},
      {{"train", "--memory", "0", data}, "auto"},
      {{"train", "--memory-limit", "much", data}, "500M"},
      {{"train", "--method", "lbfgs", "--memory-limit", "1G", data}, "geod-memory"},
      {{"train", "--smoothness", "5", data}, "afg"},
      {{"train", "--huber-delta", "5", data}, "huber"},
      {{"train", "--bias", "maybe", data}, "free"},
      {{"train", "--features", "0", data}, "at least 1"},
      {{"train", "--features", "4294967296", data}, "4294967295"},
      {{"train", "--index-base", "2", data}, "auto, 0, 1"},
      {{"train", data, data}, "same file"},
      {{"train", "--trace", "model", data, "model"}, "same file"},
      {{"train", "--trace", data, data, "model"}, "same file"},
      {{"train", data, "-"}, "standard output"},
      {{"train", "--trace", "-", data}, "standard output"},
      {{"predict", data}, "MODEL is required"},
      {{"predict", "--json", data, "model", "-"}, "standard output"},
      {{"predict", data, "model", data}, "same file"},
      {{"generate", "--preset", "mnist"}, "rcv1"},
      {{"generate", "--scale", "0.5"}, "--preset"},
      {{"generate", "--preset", "rcv1", "--scale", "1e-9"}, "1 row"},
      {{"generate", "--preset", "rcv1", "--scale", "0.5", "--rows", "3"}, "excludes"},
      {{"generate", "--density", "0"}, "over 0"},
      {{"generate", "--density", "1.5"}, "at most 1"},
      {{"generate", "--conditioning", "0.5"}, "at least 1"},
      {{"generate", "--noise", "2"}, "at most 1"},
      {{"generate", "--rows", "0"}, "at least 1"},
      {{"bench"}, "no command given; the commands of geodescent bench are paper, "},
      {{"bench", "worst-cse"},
       "unknown command 'worst-cse' (did you mean worst-case?); the commands of geodescent bench are "},
      {{"bench", "--nonsense"}, "see 'geodescent bench --help'"},
      {{"bench", "worst-case", "--nonsense"}, "see 'geodescent bench worst-case --help'"},
      {{"bench", "worst-case", "more"}, "unexpected argument 'more'; see 'geodescent bench worst-case --help'"},
      {{"help", "trian"}, "unknown command 'trian' (did you mean train?)"},
      {{"bench", "worst-case", "--beta", "0"}, "at least 1"},
      {{"bench", "worst-case", "--methods", "geod,newton"}, "sd, afg"},
      {{"bench", "worst-case", "--methods", "geod,geod"}, "twice"},
      {{"bench", "geometry", "--steps", "0"}, "at least 1"},
      {{"bench", "geometry", "--method", "sd"}, "geod, geod-fixed, ball"},
      {{"bench", "functions", "--problems", "rosenbrock"}, "powell-singular"},
      {{"bench", "functions", "--methods", "geod"}, "needs the strong convexity"},
      {{"bench", "functions", "--methods", "newton"}, "geod-memory"},
      {{"bench", "functions", "--methods", "geod-memroy"}, "unknown method 'geod-memroy' (did you mean geod-memory?)"},
      {{"bench", "functions", "--methods", "lbfgs:memroy=3"}, "unknown setting 'memroy' (did you mean memory?)"},
      {{"bench", "functions", "--methods", "lbfgs:line-search=wolf"}, "'wolf' (did you mean wolfe?)"},
      {{"bench", "functions", "--methods", "lbfgs:smoothness=1"}, "no effect"},
      {{"bench", "functions", "--max-evaluations", "0"}, "at least 1"},
      {{"completion", "tcsh"}, "bash, zsh, fish"},
      {{"completion"}, "SHELL is required"},
  };
  const TemporaryFolder folder;
  Surroundings here;
  here.folder = folder.path().string();
  for (const Usage& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.arguments));
    const Outcome outcome = geodescent(c.arguments, here);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find(c.said), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(folder.files(), 0u);
}

/// Bad input leaves an existing model and trace as they were and adds no file.
class BadInput : public ::testing::Test {
 protected:
  void SetUp() override {
    put(model, "an old model\n");
    put(trace, "an old trace\n");
  }

  /// Trains on `data` and expects exit code 3, one line that contains `said`, and no trace of it in
  /// the folder.
  void expect_refused(const std::string& data, const std::string& said, std::vector<std::string> options = {}) {
    SCOPED_TRACE(data);
    const auto before = snapshot(folder.path().string());
    std::vector<std::string> arguments{"train", "--trace", trace, data, model};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = geodescent(arguments);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
    EXPECT_EQ(snapshot(folder.path().string()), before);
  }

  std::string file(const std::string& text) {
    const std::string path = folder / "data.svm";
    put(path, text);
    return path;
  }

  const TemporaryFolder folder;
  const std::string model = folder / "data.model";
  const std::string trace = folder / "trace.csv";
};

TEST_F(BadInput, WholeRejectCorpus) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus + "/reject")) {
    if (entry.path().extension() != ".svm") continue;
    ++count;
    expect_refused(entry.path().string(), entry.path().filename().string() + ":");
  }
  EXPECT_GE(count, 20u);
}

TEST_F(BadInput, NumbersAndIndices) {
  expect_refused(file("1 1:1\n-1 1:nan\n"), "data.svm:2:");
  expect_refused(file("1 1:1\n-1 1:inf\n"), "data.svm:2:");
  expect_refused(file("1 1:1\n-1 1:1e999\n"), "data.svm:2:");
  expect_refused(file("1 1:one\n"), "data.svm:1:");
  expect_refused(file("1 2:1 1:1\n"), "data.svm:1:");
  expect_refused(file("1 1:1 1:1\n"), "data.svm:1:");
  expect_refused(file("1 -1:1\n"), "data.svm:1:");
  expect_refused(file("1 1\n"), "data.svm:1:");
  expect_refused(file("1 1:\n"), "data.svm:1:");
  expect_refused(file("1 0:1\n-1 1:1\n"), "data.svm:1:", {"--index-base", "1"});
  expect_refused(file("1 1:1\n-1 9:1\n"), "data.svm:2:", {"--features", "8"});
  expect_refused(file(std::string("\0\1\2\377garbage", 11)), "data.svm:1:");
}

TEST_F(BadInput, WrongClasses) {
  expect_refused(file("1 1:1\n1 1:2\n"), "only one class");
  expect_refused(file("0.5 1:1\n1.5 1:2\n3 1:2\n"), "use --loss squared or huber if labels are quantities to predict");
  expect_refused(file(""), "data.svm");
  expect_refused(file("1\n-1\n"), "no row has a feature");
}

TEST_F(BadInput, FilesThatCannotBeRead) {
  expect_refused(folder / "missing.svm", "no such file");
  expect_refused(folder.path().string(), "is a folder");
  const std::string whole = contents(corpus + "/compressed/sample.svm.gz");
  expect_refused(file(whole.substr(0, whole.size() / 2)), "truncated");
  const std::string xz = contents(corpus + "/compressed/sample.svm.xz");
  expect_refused(file(xz.substr(0, xz.size() - 4)), "truncated");
}

/// Runs geodescent as nobody when the test runs as root, for whom no permission is ever missing.
Outcome without_privileges(std::vector<std::string> arguments) {
  std::vector<std::string> command = geodescent_command(std::move(arguments));
  if (::geteuid() == 0) {
    command.insert(command.begin(), {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"});
  }
  return run(command);
}

TEST_F(BadInput, NoPermission) {
  if (::geteuid() == 0 && !installed("setpriv")) GTEST_SKIP() << "root may do everything, and there is no setpriv";
  ::chmod(folder.path().c_str(), 0555);
  if (without_privileges({"--version"}).code != 0) GTEST_SKIP() << "nobody may not run the program where it is";

  const std::string data = folder / "trace.csv";
  ::chmod(data.c_str(), 0);
  const Outcome reading = without_privileges({"info", data});
  EXPECT_EQ(reading.code, 3);
  EXPECT_NE(reading.err.find("no permission"), std::string::npos) << reading.err;

  for (const char* target : {"data.model", "new.model"}) {
    const Outcome writing = without_privileges({"train", corpus + "/accept/plain.svm", folder / target});
    EXPECT_EQ(writing.code, 3);
    EXPECT_NE(writing.err.find("Permission denied"), std::string::npos) << writing.err;
  }
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_EQ(contents(model), "an old model\n");
  EXPECT_EQ(folder.files(), 2u);
}

TEST_F(BadInput, OutputsAreCheckedBeforeTheWork) {
  const std::string data = folder / "missing.svm";  // never looked at
  const Outcome no_folder = geodescent({"train", data, folder / "nowhere/model"});
  EXPECT_EQ(no_folder.code, 3);
  EXPECT_NE(no_folder.err.find("nowhere/model: cannot write"), std::string::npos) << no_folder.err;
  const Outcome a_folder = geodescent({"train", data, folder.path().string()});
  EXPECT_EQ(a_folder.code, 3);
  EXPECT_NE(a_folder.err.find("directory"), std::string::npos) << a_folder.err;
  const Outcome no_trace = geodescent({"train", "--trace", folder / "nowhere/trace", data, model});
  EXPECT_NE(no_trace.err.find("nowhere/trace: cannot write"), std::string::npos) << no_trace.err;
  const Outcome no_output = geodescent({"predict", data, model, folder / "nowhere/labels"});
  EXPECT_EQ(no_output.code, 3);
  EXPECT_NE(no_output.err.find("nowhere/labels: cannot write"), std::string::npos) << no_output.err;
  EXPECT_EQ(folder.files(), 2u);
}

class FullDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    generate_data(data, {"--rows", "50", "--features", "5"});
    ASSERT_EQ(geodescent({"train", "--quiet", data, model}).code, 0);
  }
  static void expect_full(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos) << outcome.err;
  }

  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  const std::string model = folder / "data.model";
};

TEST_F(FullDevice, Files) {
  expect_full(geodescent({"train", data, "/dev/full"}));
  expect_full(geodescent({"train", "--trace", "/dev/full", data, folder / "new.model"}));
  EXPECT_FALSE(std::filesystem::exists(folder / "new.model"));
  expect_full(geodescent({"predict", data, model, "/dev/full"}));
  expect_full(geodescent({"generate", "/dev/full"}));
}

TEST_F(FullDevice, StandardOutput) {
  Surroundings full;
  full.output = "/dev/full";
  expect_full(geodescent({"train", data, model}, full));
  expect_full(geodescent({"train", "--json", "--quiet", data, model}, full));
  expect_full(geodescent({"predict", data, model}, full));
  expect_full(geodescent({"predict", "--quiet", data, model, "-"}, full));
  expect_full(geodescent({"info", data}, full));
  expect_full(geodescent({"generate"}, full));
  expect_full(geodescent({"train", "--help"}, full));
  expect_full(geodescent({"--version"}, full));
  expect_full(geodescent({"man"}, full));
  expect_full(geodescent({"completion", "bash"}, full));
}

TEST(Errors, ModelFilesAreChecked) {
  const TemporaryFolder folder;
  const std::string data = corpus + "/accept/plain.svm";
  put(folder / "model", "something else\n");
  const Outcome foreign = geodescent({"predict", data, folder / "model", folder / "labels"});
  EXPECT_EQ(foreign.code, 3);
  EXPECT_NE(foreign.err.find("model:1: not a geodescent model"), std::string::npos) << foreign.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "labels"));
  EXPECT_EQ(geodescent({"predict", data, folder / "missing"}).code, 3);
}

TEST(Errors, ClosedStandardOutputIsAFailure) {
  const Outcome outcome = run({"bash", "-c", "exec \"$0\" --version >&-", binary()});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
}

TEST(Errors, MemoryThatDoesNotSufficeIsSaid) {
  if (sanitized()) GTEST_SKIP() << "the address sanitizer needs all addresses";
  const TemporaryFolder folder;
  put(folder / "data.svm", "1 1:1\n-1 1:-1\n");
  const Outcome outcome =
      run({"sh", "-c", "ulimit -v 2097152 && exec \"$0\" train --quiet --features 4000000000 \"$@\"", binary(),
           folder / "data.svm", folder / "model"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
  EXPECT_NE(outcome.err.find("not enough memory"), std::string::npos) << outcome.err;
  EXPECT_EQ(folder.files(), 1u);
}

}  // namespace
}  // namespace geodescent::testing
