// The binary form takes the place of the text everywhere, and nothing else changes.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

class Convert : public ::testing::Test {
 protected:
  void make(std::vector<std::string> shape) {
    generate_data(folder_ / "data.svm", std::move(shape));
    const Outcome outcome = geodescent({"convert", folder_ / "data.svm", folder_ / "data.gdm"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  /// What the command prints about the file, whose name does not count.
  std::string output(std::vector<std::string> command, const std::string& file) {
    for (std::string& word : command)
      if (word == "DATA") word = folder_ / file;
    const Outcome outcome = geodescent(command);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::string text = outcome.out;
    for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file)) text.replace(at, 8, "DATA");
    return text;
  }

  TemporaryFolder folder_;
};

TEST_F(Convert, ModelsCertificatesAndScoresAreTheSame) {
  const std::vector<std::vector<std::string>> shapes{
      {"--rows", "300", "--features", "40", "--density", "0.1"},
      {"--rows", "300", "--features", "10", "--density", "1"},
      {"--rows", "300", "--features", "40", "--density", "0.1", "--binary-values"}};
  for (const auto& shape : shapes) {
    make(shape);
    for (const char* bias : {"free", "regularized"}) {
      for (const std::string file : {"data.svm", "data.gdm"})
        ASSERT_EQ(geodescent({"train", "-q", "--bias", bias, folder_ / file, folder_ / (file + ".model")}).code, 0);
      EXPECT_EQ(contents(folder_ / "data.svm.model"), contents(folder_ / "data.gdm.model"));
    }
    const std::string model = folder_ / "model";
    put(model, contents(folder_ / "data.svm.model"));
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"verify", "DATA", model}, {"predict", "DATA", model}, {"info", "DATA"}})
      EXPECT_EQ(output(command, "data.gdm"), output(command, "data.svm"));
  }
}

TEST_F(Convert, SaysWhatItDid) {
  put(folder_ / "data.svm", "1 0:1 70000:2\n-1 3:0.5\n");
  const Outcome words = geodescent({"convert", folder_ / "data.svm", folder_ / "data.gdm"});
  EXPECT_NE(words.out.find("2 rows, 70001 features, 3 nonzeros, indices from 0, stored sparse in "), std::string::npos)
      << words.out;
  const Outcome outcome = geodescent({"convert", "--json", "-q", folder_ / "data.svm", folder_ / "data.gdm"});
  const json j = json::parse(outcome.out);
  EXPECT_EQ(j["rows"], 2);
  EXPECT_EQ(j["features"], 70001);
  EXPECT_EQ(j["nonzeros"], 3);
  EXPECT_EQ(j["index_base"], 0);
  EXPECT_EQ(j["matrix_form"], "sparse");
  EXPECT_EQ(j["bytes"], std::filesystem::file_size(folder_ / "data.gdm"));
}

TEST_F(Convert, GoesThroughPipes) {
  make({"--rows", "50", "--features", "5"});
  Surroundings piped;
  piped.input = folder_ / "data.svm";
  piped.output = folder_ / "piped.gdm";
  ASSERT_EQ(geodescent({"convert", "-", "-"}, piped).code, 0);
  EXPECT_EQ(contents(folder_ / "piped.gdm"), contents(folder_ / "data.gdm"));
  piped = {};
  piped.input = folder_ / "data.gdm";
  EXPECT_EQ(json::parse(geodescent({"info", "--json", "-"}, piped).out)["rows"], 50);
}

TEST_F(Convert, ErrorsLeaveEverythingAsItWas) {
  put(folder_ / "bad.svm", "1 1:1\n1 1:x\n");
  put(folder_ / "old.gdm", "old");
  const auto before = snapshot(folder_.path().string());
  const Outcome bad = geodescent({"convert", folder_ / "bad.svm", folder_ / "old.gdm"});
  EXPECT_EQ(bad.code, 3);
  EXPECT_TRUE(is_one_error_line(bad.err)) << bad.err;
  EXPECT_NE(bad.err.find("bad.svm:2:5: value 'x' is not a number"), std::string::npos) << bad.err;
  EXPECT_EQ(geodescent({"convert", folder_ / "bad.svm", folder_ / "bad.svm"}).code, 2);
  EXPECT_EQ(geodescent({"convert", folder_ / "none", folder_ / "new.gdm"}).code, 3);
  EXPECT_EQ(geodescent({"convert", folder_ / "bad.svm", folder_ / "none/new.gdm"}).code, 3);
  EXPECT_EQ(snapshot(folder_.path().string()), before);
}

TEST_F(Convert, DamageIsAnErrorOfEveryCommand) {
  make({"--rows", "50", "--features", "5"});
  std::string file = contents(folder_ / "data.gdm");
  file[file.size() / 2] = static_cast<char>(file[file.size() / 2] ^ 4);
  put(folder_ / "data.gdm", file);
  for (const char* command : {"info", "train"}) {
    const Outcome outcome = geodescent({command, folder_ / "data.gdm"}, {.folder = folder_.path().string()});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find("damaged"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace geodescent::testing
