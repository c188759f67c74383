// The judge: how good weights are, by the true objective, whoever found them.
#pragma once

#include <functional>
#include <span>

#include "comparison/reference.hpp"
#include "geodescent/learn/prediction.hpp"
#include "peers/programs/peer.hpp"

namespace geodescent::lab {

/// Knows f* in a proven interval: the weights and the dual point of a training of ours to 1e-12, judged by the
/// certificate, which shares no code with any method. Values are sums in long double over the rows as they were read.
/// The data of the task must outlive it.
class Judge {
 public:
  /// `watch` is called often and may throw. At most so many seconds go into the reference; its gap says what came out.
  Judge(const PeerTask& task, double seconds, const std::function<void()>& watch);

  /// (f(w) - f*) / (f(0) - f*), from above: f* is at least the lower bound that it is measured from. Weights may be
  /// fewer than the features: the rest are 0. Throws InputError for more. Infinite when they are not finite.
  double accuracy(std::span<const double> weights) const;
  double value(std::span<const double> weights) const;
  const ReferenceMinimum& reference() const { return reference_; }

 private:
  PeerTask task_;
  bool regression_;
  LossFunction loss_;
  ReferenceMinimum reference_;
};

}  // namespace geodescent::lab
