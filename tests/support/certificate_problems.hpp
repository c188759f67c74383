// Small random problems for proofs: all losses and kinds of intercept, weights, bad scaling,
// degenerate rows.
#pragma once

#include <memory>

#include "geodescent/certificate.hpp"
#include "support/random.hpp"

namespace geodescent::testing {

struct CertificateProblem {
  Dataset data;
  Risk risk;
  bool well_scaled = true;
};

inline Dataset dataset_of(const std::vector<Vector>& rows, const Vector& targets, const Vector& weights = {}) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (const Vector& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0) continue;
      indices.push_back(static_cast<std::uint32_t>(j));
      values.push_back(row[j]);
    }
    offsets.push_back(values.size());
  }
  Dataset data;
  data.name = "data";
  data.nonzeros = values.size();
  data.rows = std::make_shared<SparseRows>(offsets, indices, values, rows.front().size());
  data.targets = targets;
  data.weights = weights;
  return data;
}

inline Risk random_risk(Random& random) {
  constexpr const char* losses[] = {"smoothed-hinge", "logistic", "squared-hinge", "squared", "huber"};
  constexpr Bias biases[] = {Bias::none, Bias::free, Bias::regularized};
  Risk risk;
  risk.loss = losses[random.below(5)];
  if (risk.loss == "huber") risk.loss_parameter = random.log_uniform(0.01, 10);
  risk.l2 = random.log_uniform(1e-8, 1);
  risk.bias = biases[random.below(3)];
  if (risk.bias == Bias::regularized && random.chance(0.3)) risk.constant = random.log_uniform(0.1, 100);
  return risk;
}

/// Targets with both labels if the loss needs two classes.
inline Vector random_targets(Random& random, std::size_t rows, bool classes) {
  Vector targets(rows);
  const double low = random.chance(0.5) ? -1 : 0;
  const double scale = random.chance(0.2) ? random.log_uniform(1e-5, 1e5) : 1;
  for (double& t : targets) t = classes ? (random.chance(0.5) ? 1 : low) : scale * random.normal();
  if (!classes) return targets;
  targets.front() = 1;
  targets.back() = low;
  return targets;
}

inline CertificateProblem random_certificate_problem(Random& random) {
  CertificateProblem problem;
  problem.risk = random_risk(random);
  problem.well_scaled = random.chance(0.7);
  const std::size_t rows = 2 + random.below(9), features = 1 + random.below(4);
  const double density = random.chance(0.5) ? 1 : 0.4;
  Vector scales(features, 1);
  if (!problem.well_scaled)
    for (double& s : scales) s = random.log_uniform(1e-6, 1e6);
  std::vector<Vector> entries(rows, Vector(features, 0));
  const bool stored = problem.risk.bias == Bias::regularized && rows % 2 == 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool empty = random.chance(0.05), twin = i > 0 && random.chance(0.1);
    for (std::size_t j = 0; j < features && !empty; ++j)
      entries[i][j] = twin ? entries[i - 1][j] : (random.chance(density) ? scales[j] * random.normal() : 0);
    // Half of the problems store the column, the others have it added.
    if (problem.risk.bias == Bias::regularized && stored) entries[i].push_back(problem.risk.constant);
  }
  const bool classes = problem.risk.loss != "squared" && problem.risk.loss != "huber";
  Vector weights;
  const double spread = problem.well_scaled ? 10 : 1e8;
  if (random.chance(0.5))
    for (std::size_t i = 0; i < rows; ++i) weights.push_back(random.log_uniform(1 / spread, spread));
  problem.data = dataset_of(entries, random_targets(random, rows, classes), weights);
  if (stored)
    problem.data.constant = problem.risk.constant;
  else if (problem.risk.bias == Bias::regularized)
    problem.data = with_constant(problem.data, problem.risk.constant);
  return problem;
}

}  // namespace geodescent::testing
