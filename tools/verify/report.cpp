#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "common/loss_options.hpp"
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

/// What is proven and, where there is a claim, what it says.
std::string numbers_text(const VerifyReport& r) {
  const ProvenGap& p = r.proven;
  const auto claimed = [&r](double Certificate::*number, std::string_view relation, const char* format) {
    if (!r.claimed) return std::string();
    return fmt::format(", claimed {} {}", relation, fmt::format(fmt::runtime(format), (*r.claimed).*number));
  };
  return line("value", fmt::format("{:.12g}", p.value) + claimed(&Certificate::value, "<=", "{:.12g}")) +
         line("lower bound",
              fmt::format("{:.12g}", p.lower_bound) + claimed(&Certificate::lower_bound, ">=", "{:.12g}")) +
         line("proven gap", fmt::format("{:.3g}, relative {:.3g}", p.gap(), p.relative_gap()) +
                                claimed(&Certificate::relative_gap, "<=", "{:.3g}")) +
         line("distance", fmt::format("the weights are at most {:.3g} from the optimal ones", p.distance_bound()));
}

std::string verdict_text(const VerifyReport& r) {
  if (!r.holds) return fmt::format("{}: {}", r.verdict(), r.reason);
  return r.has_claim() ? r.verdict() : fmt::format("{} to check; give one with --tol", r.verdict());
}

ordered_json name_or_null(const std::string& name) { return name.empty() ? ordered_json(nullptr) : ordered_json(name); }

ordered_json number_or_null(const std::optional<double>& number) {
  return number ? ordered_json(*number) : ordered_json(nullptr);
}

ordered_json claim_json(const VerifyReport& r, double Certificate::*number) {
  return r.claimed ? ordered_json((*r.claimed).*number) : ordered_json(nullptr);
}

}  // namespace

const char* VerifyReport::verdict() const {
  if (!holds) return "fails";
  return has_claim() ? "holds" : "no claim";
}

std::string text_of(const VerifyReport& r) {
  std::string text = line("data", fmt::format("{}: {} rows, {} features", r.data, r.rows, r.features));
  text += line("model", r.model);
  if (!r.certificate.empty()) text += line("certificate", r.certificate);
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
               {"version", GEODESCENT_VERSION_STRING}});
  return json;
}

}  // namespace geodescent::cli
