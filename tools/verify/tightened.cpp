// A lower bound for coefficients without a proof, by a training.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/outward_text.hpp"
#include "certificate/numbers/class_sums.hpp"
#include "common/interrupt.hpp"
#include "common/progress.hpp"
#include "data/assemble/class_numbers.hpp"
#include "geodescent/learn/train.hpp"
#include "learn/model_file/columns.hpp"
#include "verify/verify.hpp"

namespace geodescent::cli {
namespace {

/// Below 1, since rounding the dual point for the certificate may cost 1 % of the gap.
constexpr double part_of_distance = 0.9;

/// Of one problem. `what` says which.
ProvenGap tightened_problem(const Dataset& data, const LinearModel& model, const ProvenGap& alone,
                            const std::string& what, ProgressLine& line) {
  TrainOptions options;
  options.minimize.gap_tolerance = 0;
  const TrainResult trained = train(data, model.risk, options, [&](const Progress& p) {
    line.update([&] {
      return fmt::format("training for a lower bound{}: iteration {}, value {}, lower bound {}", what, p.iteration,
                         text_above(p.value, 6), text_below(p.lower_bound, 6));
    });
    // With U the value of the model, v that of the training and L the lower bound: U - v <= U - f*
    // is the distance from the minimum that is certain, and U - L = (U - v) + (v - L). So v - L <=
    // U - v makes U - L at most twice U - f*.
    const double bound = std::max(alone.lower_bound, p.lower_bound);
    return p.value - bound > part_of_distance * (alone.value - p.value) && interrupted() == 0;
  });
  if (!trained.certificate) return alone;
  const ProvenGap found = prove(data, model, trained.certificate->dual);
  return found.lower_bound > alone.lower_bound ? found : alone;
}

}  // namespace

Verification tightened(const Dataset& data, const LinearModel& model, const Verification& alone, bool quiet) {
  ProgressLine line(quiet);
  const InterruptGuard guard;
  Verification result = alone;
  if (alone.of_classes.empty()) {
    result.proven = tightened_problem(data, model, alone.proven, "", line);
    return result;
  }
  const std::size_t classes = alone.of_classes.size();
  Vector bounds;
  for (std::size_t k = 0; k < classes; ++k) {
    const std::string what = fmt::format(", class {} of {}", k + 1, classes);
    if (interrupted() == 0)
      result.of_classes[k] = tightened_problem(against_rest(data, model.classes[k].label), column_of(model, k),
                                               alone.of_classes[k], what, line);
    bounds.push_back(result.of_classes[k].lower_bound);
  }
  result.proven.lower_bound = sum_below(bounds);
  return result;
}

}  // namespace geodescent::cli
