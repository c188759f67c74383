#include "methods/geod_memory/plan/memory_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "methods/geod_memory/plan/cost.hpp"
#include "methods/geod_memory/plan/schedule.hpp"
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
  plan.balls = std::min(plan.balls, f.dimension + 1);  // more are never needed at once
  plan.dual = dual;
  return plan;
}

/// The search that is used if no other one fits. There is always one, because quasi-newton needs
/// nothing.
const SearchKind& fallback(const Facts& f) {
  return **std::ranges::find_if(searches(), [&](const SearchKind* kind) { return applies(*kind, f); });
}

/// The plans that the settings allow, the fastest first.
std::vector<Memory> open_plans(const Facts& f, const GeodMemory& settings, const Purpose& purpose) {
  // If only the size of the memory is given, it is a memory of gradients.
  if (settings.memory) return {plan_of(fallback(f), f, settings, purpose)};
  struct Candidate {
    Memory plan;
    double time;
  };
  std::vector<Candidate> candidates;
  for (const SearchKind* kind : searches()) {
    const bool wanted = kind->is_candidate && (settings.directions == automatic_directions || kind->saves_passes);
    if (!applies(*kind, f) || !(wanted || kind == &fallback(f))) continue;
    const Memory plan = plan_of(*kind, f, settings, purpose);
    candidates.push_back(
        {plan, run_time(plan, f, kind->iterations(f, digits_of(settings.plan_for.value_or(purpose.gap))))});
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::time);
  std::vector<Memory> plans;
  for (const Candidate& candidate : candidates) plans.push_back(candidate.plan);
  return plans;
}

/// The largest memory that a run with this plan can need. It includes the search that the guard may
/// substitute.
double needed_bytes(const Memory& plan, const Facts& f) {
  if (find_search(plan.along)->guarded != Guarded::by_fallback) return plan.bytes;
  return std::max(plan.bytes, bytes_of({.along = fallback(f).name, .dual = plan.dual}, f));
}

/// The plans within the limit. If there is none, the first that fits after it is made smaller.
/// Empty if none fits.
std::vector<Memory> fitting(std::vector<Memory>& plans, const Facts& f, double limit) {
  const auto fits = [&](Memory& plan) {
    plan.bytes = bytes_of(plan, f);
    return needed_bytes(plan, f) <= limit;
  };
  std::vector<Memory> found;
  for (Memory& plan : plans)
    if (fits(plan)) found.push_back(plan);
  if (!found.empty()) return found;
  for (Memory& plan : plans) {
    while (!fits(plan) && plan.directions + plan.pairs + plan.balls > 0)
      for (std::size_t* const count : {&plan.directions, &plan.pairs, &plan.balls})
        *count -= *count / 10 + (*count % 10 != 0);
    if (fits(plan)) return {plan};
  }
  return {};
}

/// The candidate plans in groups: a group is used only if no plan of the groups before it fits.
std::vector<std::vector<Memory>> plans(const Facts& f, const GeodMemory& settings, const Purpose& purpose) {
  if (settings.directions == automatic_directions || settings.directions == few_passes_directions)
    return {open_plans(f, settings, purpose)};
  const SearchKind* const named = find_search(settings.directions);
  if (!named)
    throw std::invalid_argument(fmt::format("unknown directions '{}'; the known ones are {}", settings.directions,
                                            fmt::join(direction_names(), ", ")));
  std::vector<std::vector<Memory>> groups;
  if (applies(*named, f)) groups.push_back({plan_of(*named, f, settings, purpose)});
  if (named != &fallback(f)) groups.push_back({plan_of(fallback(f), f, settings, purpose)});
  return groups;
}

}  // namespace

double digits_of(double gap) { return std::clamp(-log10_of(gap), fewest_digits, most_digits); }

double run_time(const Memory& plan, const Facts& f, double iterations) {
  const SearchKind& kind = *find_search(plan.along);
  iterations = std::max(1.0, iterations);
  Memory touched = plan;
  touched.directions = static_cast<std::size_t>(std::min(number(plan.directions), iterations));
  return iterations * kind.iteration_time(f, plan, iterations) + first_touch_time(kind.bytes(f, touched));
}

double bytes_of(const Memory& memory, const Facts& f) { return find_search(memory.along)->bytes(f, memory); }

std::vector<Memory> plan_searches(const Facts& f, const GeodMemory& settings, const Purpose& purpose) {
  double least = std::numeric_limits<double>::infinity();
  for (std::vector<Memory>& group : plans(f, settings, purpose)) {
    std::vector<Memory> fit = fitting(group, f, settings.memory_limit);
    if (!fit.empty()) {
      if (settings.directions == few_passes_directions) fit.resize(1);  // only passes count
      const std::size_t first = plan_to_start_with(f, fit, settings.plan_for.value_or(purpose.gap));
      std::swap(fit[0], fit[first]);
      return fit;
    }
    for (const Memory& plan : group) least = std::min(least, needed_bytes(plan, f));
  }
  throw std::invalid_argument(
      fmt::format("geod-memory needs at least {:.0f} bytes here, but its memory limit is {:.0f}; raise the limit, or "
                  "use geod, which remembers one ball",
                  least, settings.memory_limit));
}

Memory plan_memory(const Facts& f, const GeodMemory& settings, const Purpose& purpose) {
  return plan_searches(f, settings, purpose).front();
}

Memory plan_after_guard(const Facts& f, GeodMemory settings, const Purpose& purpose) {
  settings.directions = fallback(f).name;
  if (!settings.memory) settings.memory = most_directions;
  return plan_memory(f, settings, purpose);
}

}  // namespace geodescent
