// Counts every allocation on the heap, by any thread, in the executable of the contract tests.
#pragma once

#include <cstdint>

namespace geodescent::testing {

/// Calls of operator new since the start of the program.
std::uint64_t allocations();

}  // namespace geodescent::testing
