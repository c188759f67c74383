// Counts every heap allocation of the contract tests, by any thread, and can let one fail.
#pragma once

#include <cstdint>

namespace geodescent::testing {

/// Calls of operator new since the start of the program, and the requested bytes.
std::uint64_t allocations();
std::uint64_t allocated_bytes();

/// Lets the n-th allocation from now on fail, on any thread. 0: none.
void fail_allocation(std::uint64_t n);
/// Whether an allocation has failed since the last call.
bool allocation_has_failed();

}  // namespace geodescent::testing
