// Numbers of which many are 0, packed for a message.
#pragma once

#include <span>
#include <vector>

namespace geodescent {

/// A bit for each number, in words of 32 bits that are stored as numbers, then the numbers that are
/// not +0. Empty where that is not shorter than the numbers themselves.
std::vector<double> packed(std::span<const double> numbers);

/// All numbers, with their bits.
void unpack(std::span<const double> packed, std::span<double> numbers);

}  // namespace geodescent
