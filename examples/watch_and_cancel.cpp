// Watch a run, compare methods on the paper's worst-case function, and stop when you have seen
// enough.
#include <cstdio>

#include "geodescent/geodescent.hpp"

int main() {
  using namespace geodescent;

  const Quadratic f = worst_case(200, 1e4);
  for (const char* method : {"geod", "afg", "lbfgs"}) {
    const Observer observer = [&](const Progress& p) {
      if (p.iteration % 100 == 0)
        std::printf("%-6s iteration %4llu  value %-12.8g proven gap %.2g\n", method,
                    static_cast<unsigned long long>(p.iteration), p.value, p.gap());
      return p.gap() > 1e-3;  // false ends the run
    };
    const Result r = minimize(f, method, {}, {.gap_tolerance = 0}, observer);
    std::printf("%-6s %s after %llu iterations, f - f* <= %.2g\n\n", method, to_string(r.status).data(),
                static_cast<unsigned long long>(r.iterations), r.gap());
    if (r.status != Status::stopped_by_observer) return 1;
  }
  return 0;
}
