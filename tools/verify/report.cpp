#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/outward_text.hpp"
#include "common/loss_options.hpp"
#include "common/output.hpp"
#include "geodescent/version.hpp"
#include "verify/verify.hpp"

namespace geodescent::cli {
namespace {

using nlohmann::ordered_json;

std::string line(std::string_view name, const std::string& text) { return fmt::format("{:<12}{}\n", name, text); }

std::string objective_text(const Risk& risk) {
  const char* const intercept = risk.bias == Bias::none   ? "no intercept"
                                : risk.bias == Bias::free ? "free intercept"
                                                          : "regularised intercept";
  return fmt::format("mean {} loss{} + l2/2 |w|^2 with l2 = {:.6g}, {}", risk.loss, parameter_text(risk), risk.l2,
                     intercept);
}

/// Empty without sample weights, here and in the certificate.
std::string weights_text(const VerifyReport& r) {
  std::string text =
      r.sample_weights ? fmt::format("sample weights; {} rows count as {:.10g}", r.rows, r.total_weight) : "";
  if (!r.class_weights.empty())
    text += fmt::format("{}class weights {}", text.empty() ? "" : "; ", text_of(r.class_weights));
  const bool weights = r.sample_weights || !r.class_weights.empty();
  const bool claims_weights = r.claimed && r.claimed->total_weight != static_cast<double>(r.claimed->rows);
  if (!r.claimed || r.claimed->total_weight == r.total_weight || !(weights || claims_weights)) return text;
  if (text.empty()) text = "no sample weights";
  return text + fmt::format("; in the certificate {} rows count as {:.10g}", r.claimed->rows, r.claimed->total_weight);
}

/// Where there is no certificate.
std::string bound_text(const VerifyReport& r) {
  if (r.bound_from == "coefficients")
    return line("bound from", "the coefficients alone; --tight trains for a closer one");
  return r.bound_from == "training" ? line("bound from", "a training") : "";
}

/// What is proven and, where there is a claim, what it says.
std::string numbers_text(const VerifyReport& r) {
  const ProvenGap& p = r.proven;
  const auto claimed = [&r](std::string_view relation, std::string (*text)(double, int), double Certificate::*number,
                            int digits) {
    return r.claimed ? fmt::format(", claimed {} {}", relation, text((*r.claimed).*number, digits)) : "";
  };
  return line("value", text_above(p.value, 12) + claimed("<=", text_above, &Certificate::value, 12)) +
         line("lower bound", text_below(p.lower_bound, 12) + claimed(">=", text_below, &Certificate::lower_bound, 12)) +
         bound_text(r) +
         line("proven gap", fmt::format("{}, relative {}", text_above(p.gap(), 3), text_above(p.relative_gap(), 3)) +
                                claimed("<=", text_above, &Certificate::relative_gap, 3)) +
         line("distance",
              fmt::format("the coefficients are at most {} from the optimal ones", text_above(p.distance_bound(), 3)));
}

std::string verdict_text(const VerifyReport& r) {
  if (!r.holds) return fmt::format("{}: {}", r.verdict(), one_line(r.reason));
  if (r.says_nothing())
    return fmt::format("{}: the claim holds, but the model is not shown to be better than one without features",
                       r.verdict());
  return r.has_claim() ? r.verdict() : fmt::format("{} to check; give one with --tol", r.verdict());
}

ordered_json name_or_null(const std::string& name) { return name.empty() ? ordered_json(nullptr) : ordered_json(name); }

ordered_json number_or_null(const std::optional<double>& number) {
  return number ? ordered_json(*number) : ordered_json(nullptr);
}

ordered_json claim_json(const VerifyReport& r, double Certificate::*number) {
  return r.claimed ? ordered_json((*r.claimed).*number) : ordered_json(nullptr);
}

ordered_json class_weights_json(const std::vector<ClassWeight>& class_weights) {
  ordered_json all = ordered_json::array();
  for (const ClassWeight& one : class_weights) all.push_back({{"label", one.label}, {"weight", one.weight}});
  return all;
}

}  // namespace

const char* VerifyReport::verdict() const {
  if (!holds) return "fails";
  if (says_nothing()) return "says nothing";
  return has_claim() ? "holds" : "no claim";
}

std::string text_of(const std::vector<ClassWeight>& class_weights) {
  std::string text;
  for (const ClassWeight& one : class_weights)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", one.label, one.weight);
  return text;
}

std::string text_of(const VerifyReport& r) {
  std::string text = line("data", fmt::format("{}: {} rows, {} features", one_line(r.data), r.rows, r.features));
  text += line("model", one_line(r.model));
  if (!r.certificate.empty())
    text += line("certificate", r.certificate == r.model ? "in the model" : one_line(r.certificate));
  if (const std::string weights = weights_text(r); !weights.empty()) text += line("weights", weights);
  text += line("objective", objective_text(r.risk));
  if (std::isfinite(r.proven.value)) text += numbers_text(r);
  return text + line("verdict", verdict_text(r));
}

ordered_json json_of(const VerifyReport& r) {
  const bool computed = std::isfinite(r.proven.value);
  ordered_json json = {{"verdict", r.verdict()},
                       {"reason", name_or_null(r.reason)},
                       {"value", r.proven.value},
                       {"lower_bound", computed ? ordered_json(r.proven.lower_bound) : ordered_json(nullptr)},
                       {"gap", r.proven.gap()},
                       {"relative_gap", r.proven.relative_gap()},
                       {"distance_bound", r.proven.distance_bound()},
                       {"reference_value", computed ? ordered_json(r.proven.reference) : ordered_json(nullptr)},
                       {"bound_from", r.bound_from},
                       {"claimed_value", claim_json(r, &Certificate::value)},
                       {"claimed_lower_bound", claim_json(r, &Certificate::lower_bound)},
                       {"claimed_relative_gap", claim_json(r, &Certificate::relative_gap)},
                       {"tolerance", number_or_null(r.tolerance)},
                       {"data", r.data},
                       {"model", r.model},
                       {"certificate", name_or_null(r.certificate)},
                       {"loss", r.risk.loss}};
  json.update(parameters_json(r.risk));
  json.update({{"l2", r.risk.l2},
               {"bias", to_string(r.risk.bias)},
               {"rows", r.rows},
               {"features", r.features},
               {"sample_weights", r.sample_weights},
               {"class_weights", class_weights_json(r.class_weights)},
               {"total_weight", r.total_weight},
               {"claimed_total_weight", claim_json(r, &Certificate::total_weight)},
               {"version", GEODESCENT_VERSION_STRING}});
  return json;
}

}  // namespace geodescent::cli
