// The capability that Newton's method needs: the Hessian of the whole space.
#pragma once

#include "geodescent/optimize/oracle.hpp"
#include "optimize/search/hessian.hpp"

namespace geodescent {

class HessianModel {
 public:
  virtual ~HessianModel() = default;

  /// All memory that `hessian_at` needs.
  virtual Hessian hessian_memory() const = 0;
  /// The Hessian at a lifted point, with curvatures averaged over image entries up to `width` away (0: at the point):
  /// one pass.
  virtual void hessian_at(const Point& p, double width, Hessian& out) = 0;
  /// `line` goes along d from the point of the last Hessian: lets the oracle predict an intercept along it.
  virtual void follow(const Line& /*line*/, const Hessian& /*at*/, std::span<const double> /*d*/) {}
  /// The root mean square change of the image entries from the point of the last Hessian to step t of the line, the
  /// last one evaluated: the unit of `width`. 0 where the curvature is as good as an average.
  virtual double image_change(const Line& /*line*/, double /*t*/) { return 0; }
};

}  // namespace geodescent
