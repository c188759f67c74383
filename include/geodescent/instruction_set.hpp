// Which instructions of the processor the inner loops use. It changes speed, never results.
#pragma once

#include <optional>
#include <string_view>

namespace geodescent {

/// The instruction sets that the library has kernels for.
enum class InstructionSet {
  portable,  ///< what every processor of the architecture has
  avx2,      ///< 256 bits a register
  avx512,    ///< 512 bits a register
};
/// "portable", "avx2", "avx512".
std::string_view to_string(InstructionSet set);
/// Nothing for other names.
std::optional<InstructionSet> instruction_set_of(std::string_view name);

/// The best that this processor and this build of the library have.
InstructionSet best_instruction_set();

/// The one in use: at first the best, or less where the environment variable GEODESCENT_ISA names less. (The library
/// ignores a name that it does not know, `geodescent` refuses it.)
InstructionSet instruction_set();
/// Not beyond the best. Results have the same bits with each: to test that, and to find out what one is worth.
void set_instruction_set(InstructionSet set);

}  // namespace geodescent
