// The options of `geodescent verify`.
#include <memory>

#include "common/command.hpp"
#include "common/options/data_files.hpp"
#include "common/options/loss_options.hpp"
#include "common/options/options.hpp"
#include "verify/verify.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* description =
    R"(Checks the proof that a model is nearly optimal.

Computes two bounds from DATA, the coefficients of MODEL and the dual point of its certificate: f(w) = mean loss + l2/2 |w|^2 at the coefficients is at most the value, and no coefficients have an f below the lower bound. Nothing else that the training computed is trusted, and all rounding errors are included. The claim of the certificate holds if it follows from these bounds. Changes of the files that leave the claim true are accepted.

  value         f at the coefficients is at most this
  lower bound   no coefficients have a smaller f
  proven gap    value - lower bound: f is at most this far above its minimum
  relative gap  the gap divided by all that training can gain over
                coefficients 0 (with the best intercept)
  distance      bound on the distance from the optimal coefficients

Options of the problem are compared with the certificate, and a difference is an error: so a model is checked against the problem that was asked for. Without them the report says which problem the certificate is for.

A model without a certificate is judged with --loss and --l2 (or --cost). MODEL is then a model of ours, one of LIBLINEAR, or a text with one coefficient a line (with --bias free or regularized the last one is the intercept). The lower bound follows from the coefficients alone, and is close only if they are nearly optimal; --tight trains for a closer one.

Exit codes: 0 the claim holds, or there was none; 1 it does not hold; 2 usage; 3 a file cannot be used; 4 the claim holds but says nothing, as its gap is infinite.)";

constexpr const char* examples = R"(Examples:

  geodescent verify data.svm data.model
  geodescent verify --tol 1e-6 --loss logistic -c 1 data.svm data.model
  geodescent verify -s 2 -c 1 --tight data.svm liblinear.model
  geodescent verify --loss logistic --l2 1e-4 --bias free data.svm weights.txt)";

void add_files(Command& app, VerifyOptions& o) {
  add_data_and_model(app,
                     "the data of the training: LIBSVM text, plain or compressed, or a file of convert; - for standard "
                     "input; several files with --model",
                     o.data, o.model);
  app.add({"MODEL", "MODEL", "a model; with --loss also a text with one coefficient a line"}, HandledByParser{})
      ->required();
  app.add({"CERTIFICATE", "CERTIFICATE", "the proof, if MODEL does not contain it (default: MODEL.cert)"},
          HandledByParser{});
}

void add_claim(Command& app, VerifyOptions& o) {
  app.start_group("The claim");
  add_real(app, {"--tol", "T", "also requires that the proven relative gap is at most T"}, o.tolerance, not_negative);
}

void add_problem(Command& app, VerifyOptions& o) {
  app.start_group("The problem (a certificate for another one is an error)");
  add_choice(app, {"--loss", "", "the loss"}, o.loss, names_in(trainable_losses()));
  add_loss_parameters(app, o.loss_parameters);
  Option* const l2 = add_real(app, {"--l2", "LAMBDA", "strength of the regularisation"}, o.l2, positive);
  add_real(app,
           {"-c,--cost", "C",
            "the same in LIBLINEAR's terms, instead of --l2: C = 1 / (rows LAMBDA); half of that for the squared "
            "losses, which LIBLINEAR writes without the factor 1/2"},
           o.cost, positive)
      ->excludes(l2);
  add_bias(app, "the intercept (default: as in the model; none for a text of coefficients)", o.bias);
  add_solver_number(app, [&o](std::string_view loss) { o.loss = loss; });
  add_bias_constant(app, o.bias);
}

void add_coefficients(Command& app, VerifyOptions& o) {
  app.start_group("Without a certificate");
  add_switch(app, "--ignore-certificate", o.ignore_certificate,
             "judges the coefficients of a model with a certificate as those of one without");
  add_whole(app, {"--features", "N", "number of features, if the file does not show all"}, o.features, feature_counts);
  add_switch(app, "--tight", o.tight,
             "trains to find a closer lower bound; the gap is then at most twice the true one");
}

void add_data(Command& app, VerifyOptions& o) {
  app.start_group("Reading, as in the training");
  add_class_weights(app, o.class_weights, o.balanced_classes);
  add_row_weights(app, o.row_weights, o.weight_feature);
  add_choice(app, {"--index-base", "", "number of the first feature: auto is that of the training data (default auto)"},
             o.index_base, {"auto", "0", "1"});
  add_line_limit(app, o.line_limit);
}

void add_output(Command& app, VerifyOptions& o) {
  app.start_group("Output");
  add_switch(app, "--json", o.json, "the result as JSON on standard output, the report on standard error");
  add_switch(app, "-q,--quiet", o.quiet, "no report; errors, the exit code and --json remain");
}

}  // namespace

void add_verify(Command& program, Action& action) {
  const auto o = std::make_shared<VerifyOptions>();
  Command& app = program.add_command("verify", description);
  add_files(app, *o);
  add_claim(app, *o);
  add_problem(app, *o);
  add_coefficients(app, *o);
  add_data(app, *o);
  add_output(app, *o);
  app.footer = examples;
  app.callback = [o, &app, &action] {
    settle_data_and_model(app, o->data, o->model, {&o->certificate});
    if (o->model.empty()) throw UsageError("MODEL is required");
    action = [o] { return verify(*o); };
  };
}

}  // namespace geodescent::cli
