// Making a certificate.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "certificate/claim.hpp"
#include "certificate/numbers/class_sums.hpp"
#include "certificate/rows/all_rows.hpp"
#include "certificate/same_on_ranks.hpp"
#include "data/assemble/class_numbers.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "learn/constant_column.hpp"
#include "learn/model_file/columns.hpp"

namespace geodescent {
namespace {

/// One class against the rest: a problem for each class.
Certificate certify_classes(const Dataset& data, const LinearModel& model, std::span<const double> slopes,
                            const Known& known) {
  const std::size_t classes = model.outputs();
  const proof::AllRows rows(data);
  rows.together([&] {
    if (slopes.empty() || rows.fits(slopes.size(), classes)) return;
    throw InputError(fmt::format("{}: {} slopes for {} rows and {} classes; there must be one for each row and class",
                                 data.name, slopes.size(), rows.size(), classes));
  });
  const Known of_class{.fingerprint = known.fingerprint.empty() ? fingerprint(data) : known.fingerprint};
  std::vector<Certificate> all;
  for (std::size_t k = 0; k < classes; ++k) {
    const auto part = slopes.subspan(k * slopes.size() / classes, slopes.size() / classes);
    all.push_back(certify(against_rest(data, model.classes[k].label), column_of(model, k), part, of_class));
  }
  return joined(std::move(all));
}

}  // namespace

Certificate certify(const Dataset& data, const LinearModel& model, std::span<const double> slopes, const Known& known) {
  require_same_on_ranks(data, model);
  if (lacks_constant(data, model.risk)) return certify(with_constant_of(model.risk, data), model, slopes, known);
  const bool joint = is_joint(model.risk.loss);
  if (!joint && !model.classes.empty()) return certify_classes(data, model, slopes, known);
  Certificate result;
  result.risk = model.risk;
  result.class_weights = data.class_weights;
  result.rows = number_of_rows(data);
  result.total_weight = total_weight(data);
  result.features = model.features();
  result.classes = model.classes.size();
  Claim claim;
  if (joint) {
    const Dataset numbered = numbered_by_class(data, model.classes);
    claim = claim_for(proof::SoftmaxProblem(numbered, model.risk, model.outputs()), model, slopes, known.lower_bound);
  } else {
    claim = claim_for(proof::Problem(data, model.risk), model, slopes, known.lower_bound);
  }
  result.value = claim.value;
  result.lower_bound = claim.lower_bound;
  result.relative_gap = claim.relative_gap;
  result.dual = std::move(claim.dual);
  result.fingerprint = known.fingerprint.empty() ? fingerprint(data) : known.fingerprint;
  return result;
}

Certificate joined(std::vector<Certificate> of_classes) {
  if (of_classes.size() < 3)
    throw std::invalid_argument(
        fmt::format("{} certificates; one class against the rest needs those of at least 3", of_classes.size()));
  Certificate& first = of_classes.front();
  Vector values, bounds;
  double relative_gap = 0;
  std::vector<Claim> claims;
  for (Certificate& one : of_classes) {
    if (one.fingerprint != first.fingerprint || one.classes != 0)
      throw std::invalid_argument("the certificates to be joined are not those of two-class problems on the same data");
    values.push_back(one.value);
    bounds.push_back(one.lower_bound);
    relative_gap = std::max(relative_gap, one.relative_gap);
    claims.push_back({one.value, one.lower_bound, one.relative_gap, std::move(one.dual)});
  }
  Certificate result = std::move(first);
  result.classes = claims.size();
  result.value = sum_above(values);
  result.lower_bound = sum_below(bounds);
  result.relative_gap = relative_gap;
  result.dual = {};
  result.claims = std::move(claims);
  return result;
}

}  // namespace geodescent
