// The best constant prediction of a regression: a bound that holds, and as close as doubles allow.
#include "certificate/proof/constant_prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "certificate/proof/intercept.hpp"
#include "support/certificate_problems.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

Risk regression(const std::string& loss, double parameter) {
  Risk risk;
  risk.loss = loss;
  risk.loss_parameter = parameter;
  risk.l2 = 1;
  risk.bias = Bias::free;
  return risk;
}

/// h at a b that is nearly the best, with more digits: the minimum is at most this.
proof::Real nearly_best(const proof::Problem& problem) {
  std::vector<proof::InterceptTerm> terms;
  for (std::size_t i = 0; i < problem.rows(); ++i)
    terms.push_back({{proof::Real(problem.weight(i)), 0}, 0, 1, problem.target(i)});
  const proof::Real b = proof::InterceptProblem(problem.loss(), std::move(terms)).minimiser();
  proof::BoundedSum sum;
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    const proof::Bounded weight{proof::Real(problem.weight(i)), 0};
    sum.add(weight * problem.loss().value(proof::Bounded{b, 0}, problem.target(i)));
  }
  return sum.result().upper();
}

void expect_close(const Vector& targets, const Vector& weights, const Risk& risk, const std::string& what) {
  const Dataset data = dataset_of(std::vector<Vector>(targets.size(), Vector{1}), targets, weights);
  const proof::Problem problem(data, risk);
  const proof::Real found = proof::loss_of_best_constant(problem).lower(), best = nearly_best(problem);
  EXPECT_LE(found, best) << what;
  EXPECT_GE(found.high, best.high * (1 - 2e-15)) << what;
}

TEST(ConstantPrediction, IsBoundedClosely) {
  Random random(1);
  for (int repetition = 0; repetition < 60; ++repetition) {
    const std::size_t rows = 2 + random.below(repetition % 10 == 0 ? 3000 : 50);
    Vector targets(rows), weights(rows);
    for (double& y : targets) y = 100 + random.normal();
    for (double& c : weights) c = 0.1 + static_cast<double>(random.below(10));
    if (repetition % 3 == 0) targets[0] = 1e9;  // far from all others
    if (repetition % 4 == 0) weights.clear();
    const std::string what = "repetition " + std::to_string(repetition);
    expect_close(targets, weights, regression("squared", 0), what + ", squared");
    expect_close(targets, weights, regression("huber", 0.5), what + ", huber");
    expect_close(targets, weights, regression("huber", 1e-6), what + ", nearly the absolute value");
  }
}

TEST(ConstantPrediction, TargetsThatAreAlikeOrOfTwoKinds) {
  for (const char* loss : {"squared", "huber"}) {
    const Risk risk = regression(loss, loss == std::string("huber") ? 1 : 0);
    const Dataset alike = dataset_of({{1}, {2}, {3}}, {0.1, 0.1, 0.1});
    EXPECT_NEAR(proof::loss_of_best_constant(proof::Problem(alike, risk)).lower().high, 0, 1e-300) << loss;
    expect_close({0, 0, 10, 10}, {}, risk, loss);  // with huber every b from 1 to 9 is best
    expect_close({-1e-100, 1e-100}, {}, risk, loss);
    expect_close({-1e8, 1e8, 3}, {}, risk, loss);
  }
}

}  // namespace
}  // namespace geodescent::testing
