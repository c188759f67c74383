// How much to remember, chosen from the size of the problem.
#pragma once

#include "geodescent/method.hpp"

namespace geodescent {

struct MemoryPlan {
  /// Newton's directions, from the Hessian of the whole space; otherwise gradients.
  bool whole_space = false;
  std::size_t directions = 0;
  std::size_t balls = 0;

  /// What the run keeps for it, in bytes.
  double bytes(const Objective& f) const;
};

/// `settings.memory` directions if given, else as many as are worth their time; never more than fit the limit of bytes.
MemoryPlan plan_memory(const Objective& f, const MethodSettings& settings);
MemoryPlan plan_memory(const Objective& f, const MethodSettings& settings, Directions directions);

}  // namespace geodescent
