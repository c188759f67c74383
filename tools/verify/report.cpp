#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/text/counted.hpp"
#include "base/text/outward_text.hpp"
#include "common/options/loss_options.hpp"
#include "common/output.hpp"
#include "geodescent/version.hpp"
#include "verify/verify.hpp"

namespace geodescent::cli {
namespace {

using nlohmann::ordered_json;

std::string line(std::string_view name, const std::string& text) { return fmt::format("{:<12}{}\n", name, text); }

std::string objective_text(const VerifyReport& r) {
  const Risk& risk = r.risk;
  const char* const intercept = risk.bias == Bias::none   ? "no intercept"
                                : risk.bias == Bias::free ? "free intercept"
                                                          : "regularised intercept";
  return fmt::format("mean {} loss{} + l2/2 |w|^2 with l2 = {:.6g}, {}{}", risk.loss, parameter_text(risk), risk.l2,
                     intercept, r.of_classes.empty() ? "" : ", for each class against the rest");
}

/// A line for each class, or for those with the largest gaps.
std::string classes_text(const VerifyReport& r) {
  constexpr std::size_t most = 30, shown_of_more = 10;
  std::vector<std::size_t> order(r.of_classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::string text;
  std::string head = fmt::format("{}, the sums above:", order.size());
  if (order.size() > most) {
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t k) { return r.of_classes[k].relative_gap(); });
    order.resize(shown_of_more);
    head = fmt::format("{}, the sums above; those with the largest relative gaps:", r.of_classes.size());
  }
  for (const std::size_t k : order) {
    const ProvenGap& p = r.of_classes[k];
    text += fmt::format("  {:<10}value {}, lower bound {}, relative gap {}\n", fmt::format("{}", r.class_labels[k]),
                        text_above(p.value, 12), text_below(p.lower_bound, 12), text_above(p.relative_gap(), 3));
  }
  return text.empty() ? "" : line("classes", head) + text;
}

/// Empty if neither options nor certificate have sample weights.
std::string weights_text(const VerifyReport& r) {
  std::string text = r.sample_weights ? fmt::format("sample weights; {} with the total weight {:.10g}",
                                                    counted(r.rows, "row"), r.total_weight)
                                      : "";
  if (!r.class_weights.empty())
    text += fmt::format("{}class weights {}", text.empty() ? "" : "; ", text_of(r.class_weights));
  const bool weights = r.sample_weights || !r.class_weights.empty();
  const bool claims_weights = r.claimed && r.claimed->total_weight != static_cast<double>(r.claimed->rows);
  if (!r.claimed || r.claimed->total_weight == r.total_weight || !(weights || claims_weights)) return text;
  if (text.empty()) text = "no sample weights";
  return text + fmt::format("; in the certificate {} with the total weight {:.10g}", counted(r.claimed->rows, "row"),
                            r.claimed->total_weight);
}

/// Empty with a certificate.
std::string bound_text(const VerifyReport& r) {
  if (r.bound_from == "coefficients")
    return line("bound from", "the coefficients alone; --tight trains for a closer one");
  return r.bound_from == "training" ? line("bound from", "a training") : "";
}

/// The proven numbers, and the claimed ones if there is a claim.
std::string numbers_text(const VerifyReport& r) {
  const ProvenGap& p = r.proven;
  const auto claimed = [&r](std::string_view relation, std::string (*text)(double, int), double Certificate::*number,
                            int digits) {
    return r.claimed ? fmt::format(", claimed {} {}", relation, text((*r.claimed).*number, digits)) : "";
  };
  return line("value", text_above(p.value, 12) + claimed("<=", text_above, &Certificate::value, 12)) +
         line("lower bound", text_below(p.lower_bound, 12) + claimed(">=", text_below, &Certificate::lower_bound, 12)) +
         bound_text(r) +
         line("proven gap",
              fmt::format("{}, relative {}{}", text_above(p.gap(), 3), text_above(r.relative_gap, 3),
                          std::isinf(r.relative_gap) ? " (no improvement over coefficients 0 is proven)" : "") +
                  claimed("<=", text_above, &Certificate::relative_gap, 3)) +
         line("distance",
              fmt::format("the coefficients are at most {} from the optimal ones", text_above(p.distance_bound(), 3)));
}

std::string verdict_text(const VerifyReport& r) {
  if (!r.holds) return fmt::format("{}: {}", r.verdict(), one_line(r.reason));
  if (r.says_nothing())
    return fmt::format("{}: the claim holds, but the model is not shown to be better than one without features",
                       r.verdict());
  if (r.has_claim())
    return fmt::format("{}: the relative gap is at most {}", r.verdict(), text_above(r.relative_gap, 3));
  return fmt::format("{} to check; give one with --tol", r.verdict());
}

ordered_json name_or_null(const std::string& name) { return name.empty() ? ordered_json(nullptr) : ordered_json(name); }

ordered_json number_or_null(const std::optional<double>& number) {
  return number ? ordered_json(*number) : ordered_json(nullptr);
}

ordered_json claim_json(const VerifyReport& r, double Certificate::*number) {
  return r.claimed ? ordered_json((*r.claimed).*number) : ordered_json(nullptr);
}

/// One class against the rest; else null.
ordered_json classes_json(const VerifyReport& r) {
  if (r.of_classes.empty()) return nullptr;
  ordered_json all = ordered_json::array();
  for (std::size_t k = 0; k < r.of_classes.size(); ++k) {
    const ProvenGap& p = r.of_classes[k];
    all.push_back({{"label", r.class_labels[k]},
                   {"value", p.value},
                   {"lower_bound", p.lower_bound},
                   {"relative_gap", p.relative_gap()}});
  }
  return all;
}

ordered_json class_weights_json(const std::vector<ClassWeight>& class_weights) {
  ordered_json all = ordered_json::array();
  for (const ClassWeight& one : class_weights) all.push_back({{"label", one.label}, {"weight", one.weight}});
  return all;
}

}  // namespace

void VerifyReport::set_proven(const Verification& found, const LinearModel& judged) {
  proven = found.proven;
  relative_gap = found.relative_gap();
  of_classes = found.of_classes;
  class_labels.clear();
  if (!of_classes.empty())
    for (const ClassRows& one : judged.classes) class_labels.push_back(one.label);
}

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
  std::string text =
      line("data", fmt::format("{}: {}, {}", one_line(r.data), counted(r.rows, "row"), counted(r.features, "feature")));
  text += line("model", one_line(r.model));
  if (!r.certificate.empty())
    text += line("certificate", r.certificate == r.model ? "in the model" : one_line(r.certificate));
  if (const std::string weights = weights_text(r); !weights.empty()) text += line("weights", weights);
  text += line("objective", objective_text(r));
  if (!r.compared.empty()) text += line("asked for", fmt::format("this problem ({})", fmt::join(r.compared, ", ")));
  if (!r.hint.empty()) text += line("hint", r.hint);
  if (std::isfinite(r.proven.value)) text += numbers_text(r) + classes_text(r);
  return text + line("verdict", verdict_text(r));
}

ordered_json json_of(const VerifyReport& r) {
  const bool computed = std::isfinite(r.proven.value);
  ordered_json json = {{"verdict", r.verdict()},
                       {"reason", name_or_null(r.reason)},
                       {"value", r.proven.value},
                       {"lower_bound", computed ? ordered_json(r.proven.lower_bound) : ordered_json(nullptr)},
                       {"gap", r.proven.gap()},
                       {"relative_gap", r.relative_gap},
                       {"distance_bound", r.proven.distance_bound()},
                       {"reference_value", computed ? ordered_json(r.proven.reference) : ordered_json(nullptr)},
                       {"classes", classes_json(r)},
                       {"bound_from", r.bound_from},
                       {"claimed_value", claim_json(r, &Certificate::value)},
                       {"claimed_lower_bound", claim_json(r, &Certificate::lower_bound)},
                       {"claimed_relative_gap", claim_json(r, &Certificate::relative_gap)},
                       {"tolerance", number_or_null(r.tolerance)},
                       {"compared", r.compared},
                       {"hint", name_or_null(r.hint)},
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
