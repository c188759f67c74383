// Decimal text of bounds, rounded outward so that it is still a bound. Internal to the library.
#pragma once

#include <string>

namespace geodescent {

/// Formats like "{:.<digits>g}", rounded up: for upper bounds.
std::string text_above(double number, int digits);
/// The same, rounded down: for lower bounds.
std::string text_below(double number, int digits);

/// "0.0123, 0.04 of the possible improvement": upper bounds on a gap and a relative gap. An
/// infinite relative gap proves no improvement.
std::string gap_text(double gap, double relative_gap);

}  // namespace geodescent
