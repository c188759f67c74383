// The proof that a model is nearly optimal, and how anyone can check it.
//
// f(w, b) = 1/W sum_i c_i phi(m_i) + l2/2 |w|^2,  c_i the weights of the rows, W their sum, m_i = s_i (a_i.w + b); s_i
// is the sign of the row's class, or 1 for a regression. For every v in R^n
//     f(w, b) >= D(v) = -1/W sum_i c_i phi*(v_i / c_i) - |sum_i v_i s_i a_i|^2 / (2 l2 W^2),
// if the intercept is absent, or free and sum_i v_i s_i = 0. So whoever knows the data and v can compute a lower bound
// that no weights can beat, without trusting whoever found v.
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

/// v_i = steps_i 2^exponent: whole numbers, so that a few bytes a row suffice and sum_i v_i s_i = 0 can hold exactly.
struct DualPoint {
  std::vector<std::int64_t> steps;  ///< one for each row
  int exponent = 0;                 ///< the common power of two
};

/// What is proven about a model: rounding has been paid for.
struct ProvenGap {
  double value = 0;        ///< f at the model is at most this
  double lower_bound = 0;  ///< f* is at least this
  double reference = 0;    ///< f of the best model without features (all weights 0) is at least this
  double l2 = 0;           ///< the strength of the regularisation

  double gap() const;             ///< at least value - lower_bound
  double relative_gap() const;    ///< gap as a part of reference - lower_bound, of all that training can gain; infinite
                                  ///< for a model that is not shown to be better than one without features
  double distance_bound() const;  ///< of the weights from the optimal ones: sqrt(2 gap / l2)
};

/// One forward and one backward pass over the data. With Bias::regularized they have a constant column, added where it
/// is missing, and the model's bias_weight is its weight. Throws InputError when model, data and dual point do not fit
/// each other (sizes, a dual value outside of the conjugate's domain, a sum that is not 0).
[[nodiscard]] ProvenGap prove(const Dataset& data, const LinearModel& model, const DualPoint& dual);

/// The dual point that rounds the slopes phi'(m_i) to `bytes` bytes a row (1 to 8), inside of the conjugate's domain.
[[nodiscard]] DualPoint rounded_dual(const Dataset& data, const Risk& risk, std::span<const double> slopes, int bytes);

/// The slopes at the model itself: what serves when nothing but weights is known. With a free intercept they are those
/// at the best intercept for these weights.
[[nodiscard]] Vector slopes_at(const Dataset& data, const LinearModel& model);

/// What is claimed about a model, and the dual point that proves it.
struct Certificate {
  Risk risk;  ///< what the model minimises
  /// Class weights that the weights of the data contain (Dataset::class_weights). Empty: none are stated.
  std::vector<ClassWeight> class_weights;
  std::string fingerprint;   ///< of the data, with the constant column of a regularised intercept
  std::size_t rows = 0;      ///< number of rows
  double total_weight = 0;   ///< of the rows: their number when all weights are 1
  std::size_t features = 0;  ///< number of columns, the constant column included
  double value = 0;          ///< what is claimed
  double lower_bound = 0;    ///< the claimed lower bound on the minimum
  double relative_gap = 0;   ///< the claimed relative gap
  DualPoint dual;            ///< what proves the bound
};

/// A hash (SHA-256) of all that a data set says: targets, weights and entries, not how the file wrote them.
[[nodiscard]] std::string fingerprint(const Dataset& data);

/// What may be known already when a certificate is made; it saves work and changes no claim.
struct Known {
  /// The lower bound that these slopes give, up to rounding: then the dual point need not be tried with all its digits.
  std::optional<double> lower_bound = {};
  std::string fingerprint = {};  ///< of the data
};

/// The certificate for a model, with as few bytes a row as leave the gap nearly as small as these slopes can make it.
/// Without slopes those at the model serve.
[[nodiscard]] Certificate certify(const Dataset& data, const LinearModel& model, std::span<const double> slopes,
                                  const Known& known = {});

/// The outcome of a verification.
struct Verification {
  bool holds = false;  ///< whether every claim of the certificate holds
  std::string reason;  ///< why it does not hold
  ProvenGap proven;    ///< what was proven during the verification
};

/// Does what the certificate claims hold for this model on these data? Computed anew from data, weights and dual point.
[[nodiscard]] Verification verify(const Dataset& data, const LinearModel& model, const Certificate& certificate);

/// Writes a model and its proof as one file: after a failure both are there or neither
/// (docs/reference/model-format.md). read_model() takes the model alone. InputError ("file: reason; remedy") when it
/// cannot be written; an old file is then untouched.
void write_model(const LinearModel& model, const Certificate& certificate, const std::string& path);

/// The contents of a model file.
struct CertifiedModel {
  LinearModel model;                       ///< the model
  std::optional<Certificate> certificate;  ///< none in the file of a model that came without
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
