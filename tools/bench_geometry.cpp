// `geodescent bench geometry`: Figures 1 and 2 of the paper, and the balls of a run.
#include <fmt/format.h>

#include <cstdint>
#include <memory>

#include "bench.hpp"
#include "options.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* description =
    R"(Draws the balls: the paper's Figures 1 and 2, and those of a run in the plane.

The figures are computed by the code that the methods use, not drawn by hand. The run minimises a function of two variables; each of its steps is one picture: the level lines, the points of the iteration, the ball that the gradient gives, the previous ball shrunk, what they have in common, and the smallest ball around that. That the minimiser lies in all of them is checked.)";

constexpr const char* examples = R"(Examples:

  geodescent bench geometry
  geodescent bench geometry --method ball --steps 12 --out results/ball)";

struct Wishes {
  std::uint64_t steps = 8;
  std::string method = "geod";
  BenchOutput output = {.folder = "geodescent-geometry"};
};

int run(const Wishes& w) {
  require_folder(w.output.folder);
  throw UsageError("bench geometry is not there yet");
}

}  // namespace

void add_bench_geometry(CLI::App& bench, Action& action) {
  const auto w = std::make_shared<Wishes>();
  CLI::App& app = *bench.add_subcommand("geometry", description);
  app.option_defaults()->group("The experiment");
  add_whole(app, {"--steps", "K", fmt::format("how many iterations are drawn (default {})", w->steps)}, w->steps,
            {.least = 1, .most = 30});
  add_choice(app, {"--method", "", fmt::format("whose balls (default {})", w->method)}, w->method,
             {"geod", "geod-fixed", "ball"});
  add_bench_output(app, w->output);
  app.footer(examples);
  app.callback([w, &action] { action = [w] { return run(*w); }; });
}

}  // namespace geodescent::cli
