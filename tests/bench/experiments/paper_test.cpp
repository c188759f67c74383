#include "experiments/paper/paper.hpp"

#include <gtest/gtest.h>

#include "catalogue/catalogue.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::lab {
namespace {

/// Methods with given iterations to each accuracy, the same on three problems.
class Claims : public ::testing::Test {
 protected:
  void method(const std::string& name, std::vector<std::uint64_t> iterations, std::uint64_t extra_passes = 2,
              std::uint64_t evaluations_each = 1) {
    options.methods.push_back(parse_method("geod"));
    options.methods.back().text = name;
    Cell cell;
    for (const std::uint64_t n : iterations)
      cell.reached.push_back(n == 0 ? std::nullopt : std::optional(Effort{n, 2 * n + extra_passes, n, 0, 1}));
    cell.proven.resize(iterations.size());
    const std::uint64_t total = iterations.back() == 0 ? 1000 : iterations.back();
    cell.total = {total, 2 * total + extra_passes, evaluations_each * total, 0, 1};
    for (Problem& p : results.problems) p.cells.push_back(cell);
  }
  Claim claim(const std::string& words) const {
    for (const Claim& c : paper_claims(options, results))
      if (c.statement.find(words) != std::string::npos) return c;
    throw std::runtime_error("no claim about " + words);
  }
  Verdict against_sd() const { return claim("steepest descent").verdict; }

  ExperimentOptions options;
  Results results;

  void SetUp() override {
    options.accuracies = {1e-1, 1e-2, 1e-3, 1e-4};
    for (const char* name : {"a", "b", "c"}) results.problems.push_back({name, 100, 10, 5000, 1e-4, {}, {}});
  }
};

TEST_F(Claims, HoldWhereItIsFewerEverywhere) {
  method("geod", {1, 2, 3, 4});
  method("sd", {2, 3, 4, 5});
  const Claim c = claim("steepest descent");
  EXPECT_EQ(c.verdict, Verdict::holds);
  EXPECT_NE(c.measured.find("8 of 8"), std::string::npos) << c.measured;
}

TEST_F(Claims, HoldInPartWhereItIsFewerAtHalfOfThePoints) {
  method("geod", {1, 2, 9, 9});
  method("sd", {2, 3, 4, 5});
  EXPECT_EQ(against_sd(), Verdict::holds_in_part);
}

TEST_F(Claims, DoNotHoldWhereItIsFewerAtLessThanHalfOfThePoints) {
  method("geod", {1, 9, 9, 9});
  method("sd", {2, 3, 4, 5});
  EXPECT_EQ(against_sd(), Verdict::does_not_hold);
}

TEST_F(Claims, EqualIsNotFewer) {
  method("geod", {1, 2, 3, 4});
  method("sd", {1, 2, 3, 4});
  EXPECT_EQ(against_sd(), Verdict::does_not_hold);
}

TEST_F(Claims, NotReachedIsMoreThanAnyNumber) {
  method("geod", {1, 2, 3, 0});
  method("sd", {2, 0, 0, 0});
  const Claim c = claim("steepest descent");
  EXPECT_EQ(c.verdict, Verdict::holds) << "where neither gets there is nothing to compare";
  EXPECT_NE(c.measured.find("6 of 6"), std::string::npos) << c.measured;
}

TEST_F(Claims, NotReachedIsHeldAgainstTheMethodThatClaimsFewer) {
  method("geod", {0, 0, 0, 0});
  method("sd", {2, 3, 4, 5});
  EXPECT_EQ(against_sd(), Verdict::does_not_hold);
}

TEST_F(Claims, AreNotMeasuredWhereNeitherGetsAnywhere) {
  method("geod", {0, 0, 0, 0});
  method("sd", {0, 0, 0, 0});
  EXPECT_EQ(against_sd(), Verdict::not_measured);
}

TEST_F(Claims, AreNotMeasuredWithoutTheMethod) {
  method("geod", {1, 2, 3, 4});
  Claim c = claim("steepest descent");
  EXPECT_EQ(c.verdict, Verdict::not_measured);
  EXPECT_EQ(c.measured, "sd is not part of this run");
  options.methods[0].text = "sd";
  c = claim("steepest descent");
  EXPECT_EQ(c.verdict, Verdict::not_measured);
  EXPECT_EQ(c.measured, "geod is not part of this run");
  c = claim("Exact line searches");
  EXPECT_EQ(c.verdict, Verdict::not_measured);
  EXPECT_EQ(c.measured, "geod is not part of this run");
}

TEST_F(Claims, ThePercentileCountsAsMuchAsTheMedian) {
  method("geod", {1, 2, 3, 4});
  method("sd", {2, 3, 4, 5});
  for (auto& reached : results.problems[0].cells[0].reached) reached.reset();
  // Two of three problems: the median is finite, the 90th percentile is not.
  const Claim c = claim("steepest descent");
  EXPECT_EQ(c.verdict, Verdict::holds_in_part);
  EXPECT_NE(c.measured.find("4 of 8"), std::string::npos) << c.measured;
  EXPECT_NE(c.measured.find("inf"), std::string::npos) << c.measured;
}

TEST_F(Claims, OfLbfgsGoTheOtherWay) {
  method("geod", {5, 6, 7, 8});
  method("lbfgs", {1, 2, 3, 4});
  EXPECT_EQ(claim("L-BFGS needs fewer iterations than GeoD").verdict, Verdict::holds);
}

TEST_F(Claims, OfTheAcceleratedMethodsAreAboutThem) {
  method("geod", {5, 6, 7, 8});
  method("afg", {6, 7, 8, 9});
  method("afgwr", {1, 2, 3, 4});
  EXPECT_EQ(claim("than AFG.").verdict, Verdict::holds);
  EXPECT_EQ(claim("AFG with restart").verdict, Verdict::does_not_hold);
}

TEST_F(Claims, OneProductAnIterationCountsPasses) {
  method("geod", {10, 20, 30, 40}, 10);
  EXPECT_EQ(claim("single product").verdict, Verdict::holds);
  method("sd", {10, 20, 30, 40}, 11);
  const Claim c = claim("single product");
  EXPECT_EQ(c.verdict, Verdict::does_not_hold);
  EXPECT_NE(c.measured.find("at most 11"), std::string::npos) << c.measured;
  EXPECT_NE(c.measured.find("sd on a"), std::string::npos) << c.measured;
}

TEST_F(Claims, OneProductAnIterationHoldsWithNothingBeyond) {
  method("geod", {10, 20, 30, 40}, 0);
  const Claim c = claim("single product");
  EXPECT_EQ(c.verdict, Verdict::holds);
  EXPECT_EQ(c.measured.find("()"), std::string::npos) << c.measured;
}

TEST_F(Claims, LineSearchesAreWeighedByTheNumbersTheyRead) {
  // 2 numbers for each of 100 rows, against 2 passes over 5000 entries an iteration: 0.02 an
  // evaluation.
  method("geod", {10, 20, 30, 40}, 0, 4);
  EXPECT_EQ(claim("line searches").verdict, Verdict::holds);
  results.problems[2].nonzeros = 500;
  EXPECT_EQ(claim("line searches").verdict, Verdict::holds_in_part);
  results.problems[1].nonzeros = 500;
  EXPECT_EQ(claim("line searches").verdict, Verdict::does_not_hold);
}

TEST_F(Claims, LineSearchesAreNotMeasuredWhereNothingRan) {
  method("geod", {10, 20, 30, 40});
  for (Problem& p : results.problems) p.cells[0].total = {};
  EXPECT_EQ(claim("line searches").verdict, Verdict::not_measured);
}

TEST(PaperSuite, TellsWhatIsThereFromWhatIsMissing) {
  const testing::TemporaryFolder folder;
  testing::put(folder / "heart_scale", "1 1:1\n-1 1:2\n");
  testing::put(folder / "leu", "1 1:1\n-1 1:2\n");
  const Suite suite = sets_in(folder.path().string(), {"a9a", "leukemia", "heart_scale", "mine"});
  ASSERT_EQ(suite.sources.size(), 2u);
  EXPECT_EQ(suite.sources[0].name, "leukemia");
  EXPECT_EQ(suite.sources[1].name, "heart_scale");
  EXPECT_EQ(suite.missing, (std::vector<std::string>{"a9a", "mine"}));
  EXPECT_EQ(sets_in(folder.path().string(), paper_suite()).sources.size(), 2u);
  EXPECT_EQ(sets_in(folder.path().string(), paper_suite()).missing.size(), paper_suite().size() - 2);
}

TEST(StandIns, HaveNamesOfTheirOwn) {
  std::vector<std::string> names;
  for (const DataSource& source : stand_ins()) {
    EXPECT_EQ(source.name.rfind("generated-", 0), 0u) << source.name;
    EXPECT_EQ(std::count(names.begin(), names.end(), source.name), 0);
    names.push_back(source.name);
  }
  EXPECT_GT(names.size(), 2u);
}

TEST(StandIns, AreSmallEnoughForTheirMinimaToBeProven) {
  for (const DataSource& source : stand_ins(50)) {
    const Dataset data = source.load();
    EXPECT_NO_THROW((void)binary_labels(data)) << source.name;
    EXPECT_EQ(data.rows->rows(), 50u) << source.name;
    EXPECT_LE(data.rows->columns(), 2000u) << source.name;
    EXPECT_GE(data.rows->nonzeros(), 5u * 50) << source.name << ": rows are not empty";
  }
}

}  // namespace
}  // namespace geodescent::lab
