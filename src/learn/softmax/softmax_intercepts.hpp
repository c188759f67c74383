// The best intercepts of a softmax risk for given images: a convex function of K variables, which
// does not change along (1, ..., 1).
#pragma once

#include "geodescent/optimize/oracle.hpp"
#include "learn/softmax/softmax_chunk.hpp"
#include "optimize/search/cholesky.hpp"

namespace geodescent {

/// The largest |x_k|.
double largest_size(std::span<const double> x);

/// Sums over the rows at one b, weighted: f and its derivatives along a line, and those in b.
class SoftmaxSums {
 public:
  /// All memory is allocated here.
  explicit SoftmaxSums(const SoftmaxProblem& risk);

  void evaluate(const SoftmaxImages& at);

  double value() const { return sums_[0]; }
  double slope() const { return sums_[1]; }
  double curvature() const { return sums_[2]; }
  double magnitude() const { return sums_[3]; }  ///< of what was added up for the derivatives in b
  std::span<const double> gradient() const { return part(4, classes_); }
  std::span<const double> border() const { return part(4 + classes_, classes_); }  ///< d2f/db dt
  std::span<const double> hessian() const { return part(4 + 2 * classes_, classes_ * classes_); }
  double residual() const;  ///< sum of |gradient|

 private:
  std::span<const double> part(std::size_t first, std::size_t size) const { return {sums_.data() + first, size}; }

  const SoftmaxProblem& risk_;
  std::size_t classes_;
  Vector sums_, scratch_;
  parallel::Blocks blocks_;  // whose sums this process makes
  std::size_t panel_size_;
  Vector panels_;  // scratch memory of each block
};

/// The last optimal intercepts, and their derivative along the current line (InterceptTrack).
class SoftmaxIntercepts {
 public:
  /// The first search starts at `expected`.
  SoftmaxIntercepts(const SoftmaxProblem& risk, std::span<const double> expected);

  const Vector& last() const { return b_; }
  void found() { line_ = nullptr; }
  /// Moves to b; empty: to 0.
  void restart(std::span<const double> b);
  /// Moves to the prediction for step t of the line.
  void predict(const Line& line, double t);
  /// Records that they are optimal at b for step t of the line and change along it by `slope`.
  void follow(const Line& line, double t, std::span<const double> slope);

  /// The optimal intercepts for these images, from the last ones on, or from those of the last
  /// search that reached its end: a prediction may lie where f has no curvature. Ends where the
  /// derivatives are `tolerance` times the size of what was added up for them, or as small as
  /// rounding allows. The sums are those at the result.
  const SoftmaxSums& search(SoftmaxImages at, double tolerance);
  /// x = (d2f/db2 + ridge)^-1 x with the sums of the last search; false, and x undefined, where f
  /// is flat in b.
  bool solve(std::span<double> x, double ridge = 0);
  /// One Newton step from the last ones on.
  void move(std::span<const double> step);

 private:
  /// As `search`, from the last ones on; false if it ended elsewhere.
  bool descend(SoftmaxImages at, double tolerance);
  bool factorize(double ridge);

  SoftmaxSums sums_;
  Cholesky cholesky_;
  Vector factor_, b_, before_, step_, slope_, reached_;
  const Line* line_ = nullptr;  // only compared
  std::uint64_t setting_ = 0;
  double t_ = 0;
};

}  // namespace geodescent
