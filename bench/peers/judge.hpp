// The judge evaluates coefficients by the true objective, whichever program found them.
#pragma once

#include <functional>
#include <span>

#include "comparison/reference.hpp"
#include "geodescent/learn/prediction.hpp"
#include "peers/programs/peer.hpp"

namespace geodescent::lab {

/// Knows f* in a proven interval, from a training of geodescent to 1e-12 and its certificate, which
/// shares no code with any method. Values are long double sums over the rows as they were read. The
/// data of the task must outlive it.
class Judge {
 public:
  /// `watch` is called often and may throw. The reference takes at most `seconds`; its gap shows
  /// the result.
  Judge(const PeerTask& task, double seconds, const std::function<void()>& watch);

  /// An upper bound on (f(w) - f*) / (f(0) - f*), measured from the lower bound on f*. Missing
  /// coefficients at the end are 0; more than the features throw InputError. Infinite if a
  /// coefficient is not finite.
  double accuracy(std::span<const double> weights) const;
  double value(std::span<const double> weights) const;
  const ReferenceMinimum& reference() const { return reference_; }

 private:
  PeerTask task_;
  LossFunction loss_;
  ReferenceMinimum reference_;
};

}  // namespace geodescent::lab
