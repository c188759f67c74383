// Minimises every test problem of the library, knowing nothing but that it is convex.
#include <cstdio>

#include <geodescent/geodescent.hpp>

int main() {
  bool converged = true;
  for (const geodescent::TestProblem& problem : geodescent::test_problems()) {
    const geodescent::Result r = minimize(problem.function(), "geod-memory", problem.start);
    std::printf("%-20s %s\n", problem.name.data(), r.message.c_str());
    converged = converged && r.status == geodescent::Status::converged;
  }
  return converged ? 0 : 1;
}
