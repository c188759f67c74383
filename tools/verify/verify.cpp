#include "verify/verify.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/command.hpp"
#include "common/options.hpp"
#include "common/output.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/regularization.hpp"
#include "learn/model_file/weights.hpp"

namespace geodescent::cli {
namespace {

/// An option that has no effect is a misunderstanding: better said than ignored.
void check_combinations(const VerifyOptions& o) {
  if (o.loss) {
    if (!o.certificate.empty())
      throw UsageError("--loss judges the weights without a certificate; leave out CERTIFICATE or --loss");
    if (!o.l2 && !o.cost) throw UsageError("--loss needs the strength of the regularisation as well: --l2 or --cost");
    o.loss_parameters.require_fit(*o.loss);
    return;
  }
  const auto only_with_loss = [](bool given, const char* option) {
    if (given)
      throw UsageError(
          fmt::format("{} has an effect only with --loss; model and certificate say it themselves", option));
  };
  for (const std::string& option : o.loss_parameters.given()) only_with_loss(true, option.c_str());
  only_with_loss(o.l2.has_value(), "--l2");
  only_with_loss(o.cost.has_value(), "--cost");
  only_with_loss(o.bias.has_value(), "--bias");
  only_with_loss(o.features.has_value(), "--features");
  only_with_loss(o.tight, "--tight");
  only_with_loss(o.index_base != "auto", "--index-base");
}

/// The data as the model sees them; without a model to say how features are numbered, as the file looks. `reading` has
/// all but the line limit.
Dataset load(const VerifyOptions& o, LibsvmOptions reading, std::vector<ClassWeight> class_weights) {
  reading.line_limit = o.line_limit;
  return read_dataset(o.data, {.libsvm = std::move(reading),
                               .row_weights = o.row_weights,
                               .weight_feature = o.weight_feature,
                               .class_weights = std::move(class_weights),
                               .balanced_classes = o.balanced_classes});
}

void describe(VerifyReport& report, const Dataset& data, const LinearModel& model) {
  report.data = data.name;
  report.rows = data.targets.size();
  report.features = data.rows->columns();
  report.sample_weights = !data.weights.empty();
  report.total_weight = total_weight(data);
  report.class_weights = data.class_weights;
  report.risk = model.risk;
}

// With a certificate
// ---------------------------------------------------------------------------------------------------

/// The certificate that was named, else the one in the model, else the one beside it: where it was before models
/// contained theirs.
CertifiedModel load_claim(const VerifyOptions& o, std::string& certificate) {
  certificate = o.certificate.empty() ? o.model : o.certificate;
  if (!o.certificate.empty()) return {read_model(o.model), read_certificate(o.certificate)};
  CertifiedModel found = read_certified_model(o.model);
  if (found.certificate) return found;
  certificate = o.model + ".cert";
  if (!std::filesystem::exists(certificate))
    throw InputError(fmt::format(
        "{}: a model without a certificate; name one, or give --loss and --l2 to judge the weights by themselves",
        o.model));
  found.certificate = read_certificate(certificate);
  return found;
}

/// A certificate that states no class weights may be of a training with class weights that it did not state.
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

VerifyReport verify_claim(const VerifyOptions& o) {
  VerifyReport report;
  CertifiedModel claim = load_claim(o, report.certificate);
  const LinearModel& model = claim.model;
  Certificate& certificate = *claim.certificate;
  const Dataset data = load(o,
                            {.index_base = index_base(o.index_base, model),
                             .features = model.weights.size(),
                             .index_advice = "give the data that the model was trained on"},
                            class_weights_of(certificate, o, report.certificate));
  if (o.balanced_classes) require_agreement(data.class_weights, certificate, report.certificate);
  Verification found = geodescent::verify(data, model, certificate);
  describe(report, data, model);
  report.risk = certificate.risk;
  report.bound_from = "certificate";
  report.proven = found.proven;
  report.holds = found.holds;
  report.reason = std::move(found.reason);
  certificate.dual = {};
  report.claimed = std::move(certificate);
  return report;
}

// Without one
// ----------------------------------------------------------------------------------------------------------

Bias bias_named(const std::string& name) {
  for (const Bias bias : {Bias::free, Bias::regularized})
    if (name == to_string(bias)) return bias;
  return Bias::none;
}

/// Weights, intercept and labels; of the risk only what is said about the intercept.
LinearModel model_in_file(const VerifyOptions& o) {
  LinearModel model = read_model(o.model);
  if (!o.bias) return model;
  const Bias wanted = bias_named(*o.bias);
  if (wanted == Bias::none && model.intercept() != 0) {
    throw InputError(
        fmt::format("{}: the model has an intercept, {}; --bias none does not fit it", o.model, model.intercept()));
  }
  // An intercept of another kind keeps its size.
  if (wanted != model.risk.bias && model.risk.bias != Bias::none) {
    model.bias_weight = model.intercept();
    model.risk.constant = 1;
  }
  model.risk.bias = wanted;
  return model;
}

LinearModel model_in_numbers(const VerifyOptions& o) {
  LinearModel model;
  model.risk.bias = bias_named(o.bias.value_or("none"));
  model.weights = read_weights(o.model);
  if (model.risk.bias == Bias::none) return model;
  model.bias_weight = model.weights.back();
  model.weights.pop_back();
  return model;
}

void check_numbers(const VerifyOptions& o, const LinearModel& model, const VerifyReport& report) {
  if (model.weights.size() == report.features) return;
  const std::size_t intercepts = model.risk.bias == Bias::none ? 0 : 1;
  throw InputError(
      fmt::format("{}: {} numbers, but {} has {} features{}; give one weight for each, or the number of "
                  "features with --features",
                  o.model, model.weights.size() + intercepts, report.data, report.features,
                  intercepts > 0 ? ", and the intercept is one number more" : ""));
}

void check_labels(const VerifyOptions& o, const LinearModel& model, const Dataset& data) {
  if (!model.labels || loss_named(*o.loss).task == Task::regression) return;
  const BinaryLabels labels = binary_labels(data);
  if (labels.negative == model.labels->negative && labels.positive == model.labels->positive) return;
  throw InputError(fmt::format(
      "{}: the model is for the labels {} and {}, but {} has {} and {}; give the data it was "
      "trained on",
      o.model, model.labels->negative, model.labels->positive, data.name, labels.negative, labels.positive));
}

void set_risk(LinearModel& model, const VerifyOptions& o, const Dataset& data) {
  model.risk.loss = *o.loss;
  model.risk.loss_parameter = o.loss_parameters.of(*o.loss).value_or(0);
  model.risk.l2 = o.cost ? l2_from_c(*o.loss, *o.cost, total_weight(data)) : *o.l2;
  if (model.risk.l2 > 0 && std::isfinite(model.risk.l2)) return;
  throw UsageError(fmt::format("--cost {} on rows of total weight {} means --l2 {}, which is no positive number",
                               *o.cost, total_weight(data), model.risk.l2));
}

/// What the coefficients themselves prove, or with --tight a training.
VerifyReport judge_weights(const VerifyOptions& o) {
  VerifyReport report;
  // What can be read only once is taken for numbers.
  const bool numbers = !std::filesystem::is_regular_file(o.model) || is_list_of_numbers(o.model);
  LinearModel model = numbers ? model_in_numbers(o) : model_in_file(o);
  LibsvmOptions reading{.index_base = numbers ? index_base(o.index_base) : index_base(o.index_base, model),
                        .features = o.features};
  if (!numbers && !o.features) {
    reading.features = model.weights.size();
    reading.index_advice = model.has_section
                               ? "give the data that the model was trained on"
                               : "give the data that the model was trained on, or their first index with --index-base";
  }
  const Dataset data = load(o, std::move(reading), o.class_weights);
  set_risk(model, o, data);
  describe(report, data, model);
  check_numbers(o, model, report);
  check_labels(o, model, data);
  const DualPoint dual = rounded_dual(data, model.risk, slopes_at(data, model), 8);
  report.proven = prove(data, model, dual);
  report.bound_from = "coefficients";
  if (!o.tight) return report;
  report.proven = tightened(data, model, report.proven, o.quiet);
  report.bound_from = "training";
  return report;
}

/// --tol is a claim of the caller.
void apply_tolerance(VerifyReport& report, std::optional<double> tolerance) {
  report.tolerance = tolerance;
  if (!tolerance || !report.holds || report.proven.relative_gap() <= *tolerance) return;
  report.holds = false;
  report.reason = fmt::format("the relative gap is {}, more than --tol {}", report.proven.relative_gap(), *tolerance);
}

}  // namespace

int verify(const VerifyOptions& o) {
  check_combinations(o);
  if (o.data == "-" && o.model == "-") throw UsageError("data and weights cannot both come from standard input");
  VerifyReport report = o.loss ? judge_weights(o) : verify_claim(o);
  report.model = o.model;
  apply_tolerance(report, o.tolerance);
  if (!o.quiet) o.json ? print_error(text_of(report)) : print_out(text_of(report));
  if (o.json) print_json(json_of(report));
  if (!report.holds) return not_reached;
  return report.says_nothing() ? nothing_said : success;
}

}  // namespace geodescent::cli
