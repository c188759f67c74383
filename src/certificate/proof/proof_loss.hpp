// The losses once more, written for proof: every number comes with a bound on its error. Shares nothing with the losses
// that training uses, so that a mistake in those cannot hide. Internal to the library.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "certificate/proof/bounded.hpp"
#include "certificate/proof/product_sum.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent::proof {

inline Real clamped(Real x, Real low, Real high) { return std::min(std::max(x, low), high); }

/// What v may be, both ends included.
struct DualRange {
  double least = 0;
  double largest = 0;
};

/// phi(z), for a regression phi(z) with the target y. All are convex, not negative, and have slopes whose Lipschitz
/// constant is at most 1.
class ProofLoss {
 public:
  /// Throws InputError, in the name of `place`, for a loss we do not know or a parameter it cannot have.
  ProofLoss(const Risk& risk, const std::string& place);
  static bool is_known(const std::string& loss);

  bool is_classification() const { return kind_ != Kind::squared && kind_ != Kind::huber; }
  bool is_logistic() const { return kind_ == Kind::logistic; }

  // For a whole data set, in double.
  /// phi at each of these margins z, or for a regression residuals z - y.
  void replace_by_values(std::span<Approximation> all) const;
  /// Adds c phi*(v / c), for a v of dual_range(c).
  void add_conjugate(double v, double c, double y, RowSum& sum) const;
  /// Where c phi*(v / c) is finite, to the last bit.
  DualRange dual_range(double c) const;

  // For single numbers, in Real.
  Bounded value(const Bounded& z, double y) const;
  Bounded slope(const Bounded& z, double y) const;
  /// Good approximations; the curvature from z and the slope there.
  Real slope(Real z, double y) const;
  Real curvature(Real z, double y, Real slope) const;

 private:
  enum class Kind { smoothed_hinge, logistic, squared_hinge, squared, huber };

  static bool find(const std::string& name, Kind& kind);
  Real plain_value(Real z, double y) const;
  double value_at(double at) const;
  double error_of_formula() const;  ///< of value_at, relative
  double steepness_at(double at, double value) const;

  Kind kind_ = Kind::logistic;
  double delta_ = 0;  ///< Huber's
};

}  // namespace geodescent::proof
