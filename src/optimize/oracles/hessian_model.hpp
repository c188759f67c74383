// The capability of Newton's method: the Hessian of the whole space.
#pragma once

#include "geodescent/optimize/oracle.hpp"
#include "optimize/search/hessian.hpp"

namespace geodescent {

class HessianModel {
 public:
  virtual ~HessianModel() = default;

  /// Allocates all memory that `hessian_at` needs.
  virtual Hessian hessian_memory() const = 0;
  /// The Hessian at a lifted point: one pass. Curvatures are averaged over image entries up to
  /// `width` away (0: at the point).
  virtual void hessian_at(const Point& p, double width, Hessian& out) = 0;
  /// Announces that `line` goes along d from the point of the last Hessian, so that the oracle can
  /// predict the intercept along it.
  virtual void follow(const Line& /*line*/, const Hessian& /*at*/, std::span<const double> /*d*/) {}
  /// The root mean square change of the image entries from the point of the last Hessian to step t
  /// of the line, which was evaluated last. This is the unit of `width`. 0 if averaging does not
  /// help.
  virtual double image_change(const Line& /*line*/, double /*t*/) { return 0; }
};

}  // namespace geodescent
