// Several files of data are one data set; no file of data is replaced by a model.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

struct Parts {
  TemporaryFolder folder;
  std::string whole = folder / "whole.svm", first = folder / "part-1.svm", second = folder / "part-2.svm";

  Parts() {
    generate_data(whole, {"--rows", "200", "--features", "10", "--seed", "3"});
    const std::string lines = contents(whole);
    const std::size_t middle = lines.find('\n', lines.size() / 3) + 1;
    put(first, lines.substr(0, middle));
    put(second, lines.substr(middle, lines.size() - middle - 1));  // without the last end of line
  }
};

TEST(TrainSeveralFiles, HasTheModelOfOneFile) {
  const Parts parts;
  const std::string one = parts.folder / "one.model", several = parts.folder / "several.model";
  EXPECT_EQ(geodescent({"train", "--quiet", parts.whole, one}).code, 0);
  const Outcome outcome = geodescent({"train", "--model", several, parts.first, parts.second});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, {"part-1.svm", "part-2.svm", "200 rows"})) << outcome.out;
  EXPECT_EQ(contents(one), contents(several));
  EXPECT_EQ(geodescent({"verify", "--quiet", "--model", several, parts.first, parts.second}).code, 0);
  EXPECT_EQ(geodescent({"verify", "--quiet", "--model", several, parts.second, parts.first}).code, 1);
}

TEST(TrainSeveralFiles, ReplacesNoData) {
  const Parts parts;
  const auto before = snapshot(parts.folder.path().string());
  const Outcome two = geodescent({"train", parts.first, parts.second});
  EXPECT_EQ(two.code, 2);
  EXPECT_TRUE(says(two.err, {"part-2.svm", "has data", "--model"})) << two.err;
  const Outcome three = geodescent({"train", parts.whole, parts.first, parts.second});
  EXPECT_EQ(three.code, 2);
  EXPECT_TRUE(says(three.err, {"3 files", "--model"})) << three.err;
  const Outcome same = geodescent({"train", "--model", parts.first, parts.whole, parts.first});
  EXPECT_EQ(same.code, 2);
  EXPECT_TRUE(says(same.err, {"same file"})) << same.err;
  EXPECT_EQ(snapshot(parts.folder.path().string()), before);
}

}  // namespace
}  // namespace geodescent::testing
