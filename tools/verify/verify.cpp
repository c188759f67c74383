#include "verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/counted.hpp"
#include "common/command.hpp"
#include "common/options/options.hpp"
#include "common/output.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/prediction.hpp"
#include "geodescent/learn/regularization.hpp"
#include "learn/model_file/weights.hpp"
#include "ranks/data.hpp"
#include "ranks/ranks.hpp"

namespace geodescent::cli {
namespace {

/// Reads the data with the options of `reading` and the line limit.
Dataset load(const VerifyOptions& o, LibsvmOptions reading, std::vector<ClassWeight> class_weights) {
  reading.line_limit = o.line_limit;
  return read_dataset_of_ranks(o.data, {.libsvm = std::move(reading),
                                        .row_weights = o.row_weights,
                                        .weight_feature = o.weight_feature,
                                        .class_weights = std::move(class_weights),
                                        .balanced_classes = o.balanced_classes});
}

void describe(VerifyReport& report, const Dataset& data, const LinearModel& model) {
  report.data = data.name;
  report.rows = number_of_rows(data);
  report.features = data.rows->columns();
  report.sample_weights = !data.weights.empty();
  report.total_weight = total_weight(data);
  report.class_weights = data.class_weights;
  report.risk = model.risk;
}

// With a certificate
// -------------------------------------------------------------------------------------------------

/// The objective of a solver of LIBLINEAR for which no bound can be proven; empty for others.
std::string unproven_objective(const std::string& solver) {
  if (solver.starts_with("L1R_")) return "an objective with |w| (L1) in place of |w|^2";
  if (solver == "L2R_L1LOSS_SVC_DUAL") return "the hinge loss, which is not smooth";
  if (solver == "MCSVM_CS") return "the loss of Crammer and Singer, which is not smooth";
  if (solver.starts_with("L2R_L1LOSS_SVR")) return "a loss that is not smooth";
  return solver.starts_with("L2R_L2LOSS_SVR") ? "a loss with LIBLINEAR's -p" : "";
}

/// The model with the certificate that was named, else with its own, else with that in MODEL.cert,
/// else without one.
CertifiedModel load_model(const VerifyOptions& o, std::string& certificate) {
  if (o.ignore_certificate) return {read_model(o.model), std::nullopt};
  certificate = o.certificate.empty() ? o.model : o.certificate;
  if (!o.certificate.empty()) return {read_model(o.model), read_certificate(o.certificate)};
  CertifiedModel found = read_certified_model(o.model);
  if (found.certificate) return found;
  certificate = o.model + ".cert";
  if (std::filesystem::exists(certificate))
    found.certificate = read_certificate(certificate);
  else
    certificate.clear();
  return found;
}

/// Options for coefficients without a certificate.
void require_effect(const VerifyOptions& o) {
  const auto refuse = [&](bool given, const char* option) {
    if (given)
      throw UsageError(
          fmt::format("{} has an effect only without a certificate, and {} has one; leave out {}, or add "
                      "--ignore-certificate",
                      option, o.model, option));
  };
  refuse(o.tight, "--tight");
  refuse(o.features.has_value(), "--features");
}

[[noreturn]] void refuse_problem(const std::string& place, const std::string& certified, const std::string& asked) {
  throw InputError(fmt::format(
      "{}: the certificate is for {}, but {} was asked for; leave out the option to check the certificate as "
      "it is, or judge the coefficients alone with --ignore-certificate",
      place, certified, asked));
}

/// Throws InputError if the certificate is for another problem than the options name. Returns the
/// options.
std::vector<std::string> compared_options(const VerifyOptions& o, const Risk& risk, double total_weight,
                                          const std::string& place) {
  std::vector<std::string> compared;
  const auto compare = [&](const char* option, auto&& certified, auto&& asked) {
    if (certified != asked)
      refuse_problem(place, fmt::format("{} {}", option, certified), fmt::format("{} {}", option, asked));
    compared.emplace_back(option);
  };
  if (o.loss) compare("--loss", risk.loss, *o.loss);
  o.loss_parameters.require_fit(risk.loss);
  for (const std::string& option : o.loss_parameters.given())
    compare(option.c_str(), risk.loss_parameter, *o.loss_parameters.of(risk.loss));
  if (o.l2) compare("--l2", risk.l2, *o.l2);
  if (o.cost) {
    if (l2_from_c(risk.loss, *o.cost, total_weight) != risk.l2)
      refuse_problem(place, fmt::format("--cost {} (l2 = {})", c_from_l2(risk.loss, risk.l2, total_weight), risk.l2),
                     fmt::format("--cost {} (l2 = {})", *o.cost, l2_from_c(risk.loss, *o.cost, total_weight)));
    compared.emplace_back("--cost");
  }
  if (o.bias) compare("--bias", std::string_view(to_string(risk.bias)), std::string_view(to_string(*o.bias)));
  return compared;
}

/// A certificate that states no class weights may be of a training with class weights that it did
/// not state.
void require_agreement(const std::vector<ClassWeight>& given, const Certificate& certificate,
                       const std::string& place) {
  if (certificate.class_weights.empty() || given == certificate.class_weights) return;
  throw InputError(fmt::format("{}: its class weights are {}, and -w gives others; leave out -w", place,
                               text_of(certificate.class_weights)));
}

/// Those of the certificate, unless the option gives some.
std::vector<ClassWeight> class_weights_of(const Certificate& certificate, const VerifyOptions& o,
                                          const std::string& place) {
  if (o.balanced_classes) return {};  // known when the data are read
  if (o.class_weights.empty()) return certificate.class_weights;
  require_agreement(combined(o.class_weights), certificate, place);
  return o.class_weights;
}

VerifyReport verify_claim(const VerifyOptions& o, CertifiedModel claim, const std::string& place) {
  require_effect(o);
  VerifyReport report;
  report.certificate = place;
  const LinearModel& model = claim.model;
  Certificate& certificate = *claim.certificate;
  const Dataset data = load(o,
                            {.index_base = index_base(o.index_base, model),
                             .features = model.features(),
                             .index_advice = "give the data that the model was trained on"},
                            class_weights_of(certificate, o, place));
  if (o.balanced_classes) require_agreement(data.class_weights, certificate, place);
  Verification found = geodescent::verify(data, model, certificate);
  describe(report, data, model);
  report.risk = certificate.risk;
  // The C of other data than those of the certificate would be another one.
  if (found.holds) report.compared = compared_options(o, certificate.risk, certificate.total_weight, place);
  report.bound_from = "certificate";
  report.set_proven(found, model);
  report.holds = found.holds;
  report.reason = std::move(found.reason);
  certificate.dual = {};
  for (Claim& one : certificate.claims) one.dual = {};
  report.claimed = std::move(certificate);
  return report;
}

// Without one
// -------------------------------------------------------------------------------------------------

/// Coefficients, intercept and labels. Of the risk only the kind of intercept is set.
LinearModel model_in_file(const VerifyOptions& o, LinearModel model) {
  if (!o.bias) return model;
  const Bias wanted = *o.bias;
  for (std::size_t k = 0; k < model.outputs(); ++k)
    if (wanted == Bias::none && model.intercept(k) != 0)
      throw InputError(
          fmt::format("{}: the model has an intercept, {}; --bias none does not fit it", o.model, model.intercept(k)));
  // An intercept of another kind keeps its size.
  if (wanted != model.risk.bias && model.risk.bias != Bias::none) {
    for (std::size_t k = 0; k < model.bias_weights.size(); ++k) model.bias_weights[k] = model.intercept(k);
    model.risk.constant = 1;
  }
  model.risk.bias = wanted;
  return model;
}

LinearModel model_in_numbers(const VerifyOptions& o) {
  LinearModel model;
  model.risk.bias = o.bias.value_or(Bias::none);
  model.weights = read_weights(o.model);
  if (model.risk.bias == Bias::none) return model;
  model.bias_weights = {model.weights.back()};
  model.weights.pop_back();
  return model;
}

void check_numbers(const VerifyOptions& o, const LinearModel& model, const VerifyReport& report) {
  if (model.features() == report.features) return;
  const std::size_t intercepts = model.risk.bias == Bias::none ? 0 : 1;
  throw InputError(
      fmt::format("{}: {}, but {} has {}{}; give one coefficient for each, or the number of features with --features",
                  o.model, counted(model.features() + intercepts, "number"), report.data,
                  counted(report.features, "feature"), intercepts > 0 ? ", and the intercept is one number more" : ""));
}

std::string labels_text(std::vector<double> labels) {
  constexpr std::size_t most = 8;
  if (labels.size() == 2) return fmt::format("{} and {}", labels[0], labels[1]);
  const std::size_t count = labels.size();
  labels.resize(std::min(most, count));
  return count > most ? fmt::format("{}, ... ({} labels)", fmt::join(labels, ", "), count)
                      : fmt::format("{}", fmt::join(labels, ", "));
}

void check_labels(const VerifyOptions& o, const LinearModel& model, const Dataset& data) {
  if (!model.is_classifier() || loss_named(*o.loss).task == Task::regression) return;
  std::vector<double> known = labels_in_file_order(model), found;
  std::ranges::sort(known);
  for (const ClassRows& one : class_rows(data)) found.push_back(one.label);
  if (known != found)
    throw InputError(fmt::format("{}: the model is for the labels {}, but {} has {}; give the data it was trained on",
                                 o.model, labels_text(known), data.name, labels_text(found)));
}

/// Softmax has a column of coefficients for each class, and regressions have one.
void check_columns(const VerifyOptions& o, const LinearModel& model) {
  const LossInfo& loss = loss_named(*o.loss);
  const bool several = model.outputs() > 1;
  if (several ? loss.task == Task::classification : !loss.joint) return;
  throw UsageError(fmt::format("--loss {} is for {}, but {} has {}; choose another loss", loss.name,
                               loss.joint ? "models with coefficients for each class" : "regressions", o.model,
                               several ? fmt::format("{} classes", model.outputs()) : "one column of coefficients"));
}

void set_risk(LinearModel& model, const VerifyOptions& o, const Dataset& data) {
  model.risk.loss = *o.loss;
  model.risk.loss_parameter = o.loss_parameters.of(*o.loss).value_or(0);
  model.risk.l2 = o.cost ? l2_from_c(*o.loss, *o.cost, total_weight(data)) : *o.l2;
  if (model.risk.l2 > 0 && std::isfinite(model.risk.l2)) return;
  throw UsageError(fmt::format(
      "--cost {} on rows of total weight {} means --l2 {}, which is not a positive number; give another --cost",
      *o.cost, total_weight(data), model.risk.l2));
}

void require_problem(const VerifyOptions& o, const LinearModel* model) {
  if (!o.loss) {
    const std::string other = model == nullptr ? "" : unproven_objective(model->solver);
    if (!other.empty())
      throw InputError(fmt::format(
          "{}: {} minimises {}, and no bound is proven for that; give --loss and --l2 (or --cost) to judge the "
          "coefficients by another objective",
          o.model, model->solver, other));
    throw InputError(fmt::format(
        "{}: a model without a certificate; name one, or give --loss and --l2 (or --cost) to judge the coefficients "
        "alone",
        o.model));
  }
  if (!o.l2 && !o.cost) throw UsageError("--loss needs the strength of the regularisation as well: --l2 or --cost");
  o.loss_parameters.require_fit(*o.loss);
}

/// A doubt about the loss; empty if there is none. A model of LIBLINEAR has a loss in its
/// solver_type, one of ours in its section.
std::string hint_about_loss(const LinearModel& model, const std::string& loss) {
  if (const std::string other = unproven_objective(model.solver); !other.empty())
    return fmt::format("{} minimises {}; the model is judged with --loss {} and may be far from its minimum",
                       model.solver, other, loss);
  if (model.risk.loss.empty() || model.risk.loss == loss) return "";
  return fmt::format("the model was trained with the loss {}, but is judged with --loss {}", model.risk.loss, loss);
}

/// Proves what follows from the coefficients, or with --tight from a training. No model: MODEL has
/// numbers.
VerifyReport judge_coefficients(const VerifyOptions& o, std::optional<LinearModel> file) {
  require_problem(o, file ? &*file : nullptr);
  VerifyReport report;
  const bool numbers = !file;
  if (file) report.hint = hint_about_loss(*file, *o.loss);
  LinearModel model = numbers ? model_in_numbers(o) : model_in_file(o, *std::move(file));
  LibsvmOptions reading{.index_base = numbers ? index_base(o.index_base) : index_base(o.index_base, model),
                        .features = o.features};
  if (!numbers && !o.features) {
    reading.features = model.features();
    reading.index_advice = model.has_section
                               ? "give the data that the model was trained on"
                               : "give the data that the model was trained on, or their first index with --index-base";
  }
  const Dataset data = load(o, std::move(reading), o.class_weights);
  set_risk(model, o, data);
  describe(report, data, model);
  check_numbers(o, model, report);
  check_labels(o, model, data);
  check_columns(o, model);
  const Verification alone = judge(data, model);
  report.set_proven(o.tight ? tightened(data, model, alone, o.quiet) : alone, model);
  report.bound_from = o.tight ? "training" : "coefficients";
  return report;
}

VerifyReport verify_any(const VerifyOptions& o) {
  // A pipe can be read only once, so its first bytes cannot be looked at: with --loss it must have
  // numbers.
  const bool numbers =
      o.loss && o.certificate.empty() && (!std::filesystem::is_regular_file(o.model) || is_list_of_numbers(o.model));
  if (numbers) return judge_coefficients(o, std::nullopt);
  std::string place;
  CertifiedModel found;
  on_every_rank([&] { found = load_model(o, place); });
  require_same_file_on_ranks(o.model);
  if (!place.empty() && place != o.model) require_same_file_on_ranks(place);
  if (found.certificate) return verify_claim(o, std::move(found), place);
  return judge_coefficients(o, std::move(found.model));
}

/// --tol is a claim of the caller.
void apply_tolerance(VerifyReport& report, std::optional<double> tolerance) {
  report.tolerance = tolerance;
  if (!tolerance || !report.holds || report.relative_gap <= *tolerance) return;
  report.holds = false;
  report.reason = fmt::format("the relative gap is {}, more than --tol {}", report.relative_gap, *tolerance);
}

}  // namespace

int verify(const VerifyOptions& o) {
  if (std::ranges::find(o.data, "-") != o.data.end() && o.model == "-")
    throw UsageError("DATA and MODEL cannot both come from standard input");
  if (o.ignore_certificate && !o.certificate.empty())
    throw UsageError("--ignore-certificate contradicts CERTIFICATE; leave out one of them");
  VerifyReport report = verify_any(o);
  report.model = o.model;
  apply_tolerance(report, o.tolerance);
  if (!o.quiet) o.json ? print_error(text_of(report)) : print_out(text_of(report));
  if (o.json) print_json(json_of(report));
  if (!report.holds) return not_reached;
  return report.says_nothing() ? nothing_said : success;
}

}  // namespace geodescent::cli
