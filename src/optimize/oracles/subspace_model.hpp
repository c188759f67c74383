// The capability of a search in a subspace: f on a subspace, to second order, from images alone.
#pragma once

#include "geodescent/optimize/oracle.hpp"
#include "optimize/search/reduced.hpp"

namespace geodescent {

class SubspaceModel {
 public:
  virtual ~SubspaceModel() = default;

  /// f on x + span(basis) at the lifted point x: no pass. `out` keeps what the next point can
  /// reuse.
  virtual void reduce(const Basis& basis, const Point& x, Reduced& out) = 0;
  /// True if `on` and `reduce` read only images and products of vectors. A search may then update x
  /// once, after its last step.
  virtual bool needs_images_only() const { return false; }
  /// Announces that `line` goes along V z from the point of the last `reduce`, so that the oracle
  /// can predict the intercept along it.
  virtual void follow(const Line& /*line*/, const Reduced& /*at*/, std::span<const double> /*z*/) {}
};

}  // namespace geodescent
