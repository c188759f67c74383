// The proof that a model is nearly optimal, and how anyone can check it.
//
//     f(w, b) = 1/W sum_i c_i phi(m_i) + l2/2 |w|^2,  m_i = s_i (a_i.w + b),
// with the weights c_i of the rows and their sum W; s_i is the sign of the row's class, or 1 for a
// regression. For every v in R^n
//     f(w, b) >= D(v) = -1/W sum_i c_i phi*(v_i / c_i) - |sum_i v_i s_i a_i|^2 / (2 l2 W^2),
// if the intercept is absent, or free and sum_i v_i s_i = 0. So the data and v give a lower bound
// on the minimum of f, and it does not matter where v comes from. For several classes:
// docs/reference/certificate.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geodescent/data/dataset.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent {

/// v_i = steps_i 2^exponent. Whole numbers take a few bytes per row, and sum_i v_i s_i = 0 can hold
/// exactly.
struct DualPoint {
  /// One for each row; with the loss softmax one for each row and class, row by row. For data on
  /// ranks those of the rows here, or those of all rows.
  std::vector<std::int64_t> steps;
  int exponent = 0;  ///< the common power of two
};

/// The bounds that are proven about a model. They include all rounding errors.
struct ProvenGap {
  double value = 0;        ///< f at the model is at most this
  double lower_bound = 0;  ///< f* is at least this
  double reference = 0;    ///< f of the best model without features (all coefficients 0) is at least this
  double l2 = 0;           ///< the strength of the regularisation

  double gap() const;  ///< at least value - lower_bound
  /// The gap divided by reference - lower_bound, all that training can gain; infinite for a model
  /// that is not shown to be better than one without features.
  double relative_gap() const;
  double distance_bound() const;  ///< of the coefficients from the optimal ones: sqrt(2 gap / l2)
};

/// One forward and one backward pass over the data. With Bias::regularized they have a constant
/// column, added where it is missing, and the model's bias weight is that of this column. Throws
/// InputError when model, data and dual point do not fit each other (sizes, a dual value outside of
/// the conjugate's domain, a sum that is not 0). Not for a model of one class against the rest,
/// which has a proof for each class.
[[nodiscard]] ProvenGap prove(const Dataset& data, const LinearModel& model, const DualPoint& dual);

/// The dual values phi'(m_i) (`slopes`), rounded to `bytes` bytes per row (1 to 8) within the
/// domain of the conjugate.
[[nodiscard]] DualPoint rounded_dual(const Dataset& data, const Risk& risk, std::span<const double> slopes, int bytes);

/// The dual values phi'(m_i) at the model, for a proof from the coefficients alone. With a free
/// intercept they are those at the best intercept for these coefficients.
[[nodiscard]] Vector slopes_at(const Dataset& data, const LinearModel& model);

/// The claim about one problem of several, and the dual point that proves it.
struct Claim {
  double value = 0;         ///< the claimed value of f
  double lower_bound = 0;   ///< the claimed lower bound on the minimum
  double relative_gap = 0;  ///< the claimed relative gap
  DualPoint dual;           ///< what proves the bound
};

/// The claim about a model, and the dual point that proves it.
struct Certificate {
  Risk risk;  ///< what the model minimises
  /// Class weights that the weights of the data contain (Dataset::class_weights). Empty: none are
  /// stated.
  std::vector<ClassWeight> class_weights;
  std::string fingerprint;   ///< of the data, with the constant column of a regularised intercept
  std::size_t rows = 0;      ///< number of rows
  double total_weight = 0;   ///< of the rows: their number when all weights are 1
  std::size_t features = 0;  ///< number of columns, the constant column included
  std::size_t classes = 0;   ///< of a model with several columns; 0 for a single column
  double value = 0;          ///< the claimed value of f
  double lower_bound = 0;    ///< the claimed lower bound on the minimum
  double relative_gap = 0;   ///< the claimed relative gap
  DualPoint dual;            ///< what proves the bound
  /// Of one class against the rest: a claim for each class, in the order of the labels. `value` and
  /// `lower_bound` are then bounds on the sums of theirs, `relative_gap` is the largest one, and
  /// `dual` is empty.
  std::vector<Claim> claims;
};

/// The SHA-256 of the contents of a data set: targets, weights and entries, however the file writes
/// them.
[[nodiscard]] std::string fingerprint(const Dataset& data);

/// What the caller of `certify` has computed already. It saves work and changes no claim.
struct Known {
  /// The lower bound of these slopes, up to rounding. It saves the proof with all digits.
  std::optional<double> lower_bound = {};
  std::string fingerprint = {};  ///< of the data
};

/// The certificate for a model. It takes as few bytes per row as keep the gap at most 1 % larger
/// than with all digits of the dual values `slopes`; without any, slopes_at(data, model) is used.
/// With the loss softmax there is one for each row and class, row by row; of one class against the
/// rest, class by class.
[[nodiscard]] Certificate certify(const Dataset& data, const LinearModel& model, std::span<const double> slopes,
                                  const Known& known = {});

/// The certificate for a file. For data on ranks it has the dual values of all rows on rank 0, and
/// of the rows here on the others; with all rows in one process it is the same.
[[nodiscard]] Certificate gathered(const Dataset& data, Certificate certificate);

/// One class against the rest: the certificate of a model made of those of its classes, in the
/// order of the labels. Each is that of a two-class problem, with the targets 1 for the rows of its
/// class and -1 for all others, and states the fingerprint of the data with their own labels
/// (Known::fingerprint). Throws std::invalid_argument for fewer than three, or where the
/// fingerprints differ.
[[nodiscard]] Certificate joined(std::vector<Certificate> of_classes);

/// The outcome of a verification.
struct Verification {
  bool holds = false;  ///< whether every claim of the certificate holds
  std::string reason;  ///< why it does not hold
  ProvenGap proven;    ///< what was proven during the verification; of one class against the rest, of the sums
  std::vector<ProvenGap> of_classes;  ///< one class against the rest: for each class, in the order of the labels

  double relative_gap() const;  ///< that of `proven`; of one class against the rest the largest one
};

/// Proves bounds from the coefficients alone, by slopes_at(data, model). There is no claim, so
/// `holds` is true.
[[nodiscard]] Verification judge(const Dataset& data, const LinearModel& model);
/// The same with the dual points of a certificate for these data and this risk, whatever it claims.
[[nodiscard]] Verification judge(const Dataset& data, const LinearModel& model, const Certificate& certificate);

/// Checks whether the claims hold. Computes everything from data, coefficients and dual point.
[[nodiscard]] Verification verify(const Dataset& data, const LinearModel& model, const Certificate& certificate);

/// Writes a model and its proof as one file: after a failure both are there or neither
/// (docs/reference/model-format.md). read_model() takes the model alone. InputError ("file: reason;
/// remedy") when it cannot be written; an old file is then untouched.
void write_model(const LinearModel& model, const Certificate& certificate, const std::string& path);

/// The contents of a model file.
struct CertifiedModel {
  LinearModel model;                       ///< the model
  std::optional<Certificate> certificate;  ///< empty if the file has none
};
/// The model and its certificate. Throws InputError.
[[nodiscard]] CertifiedModel read_certified_model(const std::string& path);

/// The certificate alone.
void write_certificate(const Certificate& certificate, const std::string& path);
/// From a file of its own or from that of its model.
[[nodiscard]] Certificate read_certificate(const std::string& path);
/// The same from memory; `name` stands for the file in errors.
[[nodiscard]] Certificate parse_certificate(std::string_view bytes, const std::string& name);

}  // namespace geodescent
