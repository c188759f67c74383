// Text with one number a line. Internal to the library.
#pragma once

#include <string>

#include "geodescent/vector.hpp"

namespace geodescent {

/// Blank lines are skipped. Throws InputError ("file:line: reason; remedy").
Vector read_number_lines(const std::string& path);

}  // namespace geodescent
