// What all risks share: rows with their weights, and the regulariser. Immutable, and shared by the
// oracles of a risk.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "geodescent/learn/regularizer.hpp"
#include "learn/linear/risk_operator.hpp"
#include "matrix/row_space.hpp"

namespace geodescent {

struct LinearProblem {
  /// With this many numbers for each row, and a loss whose second derivatives in them are at most
  /// `curvature`.
  LinearProblem(const Dataset& dataset, std::vector<std::int8_t> signs, std::size_t outputs, L2 l2, double curvature)
      : regularizer(l2),
        rows(row_space_of(dataset)),
        data(dataset, std::move(signs), outputs),
        weights(dataset.weights),
        curvature_bound(curvature) {}

  /// For the row form of rows on several ranks: the images and weights of all rows, with these
  /// signs. One round.
  void take_all_rows(std::vector<std::int8_t> signs) {
    if (!weights.empty()) weights = rows.of_all_rows(weights);
    rows = RowSpace(rows.rows());
    data = data.with_images_of_all_rows(std::move(signs));
  }

  double weight(std::size_t i) const { return weights.empty() ? 1 : weights[i]; }
  /// A bound on the largest second derivative of f. A'A/n has no eigenvalue above the mean of
  /// |a_i|^2.
  double smoothness_bound() const {
    return curvature_bound * data.row_norm() * data.row_norm() + regularizer.strong_convexity();
  }
  double dual_condition() const {  ///< see Facts
    const double square = data.row_norm() * data.row_norm();
    return curvature_bound * square / (regularizer.strong_convexity() * data.total_weight());
  }

  L2 regularizer;
  RowSpace rows;  // of images
  RiskOperator data;
  Vector weights;  // empty: all 1
  double curvature_bound;
};

}  // namespace geodescent
