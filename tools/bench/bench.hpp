// `geodescent bench`: the shared part of its commands. Each runs one experiment of bench/ and
// writes the results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/command.hpp"
#include "experiments/geometry/geometry.hpp"
#include "report/report.hpp"

namespace geodescent::cli {

/// The options of every experiment.
struct BenchOutput {
  std::string folder;  ///< where the results go
  bool quiet = false;
};

/// --out and --quiet; `folder` has its default already.
void add_bench_output(Command& app, BenchOutput& output);

/// Throws InputError unless results can be written to this folder, which need not exist. Call it
/// before the long work. `option` names it in messages.
void require_folder(const std::string& folder, std::string_view option = "--out");

/// Writes the report, with the machine, the date and the command that repeats it, and more pictures
/// into its figures/; says what was found.
void write_bench(lab::Report report, const BenchOutput& output, const std::vector<lab::PictureFile>& pictures = {});

/// The table as text, in columns.
std::string text_of(const lab::Table& table);

// Each adds its command to `bench`.
void add_bench_paper(Command& bench, Action& action);
void add_bench_balls(Command& bench, Action& action);
void add_bench_run(Command& bench, Action& action);
void add_bench_worst_case(Command& bench, Action& action);
void add_bench_geometry(Command& bench, Action& action);
void add_bench_functions(Command& bench, Action& action);
void add_bench_peers(Command& bench, Action& action);

}  // namespace geodescent::cli
