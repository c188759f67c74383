// Memory: what is stated holds, and a converted file may be larger than what the process may have.
// The limit is on memory of its own (RLIMIT_DATA); a mapped file is not counted, since the system
// can drop its pages at any time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

/// Runs geodescent with at most so many kilobytes of memory of its own.
Outcome limited(int kilobytes, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"sh", "-c", "ulimit -d " + std::to_string(kilobytes) + " && exec \"$0\" \"$@\""};
  for (const std::string& word : geodescent_command(arguments)) command.push_back(word);
  return run(command);
}

struct Measured : Outcome {
  double peak_bytes = 0;  ///< of the memory it had at once, mapped files included
};

class Memory : public ::testing::Test {
 protected:
  void SetUp() override {
    if (sanitized()) GTEST_SKIP() << "a sanitizer needs more memory than any limit of interest";
  }

  Measured measured(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command{GEODESCENT_PEAK_MEMORY, folder_ / "peak"};
    for (const std::string& word : geodescent_command(arguments)) command.push_back(word);
    Measured result{run(command)};
    std::ifstream(folder_ / "peak") >> result.peak_bytes;
    return result;
  }

  /// What `info` states is not less than training takes, nor much more.
  void expect_true_statement(const std::string& data) const {
    const json stated = json::parse(geodescent({"info", "--json", data}).out)["training"];
    const Measured trained =
        measured({"train", "--quiet", "--threads", "2", "--l2", "1e-4", data, folder_ / "data.model"});
    ASSERT_EQ(trained.code, 0) << trained.err;
    EXPECT_LE(trained.peak_bytes, stated["peak_bytes"].get<double>()) << data;
    EXPECT_GT(1.5 * trained.peak_bytes, stated["peak_bytes"].get<double>()) << data;
  }

  TemporaryFolder folder_;
};

TEST_F(Memory, ConversionTrainingAndProofOfAMatrixThatDoesNotFit) {
  constexpr int limit = 40000;  // kB; conversion takes about 25000, depending on how its threads take turns
  generate_data(folder_ / "data.svm", {"--rows", "6000", "--features", "20000", "--density", "0.05"});
  const Outcome whole = limited(limit, {"train", "--threads", "2", folder_ / "data.svm", folder_ / "text.model"});
  EXPECT_EQ(whole.code, 3) << "the limit is of no effect, so the rest shows nothing";
  EXPECT_NE(whole.err.find("not enough memory"), std::string::npos) << whole.err;

  const Outcome converted = limited(limit, {"convert", "--threads", "2", folder_ / "data.svm", folder_ / "data.gdm"});
  ASSERT_EQ(converted.code, 0) << converted.err;
  EXPECT_GT(std::filesystem::file_size(folder_ / "data.gdm"), 1000 * limit);
  const Outcome trained = limited(limit, {"train", "--threads", "2", "--l2", "1e-2", "--tol", "1e-4", "--memory-limit",
                                          "6M", folder_ / "data.gdm", folder_ / "data.model"});
  EXPECT_EQ(trained.code, 0) << trained.out << trained.err;
  const Outcome weighted = limited(limit, {"train", "--threads", "2", "--l2", "1e-2", "--tol", "1e-4", "--memory-limit",
                                           "6M", "-w1", "2", folder_ / "data.gdm", folder_ / "weighted.model"});
  EXPECT_EQ(weighted.code, 0) << weighted.out << weighted.err;
  const Outcome verified = limited(limit, {"verify", folder_ / "data.gdm", folder_ / "data.model"});
  EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
  const Outcome predicted = limited(limit, {"predict", folder_ / "data.gdm", folder_ / "data.model"});
  EXPECT_EQ(predicted.code, 0) << predicted.err;
}

// Newton's directions, gradients by rows, quasi-Newton directions. Text is given back behind the
// parser, so that it does not count.
TEST_F(Memory, TrainingTakesNoMoreThanInfoHasSaid) {
  const std::pair<const char*, std::vector<std::string>> shapes[] = {
      {"newton", {"--rows", "60000", "--features", "30", "--density", "0.9"}},
      {"gradients", {"--rows", "3000", "--features", "30000", "--density", "0.01"}},
      {"quasi-newton", {"--rows", "20000", "--features", "8000", "--density", "0.005"}}};
  for (const auto& [along, shape] : shapes) {
    generate_data(folder_ / "data.svm", shape);
    const json stated = json::parse(geodescent({"info", "--json", folder_ / "data.svm"}).out)["training"];
    EXPECT_EQ(stated["along"], along);
    const Measured trained =
        measured({"train", "--quiet", "--threads", "2", "--l2", "1e-4", folder_ / "data.svm", folder_ / "data.model"});
    ASSERT_EQ(trained.code, 0) << trained.err;
    EXPECT_LE(trained.peak_bytes, stated["peak_bytes"].get<double>()) << shape[1] << " x " << shape[3];
    EXPECT_GT(trained.peak_bytes, 0.2 * stated["peak_bytes"].get<double>()) << "or the statement is of no use";
    // More threads than processors, and a limit: train states what it takes then.
    // The system may stop threads that hold text, so that others fetch more: then once more.
    const auto with_many_threads = [&] {
      return measured({"train", "--json", "--threads", "8", "--memory-limit", "12M", "--l2", "1e-4",
                       folder_ / "data.svm", folder_ / "data.model"});
    };
    Measured other = with_many_threads();
    ASSERT_EQ(other.code, 0) << other.err;
    if (const Measured again = with_many_threads(); again.peak_bytes < other.peak_bytes) other = again;
    const json memory = json::parse(other.out)["memory"];
    EXPECT_LE(memory["method_bytes"], 12e6);
    EXPECT_LE(other.peak_bytes, memory["peak_bytes"].get<double>()) << shape[1] << " x " << shape[3];
  }
}

// The vectors over the columns are most of it.
TEST_F(Memory, TheStatementHoldsForDataWithManyColumns) {
  put(folder_ / "large-index.svm", "1 1:1 5000000:1\n-1 2:1 3:0.5\n1 5:1\n-1 7:2\n");
  expect_true_statement(folder_ / "large-index.svm");
  generate_data(folder_ / "text.svm", {"--preset", "news20", "--scale", "0.1"});
  expect_true_statement(folder_ / "text.svm");
}

// It plans the training, and makes no vector over the columns for that.
TEST_F(Memory, InfoItselfTakesLittleForManyColumns) {
  put(folder_ / "large-index.svm", "1 1:1 100000000:1\n-1 2:1 3:0.5\n1 5:1\n-1 7:2\n");
  const Measured described = measured({"info", folder_ / "large-index.svm"});
  ASSERT_EQ(described.code, 0) << described.err;
  EXPECT_LT(described.peak_bytes, 40e6);
}

// A dictionary of 8 MB, which is there while the text is read.
TEST_F(Memory, TheStatementHoldsForCompressedData) {
  if (!installed("xz")) GTEST_SKIP() << "xz is not installed";
  generate_data(folder_ / "data.svm", {"--rows", "50000", "--features", "22", "--density", "0.6"});
  ASSERT_EQ(run({"xz", "--lzma2=preset=0,dict=8MiB", folder_ / "data.svm"}).code, 0);
  expect_true_statement(folder_ / "data.svm.xz");
}

// The default limit is 500 MB, and a string that grows is there twice while it is copied.
TEST_F(Memory, ALongLineEndsInTime) {
  const std::string make = "{ printf '1 1:1 #'; head -c 700000000 /dev/zero | tr '\\0' c; } | gzip -1 > \"$0\"";
  ASSERT_EQ(run({"sh", "-c", make, folder_ / "long.gz"}).code, 0);
  EXPECT_LT(std::filesystem::file_size(folder_ / "long.gz"), 5'000'000);
  const Measured refused = measured({"convert", folder_ / "long.gz", folder_ / "long.gdm"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(says(refused.err, {"long.gz:1: the line is longer than 500000000 bytes", "--line-limit"})) << refused.err;
  EXPECT_LT(refused.peak_bytes, 800e6);

  // A plain file is mapped, and what lies behind the limit is not touched.
  ASSERT_EQ(
      run({"sh", "-c", "gzip -dc \"$0\" | head -c 200000000 > \"$1\"", folder_ / "long.gz", folder_ / "long"}).code, 0);
  for (const char* command : {"info", "predict"}) {
    std::vector<std::string> words{command, "--line-limit", "20M", folder_ / "long"};
    if (command == std::string("predict")) {
      put(folder_ / "short", "1 1:1\n-1 2:1\n");
      ASSERT_EQ(geodescent({"train", "--quiet", folder_ / "short", folder_ / "model"}).code, 0);
      words.push_back(folder_ / "model");
    }
    const Measured limited = measured(words);
    EXPECT_EQ(limited.code, 3) << limited.err;
    EXPECT_LT(limited.peak_bytes, 60e6) << command;
  }
}

// Ones in few columns take two bytes each; a copy in any other form would take six times as many.
TEST_F(Memory, AConstantFeatureIsNoSecondMatrix) {
  std::string text;
  for (int i = 0; i < 12000; ++i) {
    text += i % 2 == 0 ? "+1" : "-1";
    for (int j = 1; j <= 500; ++j) text += fmt::format(" {}:1", 3 * j - (i * j) % 3);
    text += "\n";
  }
  put(folder_ / "data.svm", text);
  const auto peak_with = [&](const char* bias) {
    const Measured trained = measured({"train", "--quiet", "--threads", "2", "--max-iterations", "1", "--method",
                                       "geod", "--bias", bias, folder_ / "data.svm", folder_ / "model"});
    EXPECT_EQ(trained.code, 1) << trained.err;
    return trained.peak_bytes;
  };
  const double without = peak_with("none");
  EXPECT_GT(without, 12e6);
  EXPECT_LE(peak_with("regularized"), 1.3 * without);
}

TEST(MemoryStatement, IsPartOfInfo) {
  const TemporaryFolder folder;
  generate_data(folder / "data.svm", {"--rows", "400", "--features", "2000", "--density", "0.05"});
  const json wide = json::parse(geodescent({"info", "--json", folder / "data.svm"}).out)["training"];
  EXPECT_GT(wide["directions"], 0);
  EXPECT_GT(wide["method_bytes"], 8 * 2400 * wide["directions"].get<int>());
  EXPECT_GT(wide["peak_bytes"], wide["matrix_bytes"].get<double>() + wide["method_bytes"].get<double>());
  const json narrow =
      json::parse(geodescent({"info", "--json", "--memory-limit", "2M", folder / "data.svm"}).out)["training"];
  EXPECT_LE(narrow["method_bytes"], 2e6);
  EXPECT_LT(narrow["directions"], wide["directions"]);
  const Outcome words = geodescent({"info", folder / "data.svm"});
  EXPECT_NE(words.out.find(": about "), std::string::npos) << "it is an estimate: " << words.out;
  const Outcome none = geodescent({"info", "--memory-limit", "1k", folder / "data.svm"});
  EXPECT_NE(none.out.find("geod-memory needs at least"), std::string::npos) << none.out;
}

}  // namespace
}  // namespace geodescent::testing
