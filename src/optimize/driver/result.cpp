// The result of a run as text, and its relative gap.
#include <cmath>
#include <limits>

#include "geodescent/optimize/minimize.hpp"
#include "optimize/driver/relative_gap.hpp"

namespace geodescent {

double relative_gap(double gap, double reference_value, double lower_bound) {
  const double possible = reference_value - lower_bound;
  if (possible > 0 && std::isfinite(possible)) return gap / possible;
  return gap > 0 ? std::numeric_limits<double>::infinity() : 0;
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::time_limit:
      return "time_limit";
    case Status::stopped_by_observer:
      return "stopped_by_observer";
    case Status::precision_limit:
      return "precision_limit";
    case Status::not_finite:
      return "not_finite";
    case Status::not_strongly_convex:
      return "not_strongly_convex";
  }
  return "unknown";
}

double Result::relative_gap() const { return geodescent::relative_gap(gap(), reference_value, lower_bound); }

double Progress::relative_gap() const { return geodescent::relative_gap(gap(), reference_value, lower_bound); }

}  // namespace geodescent
