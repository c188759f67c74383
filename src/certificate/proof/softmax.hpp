// The proof for multinomial logistic regression. Internal to the library.
//
// Row i has class y_i of K classes and weight c_i; W is the sum of the weights. With coefficients V, intercepts b and
// predictions z_i = V'a_i + b,
//     f(V, b) = 1/W sum_i c_i (log sum_k exp(z_ik) - z_iy_i) + l2/2 |V|^2.
// A dual point has a number v_ik for each row and class, v_ik = c_i (P_ik - [k = y_i]) for probabilities P_i:
//     v_ik >= 0 for k != y_i,  v_iy_i >= -c_i,  sum_k v_ik = 0.
// With H the entropy, for every V and b
//     f(V, b) >= D(v) = 1/W sum_i c_i H(P_i) - sum_k |sum_i v_ik a_i|^2 / (2 l2 W^2),
// if there are no intercepts, or free ones and sum_i v_ik = 0 for every k.
//
// Numbers of a column or a row stand together: coefficient (j, k) is number j K + k, v_ik is number i K + k.
#pragma once

#include "certificate/proof/prove.hpp"

namespace geodescent::proof {

class SoftmaxProblem : public ProblemData {
 public:
  /// The targets are 0, 1, ..., classes - 1. Throws InputError as ProblemData does, and for other targets.
  SoftmaxProblem(const Dataset& data, const Risk& risk, std::size_t classes);

  std::size_t classes() const { return classes_; }
  std::size_t class_of(std::size_t i) const { return static_cast<std::size_t>(target(i)); }

 private:
  std::size_t classes_;
};

/// f is at most this. One intercept for each class where they are free, none otherwise. Throws InputError for numbers
/// that do not fit the problem or are not finite, and when f overflows.
double value_above(const SoftmaxProblem& problem, std::span<const double> coefficients,
                   std::span<const double> intercepts);
/// f* is at least this, and 0 at least. Throws InputError for a dual point that is none.
double bound_below(const SoftmaxProblem& problem, const DualPoint& dual);
/// f of the best model whose coefficients are 0 is at least this.
double reference_below(const SoftmaxProblem& problem);

/// The dual point that rounds P_ik - [k = y_i] to `bytes` bytes for each number, moved to where a dual point may be.
DualPoint rounded_dual(const SoftmaxProblem& problem, std::span<const double> slopes, int bytes);

}  // namespace geodescent::proof
