#include "comparison/tuning.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "bench/lab_data.hpp"
#include "comparison/infinity.hpp"
#include "geodescent/learn/risk.hpp"

namespace geodescent::lab {
namespace {

using Json = nlohmann::ordered_json;

class TuningTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      risks.push_back(make_risk("logistic", data, lambdas[k]));
      references.push_back(reference_minimum(data, "logistic", lambdas[k]));
    }
    for (std::size_t k = 0; k < lambdas.size(); ++k) problems.push_back({*risks[k], references[k]});
  }

  /// Iterations of a power on every problem, with no limit but that of the search.
  const std::vector<double>& costs(const Contender& method, int exponent) const {
    std::vector<double>& known = costs_[{method.text, exponent}];
    if (known.empty()) known = counted_costs(method, exponent);
    return known;
  }
  std::vector<double> counted_costs(const Contender& method, int exponent) const {
    Contender candidate = method;
    candidate.method = with_smoothness(method.method, std::ldexp(1.0, exponent));
    std::vector<double> costs;
    for (const TuningProblem& p : problems) {
      const Cell cell = run_cell(p.f, candidate, p.reference, {accuracy}, limits, false, {}).value();
      const double limit = static_cast<double>(limits.iterations);
      costs.push_back(cell.reached[0] ? static_cast<double>(cell.reached[0]->iterations)
                                      : limit * (1 + std::log10(cell.accuracy / accuracy)));
    }
    return costs;
  }

  /// The rule of the header, by brute force: what is tried, in which order, and what is best.
  std::vector<int> expected_candidates(const Contender& method, int first, int& best) const {
    std::vector<int> tried;
    std::vector<double> best_costs;
    double best_score = infinity;
    const auto walk = [&](int exponent, int direction) {
      for (int worse = 0; worse < 4; exponent += direction) {
        tried.push_back(exponent);
        const std::vector<double> c = costs(method, exponent);
        double score = 0;
        for (std::size_t p = 0; p < c.size(); ++p) {
          const bool given_up = !best_costs.empty() && c[p] > 2 * best_costs[p] + 20;
          score += given_up ? infinity : c[p];
        }
        worse = score < best_score ? 0 : worse + 1;
        if (score >= best_score) continue;
        best = exponent, best_score = score, best_costs = c;
      }
    };
    walk(first, -1);
    if (best == first) walk(first + 1, +1);
    return tried;
  }

  const Dataset data =
      generated_data({.rows = 150, .features = 10, .density = 0.6, .conditioning = 5, .label_noise = 0.1});
  const std::vector<double> lambdas = {1e-2, 1e-3};
  const double accuracy = 1e-6;
  const Limits limits{.iterations = 2000};
  std::vector<std::unique_ptr<Objective>> risks;
  std::vector<ReferenceMinimum> references;
  mutable std::map<std::pair<std::string, int>, std::vector<double>> costs_;
  std::vector<TuningProblem> problems;
};

TEST_F(TuningTest, FollowsItsRule) {
  for (const char* name : {"afg", "afgwr", "geod-fixed"})
    for (const double guess : {1e-3, 8.0}) {
      SCOPED_TRACE(::testing::Message() << name << " from " << guess);
      const Contender method = parse_method(name);
      const auto found = best_smoothness(problems, method, guess, accuracy, limits, {});
      ASSERT_TRUE(found.has_value());
      int best = 0;
      const std::vector<int> expected =
          expected_candidates(method, static_cast<int>(std::ceil(std::log2(guess))), best);
      EXPECT_EQ(found->exponent, best);
      std::vector<int> tried;
      for (const auto& candidate : found->candidates) tried.push_back(candidate.exponent);
      EXPECT_EQ(tried, expected);
      for (const auto& candidate : found->candidates)
        if (std::isfinite(candidate.score)) {
          double sum = 0;
          for (const double c : costs(method, candidate.exponent)) sum += c;
          EXPECT_DOUBLE_EQ(candidate.score, sum);
        }
    }
}

TEST_F(TuningTest, FindsTheBestOfAllPowersFromAGuessAboveIt) {
  for (const char* name : {"afg", "afgwr", "geod-fixed"}) {
    const Contender method = parse_method(name);
    const auto found = best_smoothness(problems, method, 2 * largest_eigenvalue(data), accuracy, limits, {});
    const auto sum = [&](int exponent) {
      double total = 0;
      for (const double c : costs(method, exponent)) total += c;
      return total;
    };
    const double of_found = sum(found->exponent);
    for (int exponent = -16; exponent <= 8; ++exponent) EXPECT_LE(of_found, sum(exponent)) << name << " " << exponent;
  }
}

TEST_F(TuningTest, HasNoValueWhenCancelledAtAnyMoment) {
  const Contender method = parse_method("afg");
  int moments = 0;
  ASSERT_TRUE(best_smoothness(problems, method, 1, accuracy, limits, [&] { return ++moments, false; }).has_value());
  for (int stop = 1; stop <= moments; stop += 1 + moments / 20) {
    int asked = 0;
    EXPECT_FALSE(best_smoothness(problems, method, 1, accuracy, limits, [&] { return ++asked >= stop; }).has_value());
    EXPECT_EQ(asked, stop) << "it goes no further";
  }
}

TEST_F(TuningTest, IsTheSameAfterJson) {
  const Tuning tuning{-3, {{0, 100}, {-1, infinity}, {-3, 12.5}}};
  const Tuning copy = tuning_from_json(Json::parse(to_json(tuning).dump()));
  EXPECT_EQ(copy.exponent, -3);
  ASSERT_EQ(copy.candidates.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(copy.candidates[k].exponent, tuning.candidates[k].exponent);
    EXPECT_EQ(copy.candidates[k].score, tuning.candidates[k].score);
  }
}

TEST(LargestEigenvalue, IsNotAboveTheTruthAndCloseToIt) {
  // Rows (3, 0) and (0, 1): A'A/2 has eigenvalues 4.5 and 0.5.
  Dataset data;
  data.rows = std::make_shared<DenseRows>(Vector{3, 0, 0, 1}, 2);
  data.targets = {1, -1};
  EXPECT_NEAR(largest_eigenvalue(data), 4.5, 1e-9);
  EXPECT_LE(largest_eigenvalue(data), 4.5 * (1 + 1e-15));
  data.rows = std::make_shared<DenseRows>(Vector{0, 0, 0, 0}, 2);
  EXPECT_EQ(largest_eigenvalue(data), 0);
}

}  // namespace
}  // namespace geodescent::lab
