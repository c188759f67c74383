// Coordinate ascent on the dual of a risk. With dual values u_i of the rows, weights c_i, signs s_i
// and W = sum c_i:
//     D(u) = -1/W sum_i c_i phi*(u_i) - lambda/2 |w|^2,   w = -1/(lambda W) sum_i c_i u_i s_i a_i.
// D is maximised over one u_i after the other. The state is not u but an image z with u_i =
// phi'(z_i). Then phi* need not be computed, because -phi*(u_i) = phi(z_i) - u_i z_i.
//
// A free intercept b requires sum_i c_i u_i s_i = 0. A proximal term kappa/2 (b - b0)^2 replaces
// this constraint by one more coordinate of w; b0 moves after some epochs (the method of
// multipliers).
//
// With many long sparse rows an epoch runs on several threads: the rows of a block take their steps
// from the same w, and each thread owns some of the columns (ColumnParts). Rows of text have few
// columns in common, so such an epoch gains what a serial one does. Where they have many, D may
// fall: then the epoch is taken back, and it and all that follow are serial.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/parallel.hpp"
#include "learn/epochs/epoch_order.hpp"
#include "learn/risk/risk_problem.hpp"
#include "matrix/column_parts.hpp"

namespace geodescent {

class DualAscent {
 public:
  /// Starts from the dual values phi' of this image at intercept b, or from 0 if it is empty.
  DualAscent(const RiskProblem& risk, std::span<const double> image, double b);

  /// Every row once. Returns D of the penalized problem (kappa).
  double epoch();
  /// Epochs run on several threads, if there are several. Does not depend on their number.
  bool is_parallel() const { return parts_ != nullptr; }
  /// The same before the first epoch.
  static bool begins_parallel(const RiskOperator& data);

  /// u_i = phi'(z_i).
  std::span<const double> image() const { return z_; }

  /// Adds b s_i to the images, which makes the dual values feasible. `linear` is the linear term of
  /// their ball.
  void move(double b, std::span<const double> linear);

 private:
  /// The change of w by a step, as a multiple of the row, and that of the intercept.
  struct Step {
    double of_row;
    double of_intercept;
  };
  /// Improves the dual value of row i, from its product with w.
  Step ascend(std::size_t i, double product);
  void add_to_intercept(double change);
  void serial_epoch();
  /// False, and nothing changed, where it would lower D.
  bool parallel_epoch();
  void work_in(parallel::Team& team);
  /// D without the terms of the intercept.
  double value_of_rows() const;
  /// The terms of the intercept in D.
  double value_of_intercept() const;

  const RiskProblem& risk_;
  double lambda_, kappa_;
  Vector z_, u_, w_;
  Vector squared_norms_;
  double b_ = 0;
  double imbalance_ = 0;  // sum_i c_i u_i s_i / W; 0 for feasible dual values
  EpochOrder order_;

  // Of parallel epochs.
  std::unique_ptr<const ColumnParts> parts_;  // null: epochs are serial
  Vector products_;                           // of the rows of a block, part by part
  std::vector<Step> steps_;                   // of the rows of a block
  Vector multiples_;
  std::optional<double> value_of_rows_;  // after the last epoch
  Vector z_before_, w_before_;
  std::size_t most_members_ = 1;  // of a team; 1 also on a busy machine
};

}  // namespace geodescent
