// The remembered directions of a run, and the search for the minimum over their span.
#pragma once

#include <span>
#include <vector>

#include "optimize/search/subspace_search.hpp"

namespace geodescent {

class RememberedSpan {
 public:
  RememberedSpan() = default;
  /// Room for `directions` directions, the point itself, and two directions that are not
  /// remembered. All memory is allocated here.
  RememberedSpan(Oracle& f, std::size_t directions);

  /// Forgets all directions and begins at the lifted point x.
  void start(const Point& x);
  /// Adds a lifted direction. If the memory is full, x, the points `toward` and the last steps are
  /// kept (docs/explanations/geod-memory.md has the alternatives).
  void remember(const Point& direction, const Point& x, std::span<const Point* const> toward);

  /// Moves x towards the minimum of f over the remembered directions and `toward`, which is not
  /// remembered: no pass. Stops when the gradient in the span is at most `goal` or after
  /// `most_steps` Newton steps. `value` is f(x) and never rises, up to rounding. Returns false if f
  /// was not finite.
  bool search(Oracle& f, Point& x, double& value, std::span<const Point* const> toward, double goal, int most_steps);

  /// Whether a remembered direction has been dropped.
  bool has_forgotten() const { return forgotten_; }

 private:
  void make_room(const Point& x, std::span<const Point* const> toward);

  Basis basis_;
  SubspaceSearch subspace_;
  std::vector<Vector> steps_, kept_;  // coordinates in the basis; the oldest step first
  std::size_t step_count_ = 0;
  bool forgotten_ = false;
  std::size_t aims_ = 0;  // number of columns at the end that are not remembered
};

}  // namespace geodescent
