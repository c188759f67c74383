// Which instructions of the processor the inner loops use. It changes speed, never results.
#pragma once

#include <string_view>

namespace geodescent {

enum class InstructionSet {
  portable,  ///< what every processor of the architecture has
  avx2,
  avx512,
};
/// "portable", "avx2", "avx512".
std::string_view to_string(InstructionSet set);

/// The best that this processor and this build of the library have.
InstructionSet best_instruction_set();

/// The one in use: at first the best, or less where the environment variable GEODESCENT_ISA names less.
InstructionSet instruction_set();
/// Not beyond the best. Results have the same bits with each: to test that, and to find out what one is worth.
void set_instruction_set(InstructionSet set);

}  // namespace geodescent
