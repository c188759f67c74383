// A plug-in that contains the library, to be loaded by dlopen, used and unloaded.
#include "geodescent/geodescent.hpp"

namespace {

/// f(x) = sum_i (i + 1)/2 (x_i - 1)^2, in a dimension with parallel sums.
double value_and_gradient(std::span<const double> x, std::span<double> g) {
  double value = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double curvature = static_cast<double>(i % 10 + 1);
    g[i] = curvature * (x[i] - 1);
    value += g[i] * (x[i] - 1) / 2;
  }
  return value;
}

double minimize_on(int threads) {
  geodescent::set_threads(threads);
  const geodescent::FunctionObjective f({.dimension = 50000, .strong_convexity = 1}, value_and_gradient);
  const geodescent::Result result = geodescent::minimize(f, "geod");
  return result.status == geodescent::Status::converged ? result.value : -1;
}

/// Constructed before the objects of the library, so destroyed after them when the module is
/// unloaded.
struct AtUnload {
  double* value = nullptr;
  ~AtUnload() {
    if (value != nullptr) *value = minimize_on(3);
  }
};
__attribute__((init_priority(101))) AtUnload at_unload;

}  // namespace

/// The minimum computed by minimize on this many threads; negative if it fails.
extern "C" double minimize_in_module(int threads) { return minimize_on(threads); }

/// Repeats the computation in the last destructor of the module.
extern "C" void minimize_at_unload(double* value) { at_unload.value = value; }
