// The constant column that a regularised intercept is the coefficient of. Internal to the library.
#pragma once

#include <stdexcept>

#include <fmt/format.h>

#include "geodescent/data/dataset.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent {

inline bool lacks_constant(const Dataset& data, const Risk& risk) {
  return risk.bias == Bias::regularized && data.constant == 0;
}

/// Throws InputError where with_constant() does not accept the constant of the model.
inline Dataset with_constant_of(const Risk& risk, const Dataset& data) {
  try {
    return with_constant(data, risk.constant);
  } catch (const std::invalid_argument& error) {
    throw InputError(fmt::format("{}: {}; use an intercept that is free, or none", data.name, error.what()));
  }
}

}  // namespace geodescent
