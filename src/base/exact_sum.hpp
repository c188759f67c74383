// Internal to the library.
#pragma once

#include <span>

namespace geodescent {

/// The sum of all, rounded once, to nearest: the same on every machine and in every order. Infinite or no number where
/// it, or a sum on the way, overflows or a number is not finite.
double exact_sum(std::span<const double> numbers);

}  // namespace geodescent
