// Which methods an experiment compares, and with which settings: "geod", "lbfgs:memory=10:line-search=exact".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geodescent/optimize/method_choice.hpp"

namespace geodescent::lab {

struct Contender {
  std::string text;  ///< as it was asked for: its name in tables and legends
  MethodChoice method;
  /// It heeds the smoothness and none was given: the best power of two is searched for each data set, as in the paper.
  bool tuned = false;
};

/// As the library reads a method. What is not said is as `train` has it.
Contender parse_method(const std::string& text);
/// The same for a list. Refuses repetitions.
std::vector<Contender> parse_methods(const std::vector<std::string>& texts);

/// Empty where it is not given, and for a method that does not heed it.
std::optional<double> smoothness_of(const MethodChoice& method);
MethodChoice with_smoothness(MethodChoice method, double smoothness);
/// geod-memory plans for this gap, unless it was told for which.
MethodChoice planned_for(MethodChoice method, double gap);

}  // namespace geodescent::lab
