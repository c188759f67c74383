// A lower bound for coefficients that come without a proof, from a training of our own.
#include <fmt/format.h>

#include <algorithm>

#include "base/outward_text.hpp"
#include "common/interrupt.hpp"
#include "common/progress.hpp"
#include "geodescent/learn/train.hpp"
#include "verify/verify.hpp"

namespace geodescent::cli {
namespace {

/// Below 1, as the certificate rounds the dual point of a training, which may cost 1 % of its gap.
constexpr double part_of_distance = 0.9;

}  // namespace

// With U the value of the model, v that of the training and L the lower bound: U - v <= U - f* is the distance from the
// minimum that is certain, and U - L = (U - v) + (v - L). So v - L <= U - v makes U - L at most twice U - f*.
ProvenGap tightened(const Dataset& data, const LinearModel& model, const ProvenGap& alone, bool quiet) {
  ProgressLine line(quiet);
  const InterruptGuard guard;
  TrainOptions options;
  options.minimize.gap_tolerance = 0;
  const TrainResult trained = train(data, model.risk, options, [&](const Progress& p) {
    line.update([&] {
      return fmt::format("training for a lower bound: iteration {}, value {}, lower bound {}", p.iteration,
                         text_above(p.value, 6), text_below(p.lower_bound, 6));
    });
    const double bound = std::max(alone.lower_bound, p.lower_bound);
    return p.value - bound > part_of_distance * (alone.value - p.value) && interrupted() == 0;
  });
  if (!trained.certificate) return alone;
  const ProvenGap found = prove(data, model, trained.certificate->dual);
  return found.lower_bound > alone.lower_bound ? found : alone;
}

}  // namespace geodescent::cli
