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

inline MethodChoice method_of(std::string_view variant) {
  if (variant == with_ten_balls) return Geod{.balls = 10};
  if (variant == with_gradients) return GeodMemory{.directions = "gradients"};
  if (variant == with_quasi_newton) return GeodMemory{.directions = "quasi-newton"};
  // gradients after all where a Hessian would take long
  if (variant == with_newton) return GeodMemory{.memory_limit = 2e7, .directions = "newton"};
  return variant;
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

/// With this setting, where the method has it.
inline MethodChoice with_setting(MethodChoice method, std::string_view setting, std::string_view value) {
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
