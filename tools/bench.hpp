// `geodescent bench`: what its commands share. Each runs one experiment of bench/lab and writes what came out.
#pragma once

#include <string>

#include "command.hpp"

namespace geodescent::cli {

/// What every experiment can be told.
struct BenchOutput {
  std::string folder;  ///< where the results go
  bool quiet = false;
};

/// --out and --quiet; `folder` has its default already.
void add_bench_output(CLI::App& app, BenchOutput& output);

// Each adds its command to `bench`.
void add_bench_paper(CLI::App& bench, Action& action);
void add_bench_run(CLI::App& bench, Action& action);
void add_bench_worst_case(CLI::App& bench, Action& action);
void add_bench_geometry(CLI::App& bench, Action& action);

}  // namespace geodescent::cli
