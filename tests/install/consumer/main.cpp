// A program of somebody who uses geodescent as a package: it minimises a function of their own,
// checks what comes back, and touches the reader, so that everything a static library needs takes
// part in the link.
#include <cmath>
#include <cstdio>
#include <span>
#include <string>

#include <geodescent/geodescent.hpp>

#if GEODESCENT_VERSION_MAJOR < 0 || GEODESCENT_VERSION_MINOR < 0 || GEODESCENT_VERSION_PATCH < 0
#error "the version macros are missing"
#endif

// f(x) = sum_i (i + 1)/2 (x_i - i)^2 with its gradient: strong convexity 1, minimum 0 at x_i = i.
static double value_and_gradient(std::span<const double> x, std::span<double> g) {
  double value = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = static_cast<double>(i + 1), distance = x[i] - static_cast<double>(i);
    value += weight / 2 * distance * distance;
    g[i] = weight * distance;
  }
  return value;
}

/// Why a file cannot be read; empty when it can.
static std::string error_of(const char* path) {
  try {
    (void)geodescent::read_dataset(path);
  } catch (const geodescent::InputError& error) {
    return error.what();
  }
  return {};
}

int main(int count, char** arguments) {
  if (count > 1) return std::puts(error_of(arguments[1]).c_str()) < 0 ? 1 : 0;
  const geodescent::FunctionObjective f({.dimension = 10, .strong_convexity = 1}, value_and_gradient);
  const geodescent::Result result = geodescent::minimize(f, "geod");
  std::printf("geodescent %s: value %g, lower bound %g\n%s\n", GEODESCENT_VERSION_STRING, result.value,
              result.lower_bound, result.message.c_str());
  if (result.status != geodescent::Status::converged || result.lower_bound > 0 || std::abs(result.x[9] - 9) > 1e-2)
    return 1;

  return error_of("no such file").empty() ? 1 : 0;
}
