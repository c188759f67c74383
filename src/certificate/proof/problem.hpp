// A data set with a matching risk, as proofs use them. Internal to the library.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "certificate/numbers/bounded.hpp"
#include "certificate/proof/any_proof_loss.hpp"
#include "certificate/rows/all_rows.hpp"
#include "certificate/rows/dense_products.hpp"
#include "certificate/rows/product_sum.hpp"
#include "certificate/rows/row_batch.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent::proof {

/// Writes the factors of the rows from `begin` on; the size of `factors` is the number of rows.
using RowFactors = std::function<void(std::size_t begin, std::span<double> factors)>;

struct PredictedRows;

/// Data and regulariser, without the loss. Borrows the data. Rows and their numbers are those of
/// this process; sums go through all_rows(). On ranks all of them make the same calls; each throws
/// if one does.
class ProblemData {
 public:
  /// Throws InputError if no proof is possible: unknown l2, row weights that are not positive, or
  /// no constant feature although the risk has one.
  ProblemData(const Dataset& data, const Risk& risk);

  const std::string& name() const { return data_.name; }
  const Risk& risk() const { return risk_; }
  std::size_t rows() const { return data_.targets.size(); }  ///< here
  const AllRows& all_rows() const { return all_; }
  std::size_t columns() const { return data_.rows->columns(); }
  double target(std::size_t i) const { return data_.targets[i]; }
  std::span<const double> targets() const { return data_.targets; }
  double weight(std::size_t i) const { return data_.weights.empty() ? 1 : data_.weights[i]; }
  std::span<const double> weights() const { return data_.weights; }  ///< empty if all are 1
  bool rows_count_alike() const { return data_.weights.empty(); }    ///< whether all weights are 1
  const Bounded& total_weight() const { return total_weight_; }

  const RowMatrix& matrix() const { return *data_.rows; }
  /// The rows if they are stored in full, otherwise null.
  const DenseArrays* dense() const { return dense_; }
  /// Like RowBatch::read. Throws InputError if the constant feature has another value.
  void read(RowBatch& batch, std::size_t begin, std::size_t end) const;
  /// The same for predictions; rows that are stored in full need not be copied.
  void read(PredictedRows& batch, std::size_t begin, std::size_t end) const;
  /// The end of the dense rows to process together from `begin` on. Throws like `read`.
  std::size_t next_dense_rows(std::size_t begin, std::size_t end) const;
  /// |sum_i factor_i a_i|^2 for exact factors: one backward pass.
  Bounded combined_rows_squared(const RowFactors& factors_of) const;

 private:
  void check_data() const;
  void check_constant(std::size_t i, double constant) const;
  template <class Sums, class Add>
  Bounded squared_sums(const Add& add) const;
  Bounded wide_squared_sums(const RowFactors& factors_of) const;
  Bounded wide_squared_sums_of_ranks(const RowFactors& factors_of) const;

  const Dataset& data_;
  AllRows all_;
  const DenseArrays* dense_ = nullptr;
  Risk risk_;
  Bounded total_weight_;
};

/// With a loss of one prediction.
class Problem : public ProblemData {
 public:
  /// Throws InputError as ProblemData does, and for an unknown loss or one class.
  Problem(const Dataset& data, const Risk& risk);

  const AnyProofLoss& loss() const { return *loss_; }
  /// True for all rows of a regression.
  bool is_positive(std::size_t i) const { return !has_classes_ || target(i) == positive_; }
  double sign(std::size_t i) const { return is_positive(i) ? 1 : -1; }
  /// The interval of v where c_i phi*(v / c_i) is finite.
  DualRange dual_range(std::size_t i) const {
    return rows_count_alike() ? range_of_weight_one_ : loss_->dual_range(weight(i));
  }
  std::size_t positives() const { return positives_; }  ///< rows of the positive class, on all ranks

 private:
  std::shared_ptr<const AnyProofLoss> loss_;
  bool has_classes_ = false;
  double positive_ = 1;  ///< the label of the positive class
  std::size_t positives_ = 0;
  DualRange range_of_weight_one_;
};

/// Some rows and their predictions.
struct PredictedRows {
  explicit PredictedRows(const ProblemData& problem) : rows(problem.matrix()) {}

  std::size_t begin = 0, end = 0;
  std::vector<Approximation> predictions;
  // Scratch memory.
  RowBatch rows;
  ProductSums sums;
};

/// Computes a_i . w + b for rows: a forward pass.
class Predictor {
 public:
  /// Borrows the model. Throws InputError unless it has a finite coefficient for every column.
  Predictor(const Problem& problem, const LinearModel& model);
  /// Weights of all columns. `subtracted`: from the prediction of each row; none: nothing.
  Predictor(const ProblemData& problem, Vector weights, const Product& intercept, std::span<const double> subtracted);

  Predictor(Predictor&&) = default;
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  std::span<const double> weights() const { return weights_; }  ///< the coefficients of all columns
  /// a_i . w + b, minus the target for a regression: the argument of the loss up to its sign. For
  /// the rows from `begin` on that are read together, at most up to `end`.
  void operator()(std::size_t begin, std::size_t end, PredictedRows& batch) const {
    problem_.read(batch, begin, end);
    predict(batch);
  }
  /// The same for rows that have been read.
  void predict(PredictedRows& batch) const;

 private:
  void check_weights() const;

  const ProblemData& problem_;
  Vector own_weights_;  ///< empty if they are those of the model
  std::span<const double> weights_;
  Product intercept_;  ///< used if it is not a column
  std::span<const double> subtracted_;
};

}  // namespace geodescent::proof
