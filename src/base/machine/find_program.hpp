#pragma once

#include <string>

namespace geodescent {

/// The full path of an installed program; empty if it is not found. A name with a slash is a path:
/// it is not searched for.
std::string find_program(const std::string& name);

}  // namespace geodescent
