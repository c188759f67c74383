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

/// The set in use. The default is the best one, or a smaller one that the environment variable
/// GEODESCENT_ISA names. The library ignores an unknown name; `geodescent` refuses it.
InstructionSet instruction_set();
/// Selects a set, at most the best one. For tests and measurements: results have the same bits with
/// each.
void set_instruction_set(InstructionSet set);

}  // namespace geodescent
