// The methods as tests run them. Includes geod with many balls, and geod-memory with each of its
// searches, whichever it would choose for the size of a problem.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "geodescent/optimize/minimize.hpp"

namespace geodescent::testing {

inline constexpr std::string_view with_ten_balls = "geod with ten balls";
inline constexpr std::string_view with_gradients = "geod-memory with gradients";
inline constexpr std::string_view with_quasi_newton = "geod-memory with quasi-newton";
inline constexpr std::string_view with_newton = "geod-memory with newton";
inline constexpr std::string_view with_dual = "geod-memory with dual";

inline MethodChoice method_of(std::string_view variant) {
  constexpr std::string_view memory_with = "geod-memory with ";
  if (variant == with_ten_balls) return Geod{.balls = 10};
  if (!variant.starts_with(memory_with)) return variant;
  GeodMemory memory{.directions = std::string(variant.substr(memory_with.size()))};
  if (variant == with_newton) memory.memory_limit = 2e7;  // use gradients where a Hessian would take long
  return memory;
}

inline std::vector<std::string_view> method_variants() {
  static const std::vector<std::string> of_memory = [] {
    std::vector<std::string> names;
    for (const std::string_view search : direction_names())
      if (search != automatic_directions && search != few_passes_directions)
        names.push_back("geod-memory with " + std::string(search));
    return names;
  }();
  std::vector<std::string_view> names;
  for (const MethodInfo& m : methods()) {
    if (m.name == "geod-memory")
      names.insert(names.end(), of_memory.begin(), of_memory.end());
    else
      names.push_back(m.name);
    if (m.name == "geod") names.push_back(with_ten_balls);
  }
  return names;
}

/// The method with this setting, if it has the setting.
inline MethodChoice with_setting(MethodChoice method, std::string_view setting, std::string_view value) {
  EXPECT_FALSE(methods_with(setting).empty()) << "no method has the setting " << setting;
  if (method.has(setting)) method.set(setting, value);
  return method;
}

inline std::unique_ptr<Method> make_variant(std::string_view variant, const Purpose& purpose = {}) {
  return method_of(variant).make(purpose);
}

inline Result minimize_with(std::string_view variant, const Objective& f, std::span<const double> x0,
                            const Options& options = {}, const Observer& observer = {}) {
  return minimize(f, method_of(variant), x0, options, observer);
}

}  // namespace geodescent::testing
