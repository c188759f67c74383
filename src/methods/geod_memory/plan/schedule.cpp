#include "methods/geod_memory/plan/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/geod_memory/plan/cost.hpp"
#include "methods/geod_memory/plan/memory_plan.hpp"

namespace geodescent {
namespace {

/// A forecast is used after this many iterations; for a superlinear search, after this multiple of
/// the predicted ones.
constexpr double iterations_to_learn = 5, times_predicted_to_learn = 4;
/// A search that is taken again needs this many times the iterations.
constexpr double times_to_learn_again = 4;
/// The permitted cost of these iterations, relative to the fastest predicted run. Iterations before
/// a superlinear search are useful to it. Those of other searches soon show how fast these are.
constexpr double part_to_learn = 0.22, part_to_learn_before_superlinear = 0.3;
/// The permitted cost of a trial, relative to the remaining time.
constexpr double part_of_a_trial = 0.1;
/// The margin for a change: forecasts are rough, and a change has a cost.
constexpr double patience = 1.2;
constexpr int most_taken = 2;

}  // namespace

Schedule::Schedule(const Facts& f, const std::vector<Memory>& plans, double gap) : facts_(f), digits_(digits_of(gap)) {
  for (const Memory& memory : plans) plans_.push_back({memory, find_search(memory.along)});
  for (std::size_t k = 1; k < plans_.size(); ++k) spared_ = std::min(spared_, time(plans_[k], 1));
  take(0);
}

/// The time for this part of the run. Without a forecast the prediction includes the first digits,
/// which take longer.
double Schedule::time(const Plan& plan, double part) {
  const bool gets_faster = plan.kind->pace == Pace::superlinear;
  const double predicted =
      gets_faster ? part * plan.kind->iterations(facts_, digits_) : plan.kind->iterations(facts_, part * digits_);
  return run_time(plan.memory, facts_, seen(plan) ? part * *seen(plan) : predicted);
}

/// The same. For a search without a forecast it is limited to the time of which a trial is a small
/// part.
double Schedule::time_or_trial(const Plan& plan, double part) {
  const double predicted = time(plan, part);
  if (seen(plan) || plan.kind->pace == Pace::superlinear) return predicted;
  return std::min(predicted, iterations_to_learn * plan.kind->iteration_time(facts_, plan.memory, iterations_to_learn) /
                                 part_of_a_trial);
}

bool Schedule::changes(double iterations, double gap, double wanted_gap) {
  if (plans_.size() < 2 || !std::isfinite(gap) || !(gap > wanted_gap)) return false;
  const Plan& current = plans_[current_];
  if (first_gap_ == 0) first_gap_ = gap;
  made_ += iterations;
  spent_ += iterations * current.kind->iteration_time(facts_, current.memory, 2 * made_);
  forecast_.see(gap, made_);
  if (!learned(current)) return false;

  const double part = Forecast::log2_of(gap / wanted_gap) / Forecast::log2_of(first_gap_ / wanted_gap);
  const double missing = forecast_.iterations_to(wanted_gap);
  seen(current) = missing / part;
  const double left = missing * current.kind->iteration_time(facts_, current.memory, 2 * made_ + missing);

  std::size_t fastest = current_;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < plans_.size(); ++k) {
    if (!may_take(k)) continue;
    if (const double t = time_or_trial(plans_[k], part); t < least) least = t, fastest = k;
  }
  // Work without progress casts doubt on the forecast. Searches of one pace share the forecast.
  const bool same_pace = plans_[fastest].kind->pace == current.kind->pace;
  const double doubt = same_pace ? 1 : std::max(1.0, spent_ / time(plans_[fastest], 1));
  if (fastest == current_ || !(doubt * left > patience * least)) return false;
  spared_ = left;
  for (const Plan& plan : plans_)
    if (seen(plan)) spared_ = std::min(spared_, time(plan, part));
  take(fastest);
  return true;
}

/// Whether the forecast of the current search is to be used.
bool Schedule::learned(const Plan& current) const {
  if (current.kind->pace == Pace::superlinear)
    return spent_ > spared_ || made_ >= times_predicted_to_learn * current.kind->iterations(facts_, digits_);
  return made_ >= iterations_to_learn * (current.taken > 1 ? times_to_learn_again : 1);
}

bool Schedule::may_take(std::size_t plan) const {
  if (plan == current_) return false;
  const Pace pace = plans_[plan].kind->pace;
  return plans_[plan].taken < most_taken || (pace == Pace::of_condition && pace != plans_[current_].kind->pace);
}

std::optional<Memory> Schedule::covered_by_theorem() {
  const Plan* fastest = nullptr;
  for (const Plan& plan : plans_)
    if (plan.kind->guarded != Guarded::by_fallback && (!fastest || time(plan, 1) < time(*fastest, 1))) fastest = &plan;
  return fastest ? std::optional(fastest->memory) : std::nullopt;
}

void Schedule::take(std::size_t plan) {
  current_ = plan;
  ++plans_[plan].taken;
  made_ = spent_ = 0;
  forecast_ = {};
}

std::size_t plan_to_start_with(const Facts& f, const std::vector<Memory>& plans, double gap) {
  const auto time = [&](const Memory& plan) {
    return run_time(plan, f, find_search(plan.along)->iterations(f, digits_of(gap)));
  };
  const auto fastest = std::ranges::min_element(plans, {}, time);
  const Pace pace = find_search(fastest->along)->pace;
  // The predicted epochs for sparse rows were measured on text, so they are trusted.
  if (pace == Pace::of_dual && has_sparse_rows(f)) return static_cast<std::size_t>(fastest - plans.begin());
  const bool gets_faster = pace == Pace::superlinear;
  const double most = (gets_faster ? part_to_learn_before_superlinear : part_to_learn) * time(*fastest);
  const double first = find_search(fastest->along)->first_time(f);
  // The condition is only bounded, so predictions of this pace are the least certain and mostly too
  // long.
  const auto time_to_start = [&](const Memory& plan) {
    const SearchKind& kind = *find_search(plan.along);
    const double trial = iterations_to_learn * kind.iteration_time(f, plan, iterations_to_learn);
    const bool is_cheap = kind.pace == Pace::of_condition && trial <= std::min(most, first);
    return is_cheap ? time(plan) : std::numeric_limits<double>::infinity();
  };
  const auto cheap = std::ranges::min_element(plans, {}, time_to_start);
  const bool none = time_to_start(*cheap) == std::numeric_limits<double>::infinity();
  return static_cast<std::size_t>((none ? fastest : cheap) - plans.begin());
}

}  // namespace geodescent
