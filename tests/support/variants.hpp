// The methods as tests run them: geod with many balls, too, and geod-memory in all of its ways, whichever the size of a
// problem would have it choose.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "geodescent/optimize/minimize.hpp"

namespace geodescent::testing {

inline constexpr std::string_view with_ten_balls = "geod with ten balls";
inline constexpr std::string_view with_gradients = "geod-memory with gradients";
inline constexpr std::string_view with_quasi_newton = "geod-memory with quasi-Newton";
inline constexpr std::string_view with_newton = "geod-memory with Newton";

/// The name of the method, and in `settings` what makes it this variant.
inline std::string_view method_of(std::string_view variant, MethodSettings& settings) {
  if (variant == with_ten_balls) settings.balls = 10;
  if (variant == with_gradients) settings.directions = Directions::gradients;
  if (variant == with_quasi_newton) settings.directions = Directions::quasi_newton;
  if (variant == with_newton) {
    settings.directions = Directions::newton;
    settings.memory_limit = 2e7;  // gradients after all where a Hessian would take long
  }
  return variant.substr(0, variant.find(' '));
}

inline std::vector<std::string_view> method_variants() {
  std::vector<std::string_view> names;
  for (const MethodInfo& m : methods()) {
    if (m.name == "geod-memory")
      names.insert(names.end(), {with_gradients, with_quasi_newton, with_newton});
    else
      names.push_back(m.name);
    if (m.name == "geod") names.push_back(with_ten_balls);
  }
  return names;
}

inline std::unique_ptr<Method> make_variant(std::string_view variant, MethodSettings settings = {}) {
  const std::string_view method = method_of(variant, settings);
  return make_method(method, settings);
}

inline Result minimize_with(std::string_view variant, const Objective& f, std::span<const double> x0,
                            Options options = {}, const Observer& observer = {}) {
  const std::string_view method = method_of(variant, options.method);
  return minimize(f, method, x0, options, observer);
}

}  // namespace geodescent::testing
