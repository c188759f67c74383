// Internal to the library.
#pragma once

#include <span>
#include <vector>

namespace geodescent {

/// The sum of all numbers, rounded to nearest once. It has the same bits on every machine and in
/// every order. Infinite or NaN if a number is not finite or a partial sum overflows.
double exact_sum(std::span<const double> numbers);
/// A few numbers with the same sum, exactly.
std::vector<double> exact_parts(std::span<const double> numbers);

}  // namespace geodescent
