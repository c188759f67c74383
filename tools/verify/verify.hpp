// `geodescent verify`: what it can be told, the work itself, and what it found.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/loss_options.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent::cli {

struct VerifyOptions {
  std::string data;
  std::string model;
  std::string certificate;  ///< empty: in the model or beside it

  // Without a certificate: what the weights are judged by.
  std::optional<std::string> loss;
  LossParameterOptions loss_parameters;
  std::optional<double> l2;
  std::optional<double> cost;
  std::optional<std::string> bias;
  std::optional<std::uint64_t> features;
  bool tight = false;

  std::optional<double> tolerance;

  std::string row_weights;
  std::optional<std::uint32_t> weight_feature;
  std::vector<ClassWeight> class_weights;
  bool balanced_classes = false;
  std::string index_base = "auto";
  std::size_t line_limit = default_line_limit;

  bool json = false;
  bool quiet = false;
};

struct VerifyReport {
  std::string data;
  std::string model;
  Risk risk;
  std::size_t rows = 0;
  std::size_t features = 0;
  bool sample_weights = false;             ///< given in this verification
  std::vector<ClassWeight> class_weights;  ///< given or stated by the certificate
  double total_weight = 0;                 ///< what the rows count together: their number without sample weights
  ProvenGap proven;
  std::string bound_from;   ///< what the lower bound was computed from: coefficients, training or certificate
  std::string certificate;  ///< its file; empty: none
  std::optional<Certificate> claimed;  ///< without its dual point
  std::optional<double> tolerance;
  bool holds = true;
  std::string reason;  ///< why it does not

  bool has_claim() const { return claimed || tolerance; }
  /// A relative gap that is infinite is no claim about how good a model is.
  bool says_nothing() const { return !tolerance && claimed && !std::isfinite(claimed->relative_gap); }
  const char* verdict() const;
};

/// As `alone`, which the coefficients prove, or with the lower bound of a training where that is closer. The training
/// ends when the gap is proven to be at most twice the distance from the minimum, or by the precision of doubles, or by
/// an interrupt.
ProvenGap tightened(const Dataset& data, const LinearModel& model, const ProvenGap& alone, bool quiet);

/// Returns the exit code.
int verify(const VerifyOptions& options);

/// "1: 2.5, 3: 0"
std::string text_of(const std::vector<ClassWeight>& class_weights);

/// A few lines for a person.
std::string text_of(const VerifyReport& report);
nlohmann::ordered_json json_of(const VerifyReport& report);

}  // namespace geodescent::cli
