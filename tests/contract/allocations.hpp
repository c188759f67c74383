// Counts every allocation on the heap, by any thread, in the executable of the contract tests.
#pragma once

#include <cstdint>

namespace geodescent::testing {

/// Calls of operator new since the start of the program, and the bytes asked for.
std::uint64_t allocations();
std::uint64_t allocated_bytes();

}  // namespace geodescent::testing
