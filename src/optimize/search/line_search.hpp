// Searching a line: for its minimum, as the paper does, or for a point that satisfies the strong Wolfe conditions.
#pragma once

#include "geodescent/optimize/oracle.hpp"

namespace geodescent {

/// Where a search ended.
struct LineStep {
  double t = 0;
  LineValue at;
  bool found = false;  ///< false: no step satisfies the search (rounding, or a wall of non-finite values)
  bool finite = true;  ///< false: non-finite values kept the search from finding one
};

/// line_search(x, x + d) of the paper: the minimum over all real t, up to |slope(t)| <= tolerance |slope(0)|.
/// `start` is f at t = 0 (its curvature may be 0, unknown); `guess` a first step (0: none).
LineStep line_minimum(Oracle& f, Line& line, const LineValue& start, double guess, double tolerance);

/// Strong Wolfe conditions:
///     f(t) <= f(0) + c1 t f'(0)   and   |f'(t)| <= c2 |f'(0)|.
/// The direction must descend. Where rounding hides the decrease of f, the first condition is judged by slopes:
/// f'(t) <= (2 c1 - 1) f'(0), the approximate condition of Hager and Zhang.
struct WolfeConditions {
  double c1 = 1e-4;
  double c2 = 0.9;
};
LineStep wolfe_step(Oracle& f, Line& line, const LineValue& start, double first, const WolfeConditions& c);

}  // namespace geodescent
