// What benchmarks share: data of known shapes, and the floor that a kernel is held against.
#pragma once

#include <benchmark/benchmark.h>

#include <string>

#include "geodescent/data/dataset.hpp"

namespace geodescent::bench {

/// Data like those of this preset with so many times its rows; or, where the environment variable
/// GEODESCENT_BENCH_DATA names a folder with a file of this name, these.
const Dataset& data_like(const std::string& preset, double row_factor);

/// Seconds to read so many bytes from memory, one thread, measured now: no pass over data of this size can take less.
double seconds_to_stream(double bytes);

/// Adds a counter: `seconds`, which an iteration took, as a multiple of the floor.
void times_floor(benchmark::State& state, double seconds, double floor);

}  // namespace geodescent::bench
