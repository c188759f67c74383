// The loss of a proof, selected by name at run time. Internal to the library.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "certificate/proof/proof_loss.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent::proof {

/// A ProofLoss of any type. z is the margin, or for a regression with target y the prediction; y is
/// 0 for classification.
class AnyProofLoss {
 public:
  virtual ~AnyProofLoss() = default;

  virtual bool is_classification() const = 0;

  // For a whole data set, in double.
  /// phi at each of these margins z, or residuals z - y for a regression.
  virtual void replace_by_values(std::span<Approximation> all) const = 0;
  /// phi' at the same arguments.
  virtual void replace_by_dual_values(std::span<Approximation> all) const = 0;
  /// Adds c phi*(v / c) for some rows, each v within dual_range(c). If c is empty all weights are
  /// 1.
  virtual void add_conjugates(std::span<const double> v, std::span<const double> c, std::span<const double> y,
                              RowSum& sum) const = 0;
  /// The interval of v where c phi*(v / c) is finite, exact to the last bit.
  virtual DualRange dual_range(double c) const = 0;

  // For single numbers, in Real.
  virtual Bounded value(const Bounded& z, double y) const = 0;
  virtual Bounded dual_value(const Bounded& z, double y) const = 0;
  /// Approximations without error bounds. The curvature is computed from z and the dual value
  /// there.
  virtual Real dual_value(Real z, double y) const = 0;
  virtual Real curvature(Real z, double y, Real dual_value) const = 0;
  /// See ProofLoss; 0 for a regression.
  virtual Real reach(Real positive, Real negative) const = 0;

 protected:
  AnyProofLoss() = default;
  AnyProofLoss(const AnyProofLoss&) = default;
  AnyProofLoss& operator=(const AnyProofLoss&) = default;
};

/// Throws InputError, with `place` in the message, for an unknown loss or an invalid parameter.
std::unique_ptr<const AnyProofLoss> make_proof_loss(const Risk& risk, const std::string& place);

}  // namespace geodescent::proof
