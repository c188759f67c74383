// Shared parts of the benchmarks: data of known shapes, and the memory bandwidth.
#pragma once

#include <benchmark/benchmark.h>

#include <string>

#include "geodescent/data/dataset.hpp"

namespace geodescent::bench {

/// Data with the shape of this preset and `row_factor` times its rows. If the environment variable
/// GEODESCENT_BENCH_DATA names a folder with a file of this name, that file instead.
const Dataset& data_like(const std::string& preset, double row_factor);

/// Seconds to read this many bytes from memory on one thread, measured now: a lower bound for a
/// pass over such data.
double seconds_to_stream(double bytes);

/// Adds a counter: `seconds` of an iteration as a multiple of the lower bound `floor`.
void times_floor(benchmark::State& state, double seconds, double floor);

}  // namespace geodescent::bench
