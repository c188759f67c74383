// The options of `geodescent verify`.
#include <memory>

#include "common/command.hpp"
#include "common/options.hpp"
#include "verify/verify.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* description =
    R"(Checks the proof that a model is nearly optimal.

Computes anew, from DATA, the weights of MODEL and the dual point of its certificate, what f(w) = mean loss + l2/2 |w|^2 is at the weights and what no weights can beat. Nothing that the training computed is trusted: a claim holds when it follows from the data, with all roundings paid for. It fails when the claim does not follow from these data and weights; a change that leaves the claim true is not noticed.

  value         f at the weights is at most this
  lower bound   no weights at all give f a smaller value
  proven gap    value - lower bound: f is at most this far above its minimum
  relative gap  the gap as a part of what training can gain over weights 0 (with
                the best intercept)
  distance      from the optimal coefficients, follows from the gap

With --loss and --l2 (or --cost) no certificate is needed: MODEL may be a model of any program, ours or LIBLINEAR's, or a text with one weight a line (with --bias free or regularized the last one is the intercept), and what is proven follows from the weights themselves. Coefficients that are far from optimal prove little; --tight trains as geodescent train does, for a closer lower bound.

Exit codes: 0 the claim holds, or there was none; 1 it does not hold; 2 usage; 3 a file cannot be used; 4 the claim holds but says nothing, as its gap is infinite.)";

constexpr const char* examples = R"(Examples:

  geodescent verify data.svm data.model
  geodescent verify --tol 1e-6 data.svm data.model other.cert
  geodescent verify --loss squared-hinge -c 1 --tight data.svm liblinear.model
  geodescent verify --loss logistic --l2 1e-4 --bias free data.svm weights.txt)";

void add_files(Command& app, VerifyOptions& o) {
  add_text(app,
           {"DATA", "DATA",
            "the data of the training: LIBSVM text, plain or compressed, or a file of convert; - for standard input"},
           o.data)
      ->required();
  add_text(app, {"MODEL", "MODEL", "a model; with --loss also a text with one weight a line"}, o.model)->required();
  add_text(app, {"CERTIFICATE", "CERTIFICATE", "the proof, where MODEL does not contain it (default: MODEL.cert)"},
           o.certificate);
}

void add_claim(Command& app, VerifyOptions& o) {
  app.start_group("The claim");
  add_real(app, {"--tol", "T", "also requires that the proven relative gap is at most T"}, o.tolerance, not_negative);
}

void add_problem(Command& app, VerifyOptions& o) {
  app.start_group("Without a certificate");
  add_choice(app, {"--loss", "", "the loss that the weights are judged by"}, o.loss, names_in(losses()));
  add_loss_parameters(app, o.loss_parameters);
  Option* const l2 = add_real(app, {"--l2", "LAMBDA", "strength of the regularisation"}, o.l2, positive);
  add_real(app,
           {"-c,--cost", "C",
            "the same in LIBLINEAR's terms, instead of --l2: C = 1 / (rows LAMBDA); half of that for the squared "
            "losses, which LIBLINEAR writes without the factor 1/2"},
           o.cost, positive)
      ->excludes(l2);
  add_choice(app, {"--bias", "", "the intercept (default: as in the model; none for a text of weights)"}, o.bias,
             {"free", "regularized", "none"});
  add_whole(app, {"--features", "N", "number of features, when the file does not show all of them"}, o.features,
            feature_counts);
  add_switch(app, "--tight", o.tight,
             "trains for the lower bound, until the gap is at most twice the distance from the minimum");
}

void add_data(Command& app, VerifyOptions& o) {
  app.start_group("Reading, as in the training");
  add_class_weights(app, o.class_weights, o.balanced_classes);
  add_row_weights(app, o.row_weights, o.weight_feature);
  add_choice(app, {"--index-base", "", "first index of a row: auto is the one of the training data (default auto)"},
             o.index_base, {"auto", "0", "1"});
  add_line_limit(app, o.line_limit);
}

void add_output(Command& app, VerifyOptions& o) {
  app.start_group("Output");
  add_switch(app, "--json", o.json, "what was found on standard output as JSON, everything else on standard error");
  add_switch(app, "-q,--quiet", o.quiet, "no report; errors, the exit code and --json remain");
}

}  // namespace

void add_verify(Command& program, Action& action) {
  const auto o = std::make_shared<VerifyOptions>();
  Command& app = program.add_command("verify", description);
  add_files(app, *o);
  add_claim(app, *o);
  add_problem(app, *o);
  add_data(app, *o);
  add_output(app, *o);
  app.footer = examples;
  app.callback = [o, &action] { action = [o] { return verify(*o); }; };
}

}  // namespace geodescent::cli
