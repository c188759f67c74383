#include "methods/geod_memory/memory_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "methods/geod_memory/cost.hpp"
#include "methods/geod_memory/search.hpp"

namespace geodescent {
namespace {

constexpr double fewest_digits = 1, most_digits = 15;

bool applies(const SearchKind& kind, const Facts& f) {
  return kind.applies(f) && (kind.works_by_rows || !f.product.by_rows);
}

Memory plan_of(const SearchKind& kind, const Facts& f, const GeodMemory& settings, const Purpose& purpose) {
  const bool dual = purpose.dual && f.dual_size > 0;
  Memory plan = kind.plan(f, settings, dual);
  plan.along = kind.name;
  plan.balls = std::min(plan.balls, f.dimension + 1);  // no more are ever needed at once
  plan.dual = dual;
  return plan;
}

/// What is searched where nothing better is known: always one, since a search along lines needs nothing.
const SearchKind& fallback(const Facts& f) {
  return **std::ranges::find_if(searches(), [&](const SearchKind* kind) { return applies(*kind, f); });
}

/// What the settings leave open, the fastest first.
std::vector<Memory> open_plans(const Facts& f, const GeodMemory& settings, const Purpose& purpose,
                               std::string_view without = {}) {
  // A memory is one of gradients where nobody says of what.
  if (settings.memory) return {plan_of(fallback(f), f, settings, purpose)};
  struct Candidate {
    Memory plan;
    double time;
  };
  std::vector<Candidate> candidates;
  for (const SearchKind* kind : searches()) {
    const bool wanted = kind->is_candidate && (settings.directions == automatic_directions || kind->saves_passes);
    if (!applies(*kind, f) || !(wanted || kind == &fallback(f)) || kind->name == without) continue;
    const Memory plan = plan_of(*kind, f, settings, purpose);
    candidates.push_back({plan, run_time(plan, f, settings.plan_for.value_or(purpose.gap))});
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::time);
  std::vector<Memory> plans;
  for (const Candidate& candidate : candidates) plans.push_back(candidate.plan);
  return plans;
}

/// What a plan needs at most: where the guard may replace its search, what replaces it counts, too.
double needed_bytes(const Memory& plan, const Facts& f) {
  if (!may_be_left(find_search(plan.along)->guarded)) return plan.bytes;
  return std::max(plan.bytes, bytes_of({.along = fallback(f).name, .dual = plan.dual}, f));
}

/// A plan within the limit: the first that is, or else the first that can be made smaller. Empty if none can.
std::optional<Memory> fitting(std::vector<Memory>& plans, const Facts& f, double limit) {
  const auto fits = [&](Memory& plan) {
    plan.bytes = bytes_of(plan, f);
    return needed_bytes(plan, f) <= limit;
  };
  for (Memory& plan : plans)
    if (fits(plan)) return plan;
  for (Memory& plan : plans) {
    while (!fits(plan) && plan.directions + plan.pairs + plan.balls > 0)
      for (std::size_t* const count : {&plan.directions, &plan.pairs, &plan.balls})
        *count -= *count / 10 + (*count % 10 != 0);
    if (fits(plan)) return plan;
  }
  return std::nullopt;
}

/// What is searched, in groups: the next one counts only where nothing of this one applies and fits.
std::vector<std::vector<Memory>> plans(const Facts& f, const GeodMemory& settings, const Purpose& purpose) {
  if (settings.directions == automatic_directions || settings.directions == few_passes_directions)
    return {open_plans(f, settings, purpose)};
  const SearchKind* const named = find_search(settings.directions);
  if (!named)
    throw std::invalid_argument(fmt::format("no directions are called '{}'; there are {}", settings.directions,
                                            fmt::join(direction_names(), ", ")));
  std::vector<std::vector<Memory>> groups;
  if (applies(*named, f)) groups.push_back({plan_of(*named, f, settings, purpose)});
  if (named != &fallback(f)) groups.push_back({plan_of(fallback(f), f, settings, purpose)});
  return groups;
}

}  // namespace

double run_time(const Memory& plan, const Facts& f, double gap) {
  const SearchKind& kind = *find_search(plan.along);
  const double digits = gap > 0 ? std::clamp(-std::log10(gap), fewest_digits, most_digits) : most_digits;
  const double iterations = kind.iterations(f, digits);
  Memory touched = plan;
  touched.directions = static_cast<std::size_t>(std::min(number(plan.directions), iterations));
  return iterations * kind.iteration_time(f, plan, iterations) + first_touch_time(kind.bytes(f, touched));
}

double bytes_of(const Memory& memory, const Facts& f) { return find_search(memory.along)->bytes(f, memory); }

Memory plan_memory(const Facts& f, const GeodMemory& settings, const Purpose& purpose) {
  double least = std::numeric_limits<double>::infinity();
  for (std::vector<Memory>& group : plans(f, settings, purpose)) {
    if (const std::optional<Memory> plan = fitting(group, f, settings.memory_limit)) return *plan;
    for (const Memory& plan : group) least = std::min(least, needed_bytes(plan, f));
  }
  throw std::invalid_argument(
      fmt::format("geod-memory needs at least {:.0f} bytes here, but its memory limit is {:.0f}; raise the limit, or "
                  "use geod, which remembers one ball",
                  least, settings.memory_limit));
}

Memory plan_instead_of(const Memory& plan, const Facts& f, const GeodMemory& settings, const Purpose& purpose) {
  std::vector<Memory> others = open_plans(f, settings, purpose, plan.along);
  if (const std::optional<Memory> other = fitting(others, f, settings.memory_limit)) return *other;
  return plan;
}

Memory plan_after_guard(const Facts& f, GeodMemory settings, const Purpose& purpose) {
  settings.directions = fallback(f).name;
  if (!settings.memory) settings.memory = most_directions;
  return plan_memory(f, settings, purpose);
}

}  // namespace geodescent
