// Methods of an experiment with their settings, as text: "geod",
// "lbfgs:memory=10:line-search=exact".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geodescent/optimize/method_choice.hpp"

namespace geodescent::lab {

struct Contender {
  std::string text;  ///< as given by the user; the name in tables and legends
  MethodChoice method;
  /// The method uses the smoothness and none was given. The best power of two is then searched for
  /// each data set, as in the paper.
  bool tuned = false;
};

/// Parses a method. Settings that are not given have the defaults of `train`.
Contender parse_method(const std::string& text);
/// Parses a list of methods. Throws if one occurs twice.
std::vector<Contender> parse_methods(const std::vector<std::string>& texts);

/// Empty if it was not given, or if the method does not use it.
std::optional<double> smoothness_of(const MethodChoice& method);
MethodChoice with_smoothness(MethodChoice method, double smoothness);
/// Sets the gap that geod-memory plans for, unless it was given.
MethodChoice planned_for(MethodChoice method, double gap);

}  // namespace geodescent::lab
