// Options of liblinear-train mean what they mean there; those without a counterpart get an answer.
#include <gtest/gtest.h>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

class LiblinearOptions : public ::testing::Test {
 protected:
  void SetUp() override { generate_data(data, {"--rows", "120", "--features", "5", "--noise", "0.2"}); }

  json trained(std::vector<std::string> options) const {
    options.insert(options.end(), {data, folder / "data.model"});
    return train_json(options);
  }
  std::string refusal(std::vector<std::string> options) const {
    options.insert(options.begin(), "train");
    options.insert(options.end(), {data, folder / "data.model"});
    const Outcome outcome = geodescent(options);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    return outcome.err;
  }

  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
};

TEST_F(LiblinearOptions, SolverIsTheLoss) {
  EXPECT_EQ(trained({"-s", "0"})["loss"], "logistic");
  EXPECT_EQ(trained({"-s", "2", "-c", "1"})["loss"], "squared-hinge");
  EXPECT_EQ(trained({"-s", "11"})["loss"], "squared");
  EXPECT_EQ(trained({"-s", "7"})["loss"], "logistic");
  EXPECT_EQ(trained({"-s", "1", "-c", "1"})["loss"], "squared-hinge");
  EXPECT_EQ(trained({"-s", "12"})["loss"], "squared");
  for (const std::string other : {"3", "4", "5", "21", "x"})
    EXPECT_TRUE(says(refusal({"-s", other}),
                     {"-s: '" + other + "' given", "0 or 7 (logistic), 2 or 1 (squared-hinge), 11 or 12"}));
  EXPECT_TRUE(says(refusal({"-s", "0", "--loss", "huber"}), {"excludes", "-s", "--loss"}));
}

TEST_F(LiblinearOptions, ConstantIsTheIntercept) {
  EXPECT_EQ(trained({"-B", "1"})["bias"], "regularized");
  EXPECT_EQ(trained({"-B", "-1"})["bias"], "none");
  EXPECT_TRUE(says(refusal({"-B", "2"}), {"-B: '2' given, but it takes 1 (--bias regularized) or -1 (--bias none)"}));
  EXPECT_TRUE(says(refusal({"-B", "1", "--bias", "free"}), {"excludes", "-B", "--bias"}));
}

TEST_F(LiblinearOptions, SearchForCIsACrossValidation) {
  const json found = trained({"-C", "--tol", "1e-3"})["cross_validation"];
  EXPECT_EQ(found, [&] {
    json same = trained({"--l2-path", "1e-6:1:13", "--folds", "5", "--tol", "1e-3"})["cross_validation"];
    same["seconds"] = found["seconds"];
    return same;
  }());
  const json shorter = trained({"-C", "-v", "3", "--l2-path", "0.01:1:2"})["cross_validation"];
  EXPECT_EQ(shorter["folds"], 3);
  EXPECT_EQ(shorter["table"].size(), 2u);
  EXPECT_TRUE(says(refusal({"-C", "-c", "1"}), {"excludes", "-C", "--cost"}));
}

TEST_F(LiblinearOptions, OthersGetAnAnswer) {
  EXPECT_TRUE(says(refusal({"-e", "0.01"}), {"unknown option -e: ", "--tol"}));
  EXPECT_TRUE(says(refusal({"-e0.01"}), {"unknown option -e: ", "--tol"}));
  EXPECT_TRUE(says(refusal({"-s", "11", "-p", "0"}), {"unknown option -p: ", "leave -p out"}));
  EXPECT_TRUE(says(refusal({"-R"}), {"unknown option -R: ", "--bias free"}));
  EXPECT_TRUE(says(refusal({"-i", "start.model"}), {"unknown option -i: ", "--initial FILE"}));
  EXPECT_TRUE(says(refusal({"-W", "weights"}), {"unknown option -W: ", "--row-weights FILE"}));
}

}  // namespace
}  // namespace geodescent::testing
