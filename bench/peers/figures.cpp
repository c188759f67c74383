#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "comparison/infinity.hpp"
#include "peers/peers.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

constexpr const char* shown_loss = "logistic";  // the loss that all peers support

/// The seconds of a peer on a task, including reading. Infinite if it does not reach the accuracy
/// or does not take part.
double total_of(const TaskOutcome& task, const std::string& peer, double accuracy) {
  if (peer == our_name) {
    const Timing* const ours = our_timing(task, accuracy);
    return ours != nullptr ? ours->total : infinity;
  }
  const PeerOutcome* const them = find_peer(task, peer);
  const Timing* const best = them != nullptr ? best_qualifying(them->timings, accuracy, Clocked::total) : nullptr;
  return best != nullptr ? best->total : infinity;
}

/// The tasks of the loss, ordered by the seconds of geodescent.
std::vector<const TaskOutcome*> in_order(const PeersResults& results, double accuracy) {
  std::vector<const TaskOutcome*> tasks;
  for (const TaskOutcome& task : results.tasks)
    if (task.loss == shown_loss) tasks.push_back(&task);
  std::ranges::stable_sort(tasks, {}, [&](const TaskOutcome* task) { return total_of(*task, our_name, accuracy); });
  return tasks;
}

Panel seconds_panel(const std::vector<const TaskOutcome*>& tasks, const PeersField& field, double accuracy) {
  Panel panel{.title = fmt::format("accuracy {:.0e}", accuracy),
              .x = {.label = "problem", .least = 0, .most = static_cast<double>(tasks.size() + 1)},
              .y = {.label = "seconds, load included", .logarithmic = true},
              .curves = {}};
  for (const auto& [peer, version] : field.versions) {
    Curve curve{.method = peer, .x = {}, .y = {}};
    for (std::size_t k = 0; k < tasks.size(); ++k)
      if (const double seconds = total_of(*tasks[k], peer, accuracy); std::isfinite(seconds)) {
        curve.x.push_back(static_cast<double>(k + 1));
        curve.y.push_back(seconds);
      }
    if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
  }
  return panel;
}

Figure seconds_figure(const PeersOptions& o, const PeersResults& results, const PeersField& field) {
  // A problem has the same number in all panels.
  const std::vector<const TaskOutcome*> tasks = in_order(results, o.accuracies.front());
  std::vector<std::string> order;
  for (const TaskOutcome* task : tasks)
    order.push_back(fmt::format("{} {} at {:g}", order.size() + 1, task->data, task->l2));
  Figure figure{
      "seconds",
      fmt::format("Seconds on every problem, {}", shown_loss),
      fmt::format("A problem is a data set with an l2, in the order of our seconds to {:.0e}: {}. Where a point is "
                  "missing, the accuracy was not reached within {:g} s.",
                  o.accuracies.front(), fmt::join(order, ", "), o.time_limit),
      {}};
  for (const double accuracy : o.accuracies) {
    Panel panel = seconds_panel(tasks, field, accuracy);
    if (!panel.curves.empty()) figure.panels.push_back(std::move(panel));
  }
  return figure;
}

Figure profile_figure(const PeersOptions& o, const PeersResults& results, const PeersField& field) {
  constexpr double widest_ratio = 100;
  Figure figure{
      "profile-seconds",
      fmt::format("Performance profiles, seconds, {}", shown_loss),
      "The share of the problems that a program solves within the given multiple of the seconds of the fastest "
      "one there, load included.",
      {}};
  for (const double accuracy : o.accuracies) {
    std::vector<std::vector<double>> costs;
    for (const auto& [peer, version] : field.versions) {
      costs.emplace_back();
      for (const TaskOutcome* task : in_order(results, accuracy))
        costs.back().push_back(total_of(*task, peer, accuracy));
    }
    const std::vector<Profile> profiles = performance_profiles(costs);
    Panel panel{.title = fmt::format("accuracy {:.0e}", accuracy),
                .x = {.label = "times the fastest", .logarithmic = true, .least = 1, .most = widest_ratio},
                .y = {.label = "share of problems", .least = 0, .most = 1},
                .curves = {}};
    for (std::size_t p = 0; p < profiles.size(); ++p) {
      Curve curve{.method = field.versions[p].first, .x = {}, .y = {}, .steps = true};
      for (std::size_t k = 0; k < profiles[p].ratio.size() && profiles[p].ratio[k] < widest_ratio; ++k) {
        curve.x.push_back(profiles[p].ratio[k]);
        curve.y.push_back(profiles[p].share[k]);
      }
      curve.x.push_back(widest_ratio);  // extended to the edge of the panel
      curve.y.push_back(curve.y.back());
      panel.curves.push_back(std::move(curve));
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace

std::vector<Figure> peers_figures(const PeersOptions& o, const PeersResults& results, const PeersField& field) {
  if (std::ranges::none_of(results.tasks, [](const TaskOutcome& task) { return task.loss == shown_loss; })) return {};
  std::vector<Figure> figures = {seconds_figure(o, results, field), profile_figure(o, results, field)};
  std::erase_if(figures, [](const Figure& figure) { return figure.panels.empty(); });
  return figures;
}

}  // namespace geodescent::lab
