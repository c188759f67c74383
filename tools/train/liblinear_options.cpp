#include "train/liblinear_options.hpp"

#include <fmt/format.h>

#include <string_view>

#include "common/options/loss_options.hpp"
#include "common/options/options.hpp"
#include "train/path.hpp"
#include "train/train.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* usual_path = "1e-6:1:13";
constexpr std::size_t usual_folds = 5;

}  // namespace

void add_liblinear_options(Command& app, TrainCommand& o) {
  app.start_group("LIBLINEAR's options");
  add_solver_number(app, [&o](std::string_view loss) { o.loss = loss; });
  add_bias_constant(app, o.bias);
  add_switch(
      app, "-C", o.find_c,
      fmt::format("--l2-path {} --folds {}, unless they are given: chooses C by the mean loss in cross-validation",
                  usual_path, usual_folds));
  app.foreign_options = {
      {"-e", "LIBLINEAR's -e is a tolerance of the gradient; give the relative gap to prove as --tol"},
      {"-i", "LIBLINEAR's -i is --initial FILE"},
      {"-p", "the loss squared is LIBLINEAR's -s 11 with -p 0; leave -p out"},
      {"-W", "LIBLINEAR's -W is --row-weights FILE"},
      {"-R", "an intercept that is not regularised is --bias free, the default"},
  };
}

void settle_liblinear_options(TrainCommand& o) {
  if (!o.find_c) return;
  if (!o.l2_path) o.l2_path = parse_l2_path(usual_path);
  if (!o.folds) o.folds = usual_folds;
}

}  // namespace geodescent::cli
