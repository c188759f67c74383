#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "geodescent/optimize/test_problems.hpp"

namespace geodescent {

namespace problems {
#define GEODESCENT_PROBLEM(function) TestProblem function();
#include "problems/problems.def"
#undef GEODESCENT_PROBLEM
}  // namespace problems

FunctionObjective TestProblem::function() const {
  return {{.dimension = dimension()}, evaluate};  // the strong convexity is unknown
}

std::span<const TestProblem> test_problems() {
  static const std::vector<TestProblem> table = {
#define GEODESCENT_PROBLEM(function) problems::function(),
#include "problems/problems.def"
#undef GEODESCENT_PROBLEM
  };
  return table;
}

const TestProblem& test_problem(std::string_view name) {
  const auto found = std::ranges::find(test_problems(), name, &TestProblem::name);
  if (found != test_problems().end()) return *found;
  std::string known;
  for (const TestProblem& p : test_problems()) known += fmt::format("{}{}", known.empty() ? "" : ", ", p.name);
  throw std::invalid_argument(fmt::format("unknown test problem '{}'; the test problems are {}", name, known));
}

}  // namespace geodescent
