// Bounds in few digits that are still bounds. Internal to the library.
#pragma once

#include <string>

namespace geodescent {

/// As "{:.<digits>g}" writes a number, but the text is never below it: for what is an upper bound.
std::string text_above(double number, int digits);
/// The same, never above it: for a lower bound.
std::string text_below(double number, int digits);

}  // namespace geodescent
