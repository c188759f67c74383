// A loss of a proof, chosen by its name. Internal to the library.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "certificate/proof/proof_loss.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent::proof {

/// A ProofLoss of any type. z: the margin or, for a regression with the target y, the prediction; otherwise y = 0.
class AnyProofLoss {
 public:
  virtual ~AnyProofLoss() = default;

  virtual bool is_classification() const = 0;

  // For a whole data set, in double.
  /// phi at each of these margins z, or for a regression residuals z - y.
  virtual void replace_by_values(std::span<Approximation> all) const = 0;
  /// phi' there.
  virtual void replace_by_dual_values(std::span<Approximation> all) const = 0;
  /// Adds c phi*(v / c) for some rows, each v of dual_range(c). No weights: all c are 1.
  virtual void add_conjugates(std::span<const double> v, std::span<const double> c, std::span<const double> y,
                              RowSum& sum) const = 0;
  /// Where c phi*(v / c) is finite, to the last bit.
  virtual DualRange dual_range(double c) const = 0;

  // For single numbers, in Real.
  virtual Bounded value(const Bounded& z, double y) const = 0;
  virtual Bounded dual_value(const Bounded& z, double y) const = 0;
  /// Good approximations; the curvature from z and the dual value there.
  virtual Real dual_value(Real z, double y) const = 0;
  virtual Real curvature(Real z, double y, Real dual_value) const = 0;
  /// As ProofLoss has it; 0 for a regression.
  virtual Real reach(Real positive, Real negative) const = 0;

 protected:
  AnyProofLoss() = default;
  AnyProofLoss(const AnyProofLoss&) = default;
  AnyProofLoss& operator=(const AnyProofLoss&) = default;
};

/// Throws InputError, in the name of `place`, for an unknown loss or a parameter it cannot have.
std::unique_ptr<const AnyProofLoss> make_proof_loss(const Risk& risk, const std::string& place);
bool is_provable(std::string_view loss);
/// Losses without a parameter allow 0 only.
bool allows_parameter(std::string_view loss, double parameter);

}  // namespace geodescent::proof
