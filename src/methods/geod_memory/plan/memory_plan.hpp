// The planner of geod-memory: it chooses the search and the size of its memory from the size of the
// problem.
#pragma once

#include <vector>

#include "geodescent/optimize/method_choice.hpp"

namespace geodescent {

// Limits of the automatic choice. Settings may exceed them.
inline constexpr std::size_t most_directions = 400;
inline constexpr std::size_t most_pairs = 100, fewest_pairs = 10;
inline constexpr std::size_t most_balls = 40;

/// The bytes that a run on f allocates with this memory, without the data.
double bytes_of(const Memory& memory, const Facts& f);

/// The plan with the lowest predicted run time that the settings allow, in at most
/// `settings.memory_limit` bytes (docs/explanations/geod-memory.md). Throws std::invalid_argument
/// when not even the smallest plan fits.
Memory plan_memory(const Facts& f, const GeodMemory& settings, const Purpose& purpose = {});

/// All plans that a run may use, each within the limit: the plan above first, and the others if the
/// settings leave the search open (Schedule).
std::vector<Memory> plan_searches(const Facts& f, const GeodMemory& settings, const Purpose& purpose = {});

/// The number of decimal digits of a relative gap.
double digits_of(double gap);
/// Predicted nanoseconds of a run with this many iterations. Only ratios matter.
double run_time(const Memory& plan, const Facts& f, double iterations);

/// The plan after the guard has ended a search: gradients, as many as fit.
Memory plan_after_guard(const Facts& f, GeodMemory settings, const Purpose& purpose = {});

}  // namespace geodescent
