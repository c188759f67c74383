// Counts every allocation on the heap, by any thread, in the executable of the contract tests, and lets one fail.
#pragma once

#include <cstdint>

namespace geodescent::testing {

/// Calls of operator new since the start of the program, and the bytes asked for.
std::uint64_t allocations();
std::uint64_t allocated_bytes();

/// The n-th allocation from now on fails, whoever makes it; 0: none does.
void fail_allocation(std::uint64_t n);
/// Whether it has come to that since the last call.
bool allocation_has_failed();

}  // namespace geodescent::testing
