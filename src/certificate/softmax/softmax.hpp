// The proof for multinomial logistic regression. Internal to the library.
//
// Row i has class y_i of K classes and weight c_i; W is the sum of the weights. With coefficients
// V, intercepts b and predictions z_i = V'a_i + b,
//     f(V, b) = 1/W sum_i c_i (log sum_k exp(z_ik) - z_iy_i) + l2/2 |V|^2.
// A dual point has a number v_ik for each row and class, v_ik = c_i (P_ik - [k = y_i]) for
// probabilities P_i:
//     v_ik >= 0 for k != y_i,  v_iy_i >= -c_i,  sum_k v_ik = 0.
// With H the entropy, for every V and b
//     f(V, b) >= D(v) = 1/W sum_i c_i H(P_i) - sum_k |sum_i v_ik a_i|^2 / (2 l2 W^2),
// if there are no intercepts, or free ones and sum_i v_ik = 0 for every k.
//
// Numbers of a column or a row stand together: coefficient (j, k) is number j K + k, v_ik is number
// i K + k.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "certificate/proof/prove.hpp"

namespace geodescent::proof {

/// The classes of data for a joint loss. Throws InputError for less than two.
std::vector<ClassRows> classes_of(const Dataset& data);

class SoftmaxProblem : public ProblemData {
 public:
  /// The targets are 0, 1, ..., classes - 1. Throws InputError as ProblemData does, and for other
  /// targets.
  SoftmaxProblem(const Dataset& data, const Risk& risk, std::size_t classes);

  std::size_t classes() const { return classes_; }
  std::size_t class_of(std::size_t i) const { return static_cast<std::size_t>(target(i)); }

 private:
  std::size_t classes_;
};

/// Computes V'a_i + b for rows: a forward pass with K columns.
class SoftmaxPredictor {
 public:
  /// As value_above has them, and throws.
  SoftmaxPredictor(const SoftmaxProblem& problem, std::span<const double> coefficients,
                   std::span<const double> intercepts);

  /// Calls take(i, z) for each row i of a range with its K predictions.
  template <class Take>
  void operator()(std::size_t begin, std::size_t end, const Take& take) const {
    const std::size_t classes = predictors_.size();
    PredictedRows batch(problem_);
    std::vector<Approximation> z;  // K for each row of the batch
    for (std::size_t next = begin; next < end; next = batch.end) {
      problem_.read(batch, next, end);
      z.resize((batch.end - next) * classes);
      for (std::size_t k = 0; k < classes; ++k) {
        predictors_[k].predict(batch);
        for (std::size_t r = 0; r < batch.predictions.size(); ++r) z[r * classes + k] = batch.predictions[r];
      }
      for (std::size_t i = next; i < batch.end; ++i)
        take(i, std::span<const Approximation>(z).subspan((i - next) * classes, classes));
    }
  }

 private:
  const SoftmaxProblem& problem_;
  std::vector<Predictor> predictors_;
};

/// The parts of a model with several columns, for value_above.
Vector coefficients_of(const LinearModel& model);
std::span<const double> intercepts_of(const LinearModel& model);

/// f is at most this. One intercept for each class where they are free, in units of the risk's
/// constant, none otherwise. Throws InputError for numbers that do not fit the problem or are not
/// finite, and when f overflows.
double value_above(const SoftmaxProblem& problem, std::span<const double> coefficients,
                   std::span<const double> intercepts);
double value_above(const SoftmaxProblem& problem, const LinearModel& model);
/// f* is at least this, and 0 at least. Throws InputError for a dual point that is none.
double bound_below(const SoftmaxProblem& problem, const DualPoint& dual);
/// f of the best model whose coefficients are 0 is at least this.
double reference_below(const SoftmaxProblem& problem);

/// sum_i steps_ik for every class, over all rows, of the steps of the rows here.
std::vector<Wide> column_sums(const SoftmaxProblem& problem, std::span<const std::int64_t> steps);

/// P_ik - [k = y_i] of the rows here at the model, with the best intercepts for its coefficients
/// where they are free.
Vector slopes_at(const SoftmaxProblem& problem, const LinearModel& model);

/// P_ik - [k = y_i], rounded to `bytes` bytes per number and moved into the domain of dual points.
DualPoint rounded_dual(const SoftmaxProblem& problem, std::span<const double> slopes, int bytes);

}  // namespace geodescent::proof
