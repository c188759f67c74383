// Which methods an experiment compares, and with which settings: "geod", "lbfgs:memory=10:line-search=exact".
#pragma once

#include <string>
#include <vector>

#include "geodescent/optimize/method.hpp"

namespace geodescent::lab {

struct MethodChoice {
  std::string text;  ///< as it was asked for: its name in tables and legends
  std::string name;
  MethodSettings settings;
  /// It heeds the smoothness and none was given: the best power of two is searched for each data set, as in the paper.
  bool tuned = false;
};

/// "name" or "name:key=value:key=value" with the keys memory, balls, pairs, directions, plan-for, line-search (wolfe or
/// exact), line-tolerance, smoothness. What is not said is as `train` has it.
/// Throws std::invalid_argument, with the choices, for what is unknown or has no effect.
MethodChoice parse_method(const std::string& text);
/// The same for a list. Refuses repetitions.
std::vector<MethodChoice> parse_methods(const std::vector<std::string>& texts);

}  // namespace geodescent::lab
