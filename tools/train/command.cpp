// The options of `geodescent train`.
#include <fmt/format.h>

#include <memory>

#include "common/command.hpp"
#include "common/heap.hpp"
#include "common/options/data_files.hpp"
#include "common/options/options.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/method_choice.hpp"
#include "pages/help.hpp"
#include "train/liblinear_options.hpp"
#include "train/path.hpp"
#include "train/train.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* summary = "Trains a linear model and proves how good it is.";

constexpr const char* details =
    R"(Minimises f(w) = mean loss + l2/2 |w|^2 over the rows of DATA and writes the coefficients w to MODEL. LIBLINEAR can read MODEL, too. The intercept is not regularised by default (--bias). Training stops when the tolerance is proven, and reports:

  value         f at the coefficients found
  lower bound   no coefficients have a smaller f; includes rounding errors
  proven gap    value - lower bound: f is at most this far above its minimum
  relative gap  the gap divided by f(0) - lower bound, that is by all that
                training can gain over coefficients 0 with the best intercept;
                converged: it is at most --tol
  distance      bound on the distance from the optimal coefficients
  passes        products with the data: forward (predictions), backward
                (gradient)

MODEL contains its proof: 'geodescent verify DATA MODEL' checks it without trusting the training.

More than two classes: the loss softmax has one problem and one proof for all of them. With another loss for classes there is a problem for each class against the rest, and threads train several of them at once. MODEL then has a proof for each class, and value, lower bound and gap are sums.

--l2-path trains a model for each of several values of l2: MODEL.01, MODEL.02, ..., from the largest l2 on, and a table MODEL.path.csv. Each training starts from the model before it. --folds chooses among them by cross-validation: the rows are divided into K folds, each fold is predicted by models trained on the others, and MODEL is trained on all rows with the l2 of the smallest mean loss.

Ctrl-C ends the training and writes the best model so far (exit code 1). A path keeps its finished models; a cross-validation writes nothing. A second Ctrl-C ends the program at once.)";

constexpr const char* examples = R"(Examples:

  geodescent train data.svm                    logistic, writes data.svm.model
  geodescent train --loss squared-hinge -c 1 data.svm.xz svm.model
  geodescent train --method lbfgs --tol 1e-9 --trace run.csv data.svm out.model
  geodescent train --l2-path 1e-6:1:13 data.svm out.model
  geodescent train --l2-path 1e-6:1:13 --folds 5 --report cv data.svm out.model
  zcat data.gz | geodescent train --json --quiet - out.model
  geodescent train --model out.model part-*.svm
  mpirun -n 4 geodescent train data.svm out.model
                                               rows on four ranks)";

std::string tables() {
  std::string text = "\n\nLosses:\n\n";
  for (const LossInfo& loss : trainable_losses())
    text += list_line(loss.name, fmt::format("{}: {}", task_text(loss), loss.summary));
  text += "\nMethods:\n\n";
  for (const MethodInfo& method : methods()) text += list_line(method.name, method.summary);
  return text;
}

constexpr const char* automatic_method = "auto";

void add_problem(Command& app, TrainCommand& o) {
  app.start_group("The problem");
  add_choice(
      app,
      {"--loss", "", fmt::format("the loss (default {}; {} for more than two classes)", default_loss, softmax_loss)},
      o.loss, names_in(trainable_losses()));
  add_loss_parameters(app, o.loss_parameters);
  Option* const l2 =
      add_real(app, {"--l2", "LAMBDA", fmt::format("strength of the regularisation (default {:g})", default_l2)}, o.l2,
               positive);
  add_real(
      app,
      {"-c,--cost", "C",
       "the same in LIBLINEAR's terms, instead of --l2: C = 1 / (rows LAMBDA); half of that for the squared losses, "
       "which LIBLINEAR writes without the factor 1/2"},
      o.cost, positive)
      ->excludes(l2);
  add_bias(app,
           "intercept: free is not regularised; regularized is the coefficient of a feature that is 1 in every row, as "
           "LIBLINEAR's -B 1 "
           "(default free)",
           o.bias);
}

void add_l2_path(Command& app, std::optional<L2Path>& target) {
  const auto parse = [&target](const std::string& given) {
    target = parse_l2_path(given);
    if (target) return;
    refuse_value("--l2-path", given,
                 fmt::format("LOW:HIGH:N with 0 < LOW < HIGH and N from 2 to {}, such as 1e-6:1:13", longest_path));
  };
  app.add(
      {"--l2-path", "LOW:HIGH:N", "N values of l2 from HIGH down to LOW, evenly spaced in logarithm, instead of --l2"},
      parse);
}

void add_choice_of_l2(Command& app, TrainCommand& o) {
  app.start_group("Several values of l2");
  add_l2_path(app, o.l2_path);
  Option* const folds = add_whole(
      app, {"-v,--folds", "K", "chooses l2 by K-fold cross-validation; without --l2-path: scores the single l2"},
      o.folds, {.least = 2, .most = 4294967295.0});
  add_whole(app, {"--seed", "S", fmt::format("with --folds: seed of the random folds (default {})", default_seed)},
            o.seed, not_negative)
      ->needs(folds);
  add_text(app, {"--report", "DIR", "with --folds: writes a page with figures and tables"}, o.report)->needs(folds);
}

/// Options of a single training.
void exclude_from_path(Command& app) {
  for (const char* several : {"--l2-path", "-C"})
    for (const char* single : {"--l2", "--cost", "--initial", "--trace", "--checkpoint"})
      app.option(several)->excludes(app.option(single));
}

void add_weights(Command& app, TrainCommand& o) {
  app.start_group("Sample weights (2 counts a row twice, 0 leaves it out)");
  add_class_weights(app, o.class_weights, o.balanced_classes);
  add_row_weights(app, o.row_weights, o.weight_feature);
}

void add_method(Command& app, TrainCommand& o) {
  app.start_group("The method");
  std::vector<std::string> names = names_in(methods());
  names.emplace(names.begin(), automatic_method);
  add_choice(app,
             {"--method", "",
              fmt::format("the method (default {}: {}, which chooses its search by predicted run times)",
                          automatic_method, default_method)},
             o.method, names);
  add_choice(app, {"--line-search", "", "lbfgs: strong Wolfe conditions or exact (default wolfe)"}, o.line_search,
             {"wolfe", "exact"});
  const auto directions = direction_names();
  add_choice(app, {"--directions", "", "geod-memory: the search (default automatic: the lowest predicted run time)"},
             o.directions, {directions.begin(), directions.end()});
  add_whole_or_auto(
      app,
      {"--memory", "M",
       "geod-memory: number of remembered directions (default auto: the lowest predicted run time); lbfgs: number "
       "of pairs (default auto: 100)"},
      o.memory, {.least = 1, .most = 1e6});
  add_bytes(app,
            {"--memory-limit", "SIZE",
             fmt::format("geod-memory: limit of its memory, without the data, such as 500M or 8G (default {:g}G)",
                         GeodMemory{}.memory_limit / bytes_of_a_gigabyte)},
            o.memory_limit);
  add_real(
      app,
      {"--smoothness", "BETA", "geod-fixed, ball, afg, afgwr: Lipschitz constant of the gradient (default: estimated)"},
      o.smoothness, positive);
  add_whole(app,
            {"--threads", "N", "number of threads; the result has the same bits for every number (default: all cores)"},
            o.threads, {.least = 1, .most = most_threads});
}

void add_start(Command& app, TrainCommand& o) {
  add_text(app, {"--initial", "FILE", "starts from a model, ours or LIBLINEAR's (default: from 0)"}, o.initial);
}

void add_checkpoints(Command& app, TrainCommand& o) {
  app.start_group("Checkpoints");
  Option* const file = add_text(
      app,
      {"--checkpoint", "FILE",
       "writes the model and its proof to FILE again and again, and begins anew from it, so that --resume has the same "
       "bits as a training without interruption"},
      o.checkpoint);
  add_whole(
      app,
      {"--checkpoint-every", "N", fmt::format("iterations between two checkpoints (default {})", o.checkpoint_every)},
      o.checkpoint_every, {.least = 1})
      ->needs(file);
  add_switch(app, "--resume", o.resume, "continues from the file of --checkpoint; begins anew where there is none")
      ->needs(file);
}

void add_stopping(Command& app, TrainCommand& o) {
  app.start_group("When to stop");
  add_real(
      app,
      {"--tol", "T",
       fmt::format("converged when the proven relative gap is at most T (default {:g}); 0: ends at the limit of double "
                   "precision, with exit code 0",
                   o.tolerance)},
      o.tolerance, {.least = 0, .most = 1, .most_allowed = false});
  add_whole(app, {"--max-iterations", "N", fmt::format("at most N iterations (default {})", o.max_iterations)},
            o.max_iterations, not_negative);
  add_real(app, {"--max-seconds", "S", "at most S seconds for each training (default: no limit)"}, o.max_seconds,
           not_negative);
}

void add_data(Command& app, TrainCommand& o) {
  app.start_group("Reading");
  add_whole(app, {"--features", "N", "number of features, if the file does not show all; a larger index is an error"},
            o.features, feature_counts);
  add_index_base(app, o.index_base);
  add_line_limit(app, o.line_limit);
}

void add_output(Command& app, TrainCommand& o) {
  app.start_group("Output");
  add_text(app, {"--trace", "FILE.csv", "writes a table with a row for each iteration; row 0 is the start"}, o.trace);
  add_switch(app, "--json", o.json, "the result as JSON on standard output, the report on standard error");
  add_switch(app, "-q,--quiet", o.quiet, "no progress and no report; errors and --json remain");
}

}  // namespace

void add_train(Command& program, Action& action) {
  const auto o = std::make_shared<TrainCommand>();
  Command& app = program.add_command("train", fmt::format("{}\n\n{}{}", summary, details, tables()));
  add_data_and_model(
      app,
      "LIBSVM text, plain or compressed (gzip, bzip2, xz, zstd), or a file of convert; - for standard input; several "
      "files, with --model, are read one after the other",
      o->data, o->model);
  app.add({"MODEL", "MODEL", "file for the model (default: the base name of DATA with .model, in the current folder)"},
          HandledByParser{});
  add_problem(app, *o);
  add_choice_of_l2(app, *o);
  add_weights(app, *o);
  add_method(app, *o);
  add_start(app, *o);
  add_checkpoints(app, *o);
  add_stopping(app, *o);
  add_data(app, *o);
  add_output(app, *o);
  add_liblinear_options(app, *o);
  exclude_from_path(app);
  app.option("--folds")->excludes(app.option("--checkpoint"));
  app.option("--resume")->excludes(app.option("--initial"));
  app.footer = examples;
  app.callback = [o, &app, &action] {
    settle_data_and_model(app, o->data, o->model);
    if (o->method == automatic_method) o->method = default_method;
    settle_liblinear_options(*o);
    action = [o] {
      keep_short_vectors();
      return train(*o);
    };
  };
}

}  // namespace geodescent::cli
