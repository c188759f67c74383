// How many threads the library uses.
#pragma once

namespace geodescent {

/// The number of threads of all passes and sums (default: one for each processor that the process
/// may use). It affects speed, never results.
///
/// The threads are one pool for the whole program, and one caller has it at a time. Other callers
/// work alone meanwhile: a program whose own threads each minimise something never has more threads
/// than its own and the pool's.
[[nodiscard]] int threads();
/// The largest number of threads.
inline constexpr int most_threads = 1024;
/// Sets the number of threads. Throws std::invalid_argument for a number outside of 1 to
/// most_threads.
void set_threads(int count);

}  // namespace geodescent
