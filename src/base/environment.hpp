// Variables of the environment. The program never sets one, so that reading them is safe in every thread.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace geodescent {

/// What is set to nothing counts as not set.
inline std::optional<std::string> environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

}  // namespace geodescent
