// `geodescent bench`: the experiments, by name.
#include "bench/bench.hpp"
#include "common/options/command_line.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* bench_description =
    R"(Compares methods and programs, and repeats the paper's experiments.

Each command runs one experiment and writes a folder: report.html, a page that needs no other file; report.json and one CSV file per table, with every number of the page; figures/, the figures as SVG and PDF, drawn by gnuplot.

The page shows each claim of the paper beside the measurement and a verdict; thresholds are stated.

A LIST or FILE... is separated by commas or blanks, or its option is repeated: --l2 1e-4,1e-6, --l2 1e-4 1e-6 and --l2 1e-4 --l2 1e-6 are the same.

Ctrl-C ends an experiment without a report; paper, balls and run keep their finished cells and continue with the same command.)";

constexpr const char* bench_examples = R"(Examples:

  geodescent bench paper --quick
  geodescent bench balls --quick
  geodescent bench run --data my.svm --l2 1e-4,1e-6
  geodescent bench worst-case --out results/worst-case
  geodescent bench geometry --steps 8
  geodescent bench functions --methods geod-memory,lbfgs
  geodescent bench peers --data my.svm

Every experiment has a help: geodescent bench paper --help)";

}  // namespace

void add_bench(Command& program, Action& action) {
  Command& bench = program.add_command("bench", bench_description);
  bench.footer = bench_examples;
  add_bench_paper(bench, action);
  add_bench_balls(bench, action);
  add_bench_run(bench, action);
  add_bench_worst_case(bench, action);
  add_bench_geometry(bench, action);
  add_bench_functions(bench, action);
  add_bench_peers(bench, action);
}

}  // namespace geodescent::cli
