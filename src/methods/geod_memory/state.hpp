// The state of a run of geod-memory, which all searches share.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "geodescent/optimize/oracle.hpp"
#include "optimize/models/bundle.hpp"

namespace geodescent {

struct Memory;

class State {
 public:
  State() = default;
  /// For a run to this relative gap.
  explicit State(double relative_gap) : relative_gap_(relative_gap) {}

  /// Allocates all memory, evaluates f and its gradient at x0, and makes the first ball. Iterations
  /// and bound continue. Images of the gradient and of the balls are allocated only if a search
  /// needs them.
  void begin(Oracle& objective, std::span<const double> x0, const Memory& plan, bool lifts_gradients);

  /// Prepares for another search at the same x: one backward pass for the gradient. The enclosing
  /// ball is handed over and intersected with the ball at x.
  void change(const Memory& plan, bool lifts_gradients);

  /// Evaluates f and its gradient at x. In row form the gradient comes with its image.
  void evaluate();
  /// Adds the ball at x and updates the enclosing ball. Sets f_x to f there.
  void enclose();
  /// The same for any ball: a lower model in the form of an evaluation, with its gradient at a
  /// point.
  void enclose(const Point& at, const Point& gradient, const Evaluation& e);

  /// Proven, or estimated if the strong convexity is unknown.
  double gap() const { return f_x - bound; }
  /// The absolute gap at which the run ends.
  double wanted_gap() const;

  Oracle* f = nullptr;
  InnerProduct product;
  Point x, g;       // the gradient at x
  Evaluation at_x;  // f with its ball at x
  double f_x = 0;   // f at x; set by a search that moves x before it evaluates there
  double bound = -std::numeric_limits<double>::infinity();
  Bundle balls;  // the enclosing ball and the last balls
  std::size_t iterations = 0;

 private:
  void make_room(const Memory& plan, bool lifts_gradients);
  void estimate_bound();

  std::array<double, 11> last_values_{};
  double relative_gap_ = 0;
  double first_value_ = std::numeric_limits<double>::infinity();
};

}  // namespace geodescent
