// How much geod-memory remembers, chosen from the size of the problem.
#pragma once

#include "geodescent/optimize/method.hpp"

namespace geodescent {

/// More are not chosen, though more may be asked for.
inline constexpr std::size_t most_directions = 400;

/// What a run on f allocates with this memory, the data not included.
double bytes_of(const Memory& memory, const Facts& f);

/// What takes least time by a model of the cost (docs/method.md), as far as the settings leave it open, in at most
/// `settings.memory_limit` bytes. Throws std::invalid_argument when not even the least fits that.
Memory plan_memory(const Facts& f, const MethodSettings& settings);

/// The same for a run that Newton's directions have not brought to the minimum: gradients, as many as fit, whatever
/// they cost.
Memory plan_after_newton(const Facts& f, MethodSettings settings);

}  // namespace geodescent
