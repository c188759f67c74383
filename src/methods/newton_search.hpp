// A search along Newton's direction. With the Hessian of the whole space there is nothing left for a memory to add: the
// direction is that to the minimum of the second-order model over all directions there are.
#pragma once

#include "core/newton_direction.hpp"
#include "geodescent/line_search.hpp"

namespace geodescent {

class NewtonSearch {
 public:
  NewtonSearch() = default;
  /// All memory is allocated here.
  explicit NewtonSearch(const Objective& f);

  /// Moves the lifted point x, whose gradient is g, near to the minimum along Newton's direction: two passes. `value`
  /// is f(x) and never rises, up to rounding. False when f was not finite.
  bool descend(const Objective& f, Point& x, std::span<const double> g, double& value);

 private:
  NewtonDirection newton_;
  Point direction_;
  Line line_;
};

}  // namespace geodescent
