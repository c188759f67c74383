// The directions that a run remembers, and the search for the minimum over all of them at once.
#pragma once

#include <vector>

#include "core/subspace_search.hpp"

namespace geodescent {

class RememberedSpan {
 public:
  RememberedSpan() = default;
  /// Room for `directions` besides the point itself and one direction that is not remembered. All memory is allocated
  /// here.
  RememberedSpan(const Objective& f, std::size_t directions);

  /// Forgets everything and begins at the lifted point x.
  void start(const Point& x);
  /// Adds a lifted direction. When the memory is full, x, `toward` and the last steps are kept; see docs/method.md for
  /// what else was tried.
  void remember(const Point& direction, const Point& x, const Point* toward);

  /// Moves x towards the minimum of f over all directions remembered and `toward`, which is not remembered, until the
  /// gradient there is at most `goal`. `value` is f(x) and never rises. No pass. False when f was not finite.
  bool search(const Objective& f, Point& x, double& value, const Point* toward, double goal);

 private:
  void make_room(const Point& x, const Point* toward);

  Basis basis_;
  SubspaceSearch subspace_;
  std::vector<Vector> steps_, kept_;  // in coordinates of the basis; the oldest step first
  std::size_t step_count_ = 0;
  bool aims_ = false;  // the last column is the direction that is not remembered
};

}  // namespace geodescent
