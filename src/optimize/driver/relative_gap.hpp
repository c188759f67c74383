// The gap relative to the possible improvement.
#pragma once

namespace geodescent {

double relative_gap(double gap, double reference_value, double lower_bound);

}  // namespace geodescent
