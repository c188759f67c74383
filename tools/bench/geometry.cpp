// `geodescent bench geometry`: Figures 1 and 2 of the paper, and the balls of a run.
#include <fmt/format.h>

#include <memory>

#include "bench/bench.hpp"
#include "common/interrupt.hpp"
#include "common/options/options.hpp"
#include "common/progress.hpp"
#include "experiments/geometry/geometry.hpp"
#include "geodescent/error.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* geometry_description =
    R"(Draws the balls: the paper's Figures 1 and 2, and those of a run in the plane.

The figures are computed by the code of the methods. The run minimises a function of two variables, and each step is a picture: level lines, the points of the iteration, the ball of the gradient, the previous ball shrunk, their intersection, and the smallest ball that contains it. The command checks that the minimiser lies in every ball.)";

constexpr const char* geometry_examples = R"(Examples:

  geodescent bench geometry
  geodescent bench geometry --method ball --steps 12 --out results/ball)";

struct GeometryWishes {
  lab::GeometryOptions experiment;
  BenchOutput output = {.folder = "geodescent-geometry"};
};

void stop_if_interrupted() {
  if (interrupted() != 0) throw Interrupted{interrupted()};
}

struct Drawn {
  lab::Geometry geometry;
  std::vector<lab::PictureFile> pictures;
};

Drawn draw(const GeometryWishes& w) {
  const InterruptGuard guard;
  ProgressLine line(w.output.quiet);
  line.announce("drawing");
  try {
    Drawn drawn{lab::geometry(w.experiment), {}};
    stop_if_interrupted();
    drawn.pictures = lab::picture_files(drawn.geometry);
    stop_if_interrupted();
    return drawn;
  } catch (const InputError&) {
    stop_if_interrupted();  // Ctrl-C reaches gnuplot as well, which then fails
    throw;
  }
}

int run(const GeometryWishes& w) {
  require_folder(w.output.folder);
  const Drawn drawn = draw(w);
  write_bench(drawn.geometry.report, w.output, drawn.pictures);
  return success;
}

}  // namespace

void add_bench_geometry(Command& bench, Action& action) {
  const auto w = std::make_shared<GeometryWishes>();
  Command& app = bench.add_command("geometry", geometry_description);
  app.start_group("The experiment");
  add_whole(app, {"--steps", "K", fmt::format("number of iterations to draw (default {})", w->experiment.steps)},
            w->experiment.steps, {.least = 1, .most = 30});
  add_choice(app, {"--method", "", fmt::format("the method (default {})", w->experiment.method)}, w->experiment.method,
             {"geod", "geod-fixed", "ball"});
  add_bench_output(app, w->output);
  app.footer = geometry_examples;
  app.callback = [w, &action] { action = [w] { return run(*w); }; };
}

}  // namespace geodescent::cli
