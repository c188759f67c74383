#include "train/liblinear_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "common/options.hpp"
#include "train/path.hpp"
#include "train/train.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* usual_path = "1e-6:1:13";
constexpr std::size_t usual_folds = 5;

struct Solver {
  std::string_view number;
  std::string_view loss;
};
/// LIBLINEAR has two solvers for each of these problems.
constexpr std::array solvers{Solver{"0", "logistic"},      Solver{"7", "logistic"}, Solver{"2", "squared-hinge"},
                             Solver{"1", "squared-hinge"}, Solver{"11", "squared"}, Solver{"12", "squared"}};

void add_solver(Command& app, std::string& loss) {
  const auto parse = [&loss](const std::string& given) {
    const auto* const found = std::ranges::find(solvers, given, &Solver::number);
    if (found == solvers.end())
      refuse_value("-s", given,
                   "0 or 7 (logistic), 2 or 1 (squared-hinge), 11 or 12 (squared); the smooth loss nearest to "
                   "LIBLINEAR's hinge (3) is --loss smoothed-hinge, and its other problems are not supported");
    loss = found->loss;
  };
  app.add({"-s", "0|1|2|7|11|12",
           "--loss in LIBLINEAR's numbers: 0, 7 logistic; 2, 1 squared-hinge; 11, 12 squared (with its -p 0)"},
          parse)
      ->excludes(app.option("--loss"));
}

void add_constant(Command& app, Bias& bias) {
  const auto parse = [&bias](const std::string& given) {
    if (given != "1" && given != "-1")
      refuse_value("-B", given,
                   "1 (--bias regularized) or -1 (--bias none); another constant feature is not supported");
    bias = given == "1" ? Bias::regularized : Bias::none;
  };
  app.add({"-B", "1|-1", "--bias in LIBLINEAR's numbers: 1 regularized, -1 none"}, parse)
      ->excludes(app.option("--bias"));
}

}  // namespace

void add_liblinear_options(Command& app, TrainCommand& o) {
  app.start_group("LIBLINEAR's options");
  add_solver(app, o.loss);
  add_constant(app, o.bias);
  add_switch(
      app, "-C", o.find_c,
      fmt::format("--l2-path {} --folds {}, unless they are given: chooses C by the mean loss in cross-validation",
                  usual_path, usual_folds));
  app.foreign_options = {
      {"-e", "LIBLINEAR's -e bounds the gradient; give the relative gap that is to be proven as --tol"},
      {"-p", "the loss squared is LIBLINEAR's -s 11 with -p 0; leave -p out"},
      {"-R", "an intercept that is not regularised is --bias free, the default"},
  };
}

void settle_liblinear_options(TrainCommand& o) {
  if (!o.find_c) return;
  if (!o.l2_path) o.l2_path = parse_l2_path(usual_path);
  if (!o.folds) o.folds = usual_folds;
}

}  // namespace geodescent::cli
