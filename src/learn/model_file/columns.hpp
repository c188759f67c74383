// One class against the rest: a column of a model of several classes. Internal to the library.
#pragma once

#include <cstddef>

#include "geodescent/learn/model.hpp"

namespace geodescent {

/// The model of class k against the rest: its rows have the label 1, all others -1. It claims no
/// value.
LinearModel column_of(const LinearModel& model, std::size_t k);

}  // namespace geodescent
