// A gap as a part of what can be gained.
#pragma once

namespace geodescent {

double relative_gap(double gap, double reference_value, double lower_bound);

}  // namespace geodescent
