// `geodescent bench`: the experiments, by name.
#include "bench/bench.hpp"
#include "common/command_line.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* bench_description =
    R"(Repeats the paper's experiments and says which of its claims hold.

Each command runs one experiment and writes a folder: report.html, a page that needs nothing else; report.json and one CSV file per table, with every number in the page; figures/, the pictures as SVG and PDF, drawn by gnuplot.

What the paper claims is checked by computation, with stated thresholds, and the page shows each claim next to what was measured.

Options that take a LIST or FILE... take several items: with commas, with blanks, or by the option repeated. --l2 1e-4,1e-6 is --l2 1e-4 1e-6 and --l2 1e-4 --l2 1e-6.

Ctrl-C ends an experiment without a report; paper, balls and run keep what is finished and go on from there when they are started again.)";

constexpr const char* bench_examples = R"(Examples:

  geodescent bench paper --quick
  geodescent bench balls --quick
  geodescent bench run --data my.svm --l2 1e-4,1e-6
  geodescent bench worst-case --out results/worst-case
  geodescent bench geometry --steps 8
  geodescent bench functions --methods geod-memory,lbfgs
  geodescent bench peers --data my.svm

Each experiment explains itself: geodescent bench paper --help)";

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
