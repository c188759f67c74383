// Environment variables. The program never sets one, so reading them is thread-safe.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace geodescent {

/// The value of a variable. An empty value counts as not set.
inline std::optional<std::string> environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

}  // namespace geodescent
