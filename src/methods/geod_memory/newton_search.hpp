// A search along Newton's direction, from the Hessian of the whole space.
//
// Where curvatures are smooth there is nothing left for a memory to add: the direction is that to the minimum of the
// second-order model over all directions there are. Where they jump, as those of a hinge do, the model is wrong about
// the rows that cross a kink, and a search over the span of the last directions takes a fifth fewer passes.
#pragma once

#include "methods/geod_memory/remembered_span.hpp"
#include "optimize/search/line_search.hpp"
#include "optimize/search/newton_direction.hpp"

namespace geodescent {

class NewtonSearch {
 public:
  NewtonSearch() = default;
  /// Remembers so many directions. All memory is allocated here.
  NewtonSearch(Oracle& f, std::size_t directions);

  /// Begins at the lifted point x.
  void start(const Point& x);
  /// Moves the lifted point x, whose gradient is g, near to the minimum along Newton's direction, or over all that are
  /// remembered: two passes. `value` is f(x) and never rises, up to rounding. False when f was not finite.
  bool descend(Oracle& f, Point& x, std::span<const double> g, double& value);

 private:
  bool search_line(Oracle& f, Point& x, double slope, double& value);
  bool search_span(Oracle& f, Point& x, double slope, double& value);

  bool remembers_ = false;
  NewtonDirection newton_;
  RememberedSpan span_;
  Point direction_, before_;
  Line line_;
};

}  // namespace geodescent
