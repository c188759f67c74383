// The directions that a run remembers, and the search for the minimum over all of them at once.
#pragma once

#include <span>
#include <vector>

#include "optimize/search/subspace_search.hpp"

namespace geodescent {

class RememberedSpan {
 public:
  RememberedSpan() = default;
  /// Room for `directions` besides the point itself and two directions that are not remembered. All memory is allocated
  /// here.
  RememberedSpan(Oracle& f, std::size_t directions);

  /// Forgets everything and begins at the lifted point x.
  void start(const Point& x);
  /// Adds a lifted direction. When the memory is full, x, the points `toward` and the last steps are kept; see
  /// docs/explanations/geod-memory.md for what else was tried.
  void remember(const Point& direction, const Point& x, std::span<const Point* const> toward);

  /// Moves x towards the minimum of f over all directions remembered and `toward`, which are not remembered, until the
  /// gradient there is at most `goal`, or `most_steps` of Newton's method were made. `value` is f(x) and never rises,
  /// up to rounding. No pass. False when f was not finite.
  bool search(Oracle& f, Point& x, double& value, std::span<const Point* const> toward, double goal, int most_steps);

  /// Whether a direction remembered once has been dropped.
  bool has_forgotten() const { return forgotten_; }

 private:
  void make_room(const Point& x, std::span<const Point* const> toward);

  Basis basis_;
  SubspaceSearch subspace_;
  std::vector<Vector> steps_, kept_;  // in coordinates of the basis; the oldest step first
  std::size_t step_count_ = 0;
  bool forgotten_ = false;
  std::size_t aims_ = 0;  // so many columns at the end are not remembered
};

}  // namespace geodescent
