// Where a run of geod-memory stands: what every search reads and moves.
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

  /// All memory, f and its gradient at x0, and the first ball. Iterations and bound go on where they are. Images of the
  /// gradient and the balls take room only where a search needs them.
  void begin(Oracle& objective, std::span<const double> x0, const Memory& plan, bool lifts_gradients);

  /// For another search from here on: f and its gradient at x, for one backward pass, and the ball there within the
  /// enclosing one, which is handed over.
  void change(const Memory& plan, bool lifts_gradients);

  /// f and its gradient at x. By rows the gradient comes with its image.
  void evaluate();
  /// The ball at x, and the smallest one around its intersection with those kept. f_x is f there.
  void enclose();
  /// The same for any ball: a lower model, given as an evaluation, with its gradient at a point.
  void enclose(const Point& at, const Point& gradient, const Evaluation& e);

  /// Proven, or estimated where the strong convexity is unknown.
  double gap() const { return f_x - bound; }
  /// The gap that the run is made for.
  double wanted_gap() const;

  Oracle* f = nullptr;
  InnerProduct product;
  Point x, g;       // the gradient at x
  Evaluation at_x;  // f with its ball at x
  double f_x = 0;   // f at x; a search that moves x before it evaluates there sets it
  double bound = -std::numeric_limits<double>::infinity();
  Bundle balls;  // the enclosing ball and the last ones
  std::size_t iterations = 0;

 private:
  void make_room(const Memory& plan, bool lifts_gradients);
  void estimate_bound();

  std::array<double, 11> last_values_{};
  double relative_gap_ = 0;
  double first_value_ = std::numeric_limits<double>::infinity();
};

}  // namespace geodescent
