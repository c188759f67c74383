#pragma once

#include <string>

namespace geodescent {

/// The full path of a program that is installed, empty when it is not. A name with a slash is taken as it is.
std::string find_program(const std::string& name);

}  // namespace geodescent
