// Weights from elsewhere, as plain text.
#pragma once

#include <string>

#include "geodescent/vector.hpp"

namespace geodescent {

/// Whether the file starts like a list of numbers; otherwise it may be a model. Throws InputError
/// when it cannot be read.
bool is_list_of_numbers(const std::string& path);

/// One number a line; blank lines are skipped. Throws InputError ("file:line: reason; remedy").
Vector read_weights(const std::string& path);

}  // namespace geodescent
