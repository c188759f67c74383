// The planner of geod-memory: what it searches along and how much it remembers, chosen from the size of the problem.
#pragma once

#include <vector>

#include "geodescent/optimize/method_choice.hpp"

namespace geodescent {

// More are not chosen, though more may be asked for.
inline constexpr std::size_t most_directions = 400;
inline constexpr std::size_t most_pairs = 100;
inline constexpr std::size_t most_balls = 40;

/// What a run on f allocates with this memory, the data not included.
double bytes_of(const Memory& memory, const Facts& f);

/// The plan with the lowest predicted run time that the settings allow, in at most `settings.memory_limit` bytes
/// (docs/explanations/geod-memory.md). Throws std::invalid_argument when not even the smallest plan fits.
Memory plan_memory(const Facts& f, const GeodMemory& settings, const Purpose& purpose = {});

/// All that a run may search, each within the limit: the plan above first, the others where the settings leave the
/// search open (Schedule).
std::vector<Memory> plan_searches(const Facts& f, const GeodMemory& settings, const Purpose& purpose = {});

/// The digits that a relative gap asks for.
double digits_of(double gap);
/// Predicted nanoseconds of a run with so many iterations; only ratios matter.
double run_time(const Memory& plan, const Facts& f, double iterations);

/// The same for a run whose search the guard has sent away: gradients, as many as fit, whatever they cost.
Memory plan_after_guard(const Facts& f, GeodMemory settings, const Purpose& purpose = {});

}  // namespace geodescent
