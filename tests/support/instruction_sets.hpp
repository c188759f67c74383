// Runs a test with each instruction set of the machine.
#pragma once

#include <vector>

#include "geodescent/instruction_set.hpp"

namespace geodescent::testing {

inline std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512})
    if (set <= best_instruction_set()) sets.push_back(set);
  return sets;
}

/// Selects an instruction set for the current scope.
class UsedInstructions {
 public:
  explicit UsedInstructions(InstructionSet set) { set_instruction_set(set); }
  UsedInstructions(const UsedInstructions&) = delete;
  UsedInstructions& operator=(const UsedInstructions&) = delete;
  ~UsedInstructions() { set_instruction_set(before_); }

 private:
  InstructionSet before_ = instruction_set();
};

/// Calls make() with each set, and expect_same(portable result, other result) for the others.
template <class Make, class ExpectSame>
void with_each_instruction_set(const Make& make, const ExpectSame& expect_same) {
  const auto result = [&](InstructionSet set) {
    const UsedInstructions used(set);
    return make();
  };
  const auto first = result(InstructionSet::portable);
  for (const InstructionSet set : instruction_sets()) expect_same(first, result(set));
}

}  // namespace geodescent::testing
