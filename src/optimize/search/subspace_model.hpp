// The capability that a search over many directions needs: f on a subspace, to second order, from images alone.
#pragma once

#include "geodescent/optimize/oracle.hpp"
#include "optimize/search/reduced.hpp"

namespace geodescent {

class SubspaceModel {
 public:
  virtual ~SubspaceModel() = default;

  /// f on x + span(basis) at the lifted point x: no pass. `out` keeps what it needs for the next point.
  virtual void reduce(const Basis& basis, const Point& x, Reduced& out) = 0;
  /// `on` and `reduce` read images and products of vectors only: a search may update x once, after its last step.
  virtual bool needs_images_only() const { return false; }
  /// `line` goes along V z from the point of the last `reduce`: lets the oracle predict an intercept along it.
  virtual void follow(const Line& /*line*/, const Reduced& /*at*/, std::span<const double> /*z*/) {}
};

}  // namespace geodescent
