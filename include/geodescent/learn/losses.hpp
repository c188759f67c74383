// The table of losses. A new one is a file in losses/, an include and a word in the list.
#pragma once

#include <tuple>

#include "geodescent/learn/losses/huber.hpp"
#include "geodescent/learn/losses/logistic.hpp"
#include "geodescent/learn/losses/smoothed_hinge.hpp"
#include "geodescent/learn/losses/squared.hpp"
#include "geodescent/learn/losses/squared_hinge.hpp"

namespace geodescent {

using Losses = std::tuple<SmoothedHinge, Logistic, SquaredHinge, Squared, Huber>;

}  // namespace geodescent
