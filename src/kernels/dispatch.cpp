// Selection of the kernel table at run time.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>

#include "geodescent/instruction_set.hpp"
#include "kernels/kernels.hpp"

namespace geodescent {

extern const Kernels portable_kernels;
#ifdef GEODESCENT_X86_KERNELS
extern const Kernels avx2_kernels, avx512_kernels;
#endif

namespace {

constexpr std::array sets{InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512};

const Kernels& table(InstructionSet set) {
#ifdef GEODESCENT_X86_KERNELS
  if (set == InstructionSet::avx512) return avx512_kernels;
  if (set == InstructionSet::avx2) return avx2_kernels;
#endif
  static_cast<void>(set);
  return portable_kernels;
}

InstructionSet find_best() {
#ifdef GEODESCENT_X86_KERNELS
  __builtin_cpu_init();
  // The answer includes whether the operating system saves the wide registers.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl"))
    return InstructionSet::avx512;
  if (__builtin_cpu_supports("avx2")) return InstructionSet::avx2;
#endif
  return InstructionSet::portable;
}

InstructionSet first_choice() {
  const char* const wanted = std::getenv("GEODESCENT_ISA");  // NOLINT(concurrency-mt-unsafe): the program never sets it
  return std::min(instruction_set_of(wanted ? wanted : "").value_or(InstructionSet::avx512), best_instruction_set());
}

std::atomic<InstructionSet>& in_use() {
  static std::atomic<InstructionSet> set{first_choice()};
  return set;
}

}  // namespace

std::string_view to_string(InstructionSet set) {
  constexpr std::array<std::string_view, sets.size()> names{"portable", "avx2", "avx512"};
  return names[static_cast<std::size_t>(set)];
}

std::optional<InstructionSet> instruction_set_of(std::string_view name) {
  const auto found = std::ranges::find(sets, name, to_string);
  return found != sets.end() ? std::optional(*found) : std::nullopt;
}

InstructionSet best_instruction_set() {
  static const InstructionSet best = find_best();
  return best;
}

InstructionSet instruction_set() { return in_use().load(std::memory_order_relaxed); }

void set_instruction_set(InstructionSet set) {
  in_use().store(std::min(set, best_instruction_set()), std::memory_order_relaxed);
}

const Kernels& kernels() { return table(instruction_set()); }

}  // namespace geodescent
