// Line searches: for the minimum, as in the paper, or for the strong Wolfe conditions.
#pragma once

#include "geodescent/optimize/oracle.hpp"

namespace geodescent {

/// The end of a line search.
struct LineStep {
  double t = 0;
  LineValue at;
  bool found = false;  ///< false: no step satisfies the search, because of rounding or non-finite values
  bool finite = true;  ///< false: non-finite values prevented success
};

/// line_search(x, x + d) of the paper: the minimum over all real t, up to |slope(t)| <= tolerance
/// |slope(0)|. `start` is f at t = 0; a curvature of 0 means unknown. `guess` is a first step; 0
/// means none.
LineStep line_minimum(Oracle& f, Line& line, const LineValue& start, double guess, double tolerance);

/// Strong Wolfe conditions:
///     f(t) <= f(0) + c1 t f'(0)   and   |f'(t)| <= c2 |f'(0)|.
/// The direction must descend. Where rounding hides the decrease of f, the first condition is
/// judged by slopes: f'(t) <= (2 c1 - 1) f'(0), the approximate condition of Hager and Zhang.
struct WolfeConditions {
  double c1 = 1e-4;
  double c2 = 0.9;
};
LineStep wolfe_step(Oracle& f, Line& line, const LineValue& start, double first, const WolfeConditions& c);

}  // namespace geodescent
