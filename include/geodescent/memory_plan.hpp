// How much geod-memory remembers, chosen from the size of the problem.
#pragma once

#include "geodescent/method.hpp"

namespace geodescent {

/// More are not chosen, though more may be asked for.
inline constexpr std::size_t most_directions = 400;

struct MemoryPlan {
  /// Newton's directions, from the Hessian of the whole space; otherwise gradients.
  bool whole_space = false;
  std::size_t directions = 0;
  std::size_t pairs = 0;  ///< of steps and changes of the gradient, for a quasi-Newton direction
  std::size_t balls = 0;
  bool dual = false;  ///< the dual point of each ball, too

  /// What a run with it allocates, the data not included.
  double bytes(const Objective& f) const;
};

/// What takes least time by a model of the cost (docs/method.md), as far as the settings leave it open, in at most
/// `settings.memory_limit` bytes. Throws std::invalid_argument when not even the least fits that.
MemoryPlan plan_memory(const Objective& f, const MethodSettings& settings);

}  // namespace geodescent
