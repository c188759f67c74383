// A line has a limit in every command that reads text, wherever the text comes from.
#include <gtest/gtest.h>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

class LineLimit : public ::testing::Test {
 protected:
  void SetUp() override {
    put(folder / "short.svm", "1 1:1\n-1 2:1\n");
    ASSERT_EQ(geodescent({"train", "--quiet", folder / "short.svm", model}).code, 0);
    put(data, "1 1:1\n-1 2:1 #" + std::string(3'000'000, 'c') + "\n");
  }

  /// The commands that read text, with these options.
  std::vector<std::vector<std::string>> commands(const std::string& file,
                                                 const std::vector<std::string>& options) const {
    std::vector<std::vector<std::string>> all{{"train", file, folder / "new.model"},
                                              {"predict", file, model},
                                              {"verify", file, model},
                                              {"info", file},
                                              {"convert", file, folder / "data.gdm"}};
    for (std::vector<std::string>& one : all) one.insert(one.begin() + 1, options.begin(), options.end());
    return all;
  }

  const TemporaryFolder folder;
  const std::string data = folder / "long.svm";
  const std::string model = folder / "short.model";
};

TEST_F(LineLimit, HoldsForFilesArchivesAndPipes) {
  ASSERT_EQ(run({"gzip", "--keep", data}).code, 0);
  for (const std::string& file : {data, data + ".gz", std::string("-")}) {
    Surroundings s;
    s.input = data;
    for (const auto& command : commands(file, {"--line-limit", "2M"})) {
      const Outcome outcome = geodescent(command, s);
      EXPECT_EQ(outcome.code, 3) << command[0];
      EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
      EXPECT_TRUE(says(outcome.err, {(file == "-" ? "standard input" : file) + ":2: the line is longer than 2000000",
                                     "--line-limit"}))
          << outcome.err;
    }
    for (const auto& command : commands(file, {})) EXPECT_EQ(geodescent(command, s).code, 0) << command[0];
  }
}

TEST_F(LineLimit, TakesSizes) {
  for (const char* size : {"0", "1k", "999999", "x", "-1", "2000G"}) {
    const Outcome outcome = geodescent({"info", "--line-limit", size, data});
    EXPECT_EQ(outcome.code, 2) << size;
    EXPECT_TRUE(says(outcome.err, {"--line-limit: '", "from 1M to 1000G"})) << outcome.err;
  }
  EXPECT_EQ(geodescent({"info", "--line-limit", "4M", data}).code, 0);
}

}  // namespace
}  // namespace geodescent::testing
