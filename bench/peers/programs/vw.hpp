// The models of vw.
#pragma once

#include <cstddef>
#include <string>

#include "geodescent/vector.hpp"

namespace geodescent::lab {

/// The coefficients in the output of vw --readable_model. `name` is the file name in errors. Throws
/// InputError.
Vector parse_vw_weights(const std::string& text, const std::string& name, std::size_t features);
Vector vw_weights(const std::string& path, std::size_t features);

}  // namespace geodescent::lab
