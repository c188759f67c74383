// A data set and a risk that fit each other, as the proofs see them. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "certificate/bounded.hpp"
#include "certificate/product_sum.hpp"
#include "certificate/proof_loss.hpp"
#include "geodescent/dataset.hpp"
#include "geodescent/model.hpp"

namespace geodescent::proof {

/// The entries of a row; kept from row to row, as what they need in memory is.
struct RowEntries {
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
};

/// Borrows the data.
class Problem {
 public:
  /// Throws InputError when no proof is possible: unknown loss or l2, one class, row weights that are not positive, no
  /// constant feature where the risk has one.
  Problem(const Dataset& data, const Risk& risk);

  const std::string& name() const { return data_.name; }
  const Risk& risk() const { return risk_; }
  const ProofLoss& loss() const { return loss_; }
  std::size_t rows() const { return data_.targets.size(); }
  std::size_t columns() const { return data_.rows->columns(); }
  double target(std::size_t i) const { return data_.targets[i]; }
  double weight(std::size_t i) const { return data_.weights.empty() ? 1 : data_.weights[i]; }
  bool rows_count_alike() const { return data_.weights.empty(); }  ///< all weights are 1
  double sign(std::size_t i) const { return loss_.is_classification() && target(i) != positive_ ? -1 : 1; }
  const Bounded& total_weight() const { return total_weight_; }

  /// Throws InputError when the constant feature has another value.
  void copy_row(std::size_t i, RowEntries& row) const;
  /// |sum_i factor_i a_i|^2. The factors are exact: one backward pass.
  Bounded combined_rows_squared(std::span<const double> factors) const;

 private:
  void check_data() const;

  const Dataset& data_;
  Risk risk_;
  ProofLoss loss_;
  double positive_ = 1;  ///< the label of the positive class
  Bounded total_weight_;
};

/// a_i . w + b for the rows: a forward pass.
class Predictor {
 public:
  /// Throws InputError when the model does not have a finite weight for every column.
  Predictor(const Problem& problem, const LinearModel& model);

  const Vector& weights() const { return weights_; }  ///< of all columns
  /// a_i . w + b, for a regression less the target: what the loss takes but for the sign. `row` receives the row.
  Approximation operator()(std::size_t i, RowEntries& row) const;

 private:
  const Problem& problem_;
  Vector weights_;
  double constant_ = 0, bias_weight_ = 0;  ///< of an intercept that is no column
};

}  // namespace geodescent::proof
