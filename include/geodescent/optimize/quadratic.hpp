// Quadratic functions, and the worst case for gradient methods (section 4.2 of the paper).
#pragma once

#include <memory>
#include <optional>

#include "geodescent/data/row_matrix.hpp"
#include "geodescent/optimize/objective.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

/// f(x) = 1/2 x'Q x - b.x + offset, Q symmetric, dense or sparse. The image is Q x. The gradient is
/// computed from x and not from the image, which drifts by rounding: for a quadratic, unlike a
/// risk, a drifted gradient would make the lower bound wrong. So an iteration costs two products
/// with Q, one each way.
class Quadratic final : public Objective {
 public:
  /// alpha: a lower bound on the smallest eigenvalue of Q; beta: an upper bound on the largest, if
  /// known.
  Quadratic(std::shared_ptr<const RowMatrix> q, Vector b, double alpha, std::optional<double> beta = {},
            double offset = 0);

  std::size_t dimension() const override { return b_.size(); }
  double strong_convexity() const override { return alpha_; }
  std::optional<double> smoothness() const override { return beta_; }
  double evaluate(std::span<const double> x, std::span<double> gradient) const override;
  std::unique_ptr<Oracle> oracle() const override;

 private:
  friend class QuadraticOracle;
  void multiply(std::span<const double> x, std::span<double> out) const;

  std::shared_ptr<const RowMatrix> q_;
  Vector b_;
  double alpha_;
  std::optional<double> beta_;
  double offset_;
};

/// The paper's worst-case function:
///   beta/2 ((1 - x_1)^2 + sum (x_i - x_{i+1})^2 + x_n^2) + 1/2 |x|^2,
/// with alpha = 1 and smoothness() the largest eigenvalue, 1 + 2 beta (1 + cos(pi / (n + 1))).
Quadratic worst_case(std::size_t n, double beta);

}  // namespace geodescent
