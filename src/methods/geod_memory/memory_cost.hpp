// What a run of geod-memory takes with a given memory, by a model that knows sizes and no data.
#pragma once

#include "geodescent/optimize/method.hpp"

namespace geodescent {

// Nanoseconds on one core. Only their ratios matter.

/// Of one product with the data.
double pass_time(const Facts& f);
/// Of reading so many numbers from memory, as those of many vectors are.
double vectors_time(double numbers);
/// Of the searches over m directions in one iteration.
double span_time(const Facts& f, double m);
/// Of what one iteration does with m balls, or with m pairs.
double balls_time(const Facts& f, const Memory& memory, double m);
double pairs_time(const Facts& f, const Memory& memory, double m);

/// Of what L-BFGS would do with m pairs in one iteration: it never works by rows.
double lbfgs_pairs_time(const Facts& f, double m);

/// Of a whole run to a relative gap.
double run_time(const Facts& f, const Memory& memory, double gap_tolerance);

}  // namespace geodescent
