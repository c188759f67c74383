// The table of losses. A new one is a file in losses/, an include and a word in the list.
#pragma once

#include <tuple>

#include "geodescent/losses/huber.hpp"
#include "geodescent/losses/logistic.hpp"
#include "geodescent/losses/smoothed_hinge.hpp"
#include "geodescent/losses/squared.hpp"
#include "geodescent/losses/squared_hinge.hpp"

namespace geodescent {

using Losses = std::tuple<SmoothedHinge, Logistic, SquaredHinge, Squared, Huber>;

}  // namespace geodescent
