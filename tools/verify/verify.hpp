// `geodescent verify`: its options, its report, and the command.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/options/loss_options.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent::cli {

struct VerifyOptions {
  std::vector<std::string> data;  ///< one file, or several that are one data set
  std::string model;
  std::string certificate;  ///< empty: in the model or beside it

  // The problem: what a certificate is compared with, and what coefficients without one are judged
  // by.
  std::optional<std::string> loss;
  LossParameterOptions loss_parameters;
  std::optional<double> l2;
  std::optional<double> cost;
  std::optional<Bias> bias;

  // For coefficients without a certificate.
  bool ignore_certificate = false;
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
  bool sample_weights = false;             ///< given to this verification
  std::vector<ClassWeight> class_weights;  ///< given or stated by the certificate
  double total_weight = 0;                 ///< of the rows: their number without sample weights
  ProvenGap proven;                        ///< of one class against the rest: of the sums
  double relative_gap = 0;                 ///< of one class against the rest: the largest one
  std::vector<double> class_labels;        ///< one class against the rest; else empty
  std::vector<ProvenGap> of_classes;       ///< the same classes
  std::string bound_from;                  ///< source of the lower bound: coefficients, training or certificate
  std::string certificate;                 ///< its file; empty if there is none
  std::optional<Certificate> claimed;      ///< without its dual point
  std::optional<double> tolerance;
  bool holds = true;
  std::string reason;                 ///< why the claim does not hold
  std::vector<std::string> compared;  ///< the options of the problem, which the certificate agrees with
  std::string hint;                   ///< a doubt about the options; empty if there is none

  void set_proven(const Verification& found, const LinearModel& judged);
  bool has_claim() const { return claimed || tolerance; }
  /// A claim of an infinite relative gap says nothing about the model.
  bool says_nothing() const { return !tolerance && claimed && !std::isfinite(claimed->relative_gap); }
  const char* verdict() const;
};

/// Replaces the lower bound of `alone`, which the coefficients prove, by that of a training if it
/// is closer. The training ends when the gap is proven to be at most twice the distance of the
/// value from the minimum, at the limit of double precision, or by an interrupt.
Verification tightened(const Dataset& data, const LinearModel& model, const Verification& alone, bool quiet);

/// Returns the exit code.
int verify(const VerifyOptions& options);

/// "1: 2.5, 3: 0"
std::string text_of(const std::vector<ClassWeight>& class_weights);

/// The report, a line for each item.
std::string text_of(const VerifyReport& report);
nlohmann::ordered_json json_of(const VerifyReport& report);

}  // namespace geodescent::cli
