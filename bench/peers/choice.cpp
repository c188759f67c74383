#include "peers/choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace geodescent::lab {
namespace {

std::vector<std::string> solvers_of(std::span<const Trial> trials) {
  std::vector<std::string> solvers;
  for (const Trial& trial : trials)
    if (std::ranges::find(solvers, trial.setting.solver) == solvers.end()) solvers.push_back(trial.setting.solver);
  return solvers;
}

}  // namespace

std::optional<std::size_t> loosest_qualifying(std::span<const Trial> trials, const std::string& solver,
                                              double accuracy) {
  std::optional<std::size_t> found;
  for (std::size_t k = 0; k < trials.size(); ++k) {
    const Trial& trial = trials[k];
    if (trial.setting.solver != solver || !(trial.accuracy <= accuracy)) continue;
    if (!found || trial.setting.tolerance > trials[*found].setting.tolerance) found = k;
  }
  return found;
}

std::vector<PeerSetting> worth_repeating(std::span<const Trial> trials, std::span<const double> accuracies,
                                         double factor) {
  std::vector<std::size_t> chosen;
  for (const double accuracy : accuracies) {
    std::vector<std::size_t> qualifying;
    double least = std::numeric_limits<double>::infinity();
    for (const std::string& solver : solvers_of(trials))
      if (const auto k = loosest_qualifying(trials, solver, accuracy)) {
        qualifying.push_back(*k);
        least = std::min(least, trials[*k].seconds);
      }
    for (const std::size_t k : qualifying)
      if (trials[k].seconds <= factor * least) chosen.push_back(k);
  }
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::vector<PeerSetting> settings;
  for (const std::size_t k : chosen) settings.push_back(trials[k].setting);
  return settings;
}

double seconds_of(const Timing& timing, Clocked clocked) {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (clocked == Clocked::total) return timing.total;
  return timing.total < never && !std::isnan(timing.train) ? timing.train : never;
}

const Timing* best_qualifying(std::span<const Timing> timings, double accuracy, Clocked clocked) {
  const Timing* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Timing& timing : timings)
    if (timing.accuracy <= accuracy && seconds_of(timing, clocked) < least) {
      best = &timing;
      least = seconds_of(timing, clocked);
    }
  return best;
}

}  // namespace geodescent::lab
