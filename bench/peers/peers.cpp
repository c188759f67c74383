#include "peers/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/outward_text.hpp"
#include "comparison/infinity.hpp"

namespace geodescent::lab {
namespace {

double seconds_of(const Timing* timing, Clocked clocked) {
  if (timing == nullptr) return infinity;
  return clocked == Clocked::total ? timing->total : timing->train;
}

void add_warnings(Report& report, const PeersOptions& o, const PeersResults& results, const PeersField& field) {
  for (const auto& [peer, reason] : field.left_out)
    report.warnings.push_back(fmt::format("{} is left out: {}.", peer, reason));
  for (const TaskOutcome& task : results.tasks) {
    const std::string where = fmt::format("{}, {}, l2 {:g}", task.data, task.loss, task.l2);
    if (const double gap = task.reference.relative_gap(); !(gap <= 0.1 * o.accuracies.back()))
      report.warnings.push_back(
          fmt::format("{}: f* is proven to {} only, so that smaller accuracies cannot be told from each other.", where,
                      text_above(gap, 2)));
    for (const PeerOutcome& peer : task.peers) {
      if (peer.peer != our_name && has_failed(peer))
        report.warnings.push_back(fmt::format("{}: {} does not work: {}.", where, peer.peer,
                                              peer.trials.empty() ? "no try" : peer.trials.front().trouble));
      for (const Timing& timing : peer.timings)
        if (!timing.trouble.empty())
          report.warnings.push_back(
              fmt::format("{}: {} ({}) failed: {}.", where, peer.peer, text_of(timing.setting), timing.trouble));
    }
  }
}

}  // namespace

double PeerComparison::ratio() const {
  if (failed) return std::nan("");
  if (!std::isfinite(ours)) return 0;
  return theirs / ours;
}

bool has_failed(const PeerOutcome& peer) {
  const auto slow = [](const Trial& trial) { return trial.out_of_time || std::isfinite(trial.accuracy); };
  return std::ranges::none_of(peer.trials, slow);
}

const PeerOutcome* find_peer(const TaskOutcome& task, const std::string& peer) {
  const auto found = std::ranges::find(task.peers, peer, &PeerOutcome::peer);
  return found == task.peers.end() ? nullptr : &*found;
}

const Timing* our_timing(const TaskOutcome& task, double accuracy) {
  const PeerOutcome* const ours = find_peer(task, our_name);
  if (ours == nullptr) return nullptr;
  for (const Timing& timing : ours->timings)
    if (timing.setting.tolerance == accuracy && std::isfinite(timing.total) && timing.accuracy <= accuracy)
      return &timing;
  return nullptr;
}

std::vector<PeerComparison> compare(const PeersResults& results, const std::string& loss, const std::string& peer,
                                    double accuracy, Clocked clocked) {
  std::vector<PeerComparison> all;
  for (const TaskOutcome& task : results.tasks) {
    const PeerOutcome* const them = find_peer(task, peer);
    if (task.loss != loss || them == nullptr) continue;
    const Timing* const best = best_qualifying(them->timings, accuracy);
    // What the search has found and no round repeats is an accident, not a speed.
    const bool lost = best == nullptr &&
                      std::ranges::any_of(them->trials, [&](const Trial& trial) { return trial.accuracy <= accuracy; });
    all.push_back({&task, seconds_of(our_timing(task, accuracy), clocked), seconds_of(best, clocked), best,
                   lost || has_failed(*them)});
  }
  return all;
}

std::string text_of(const PeerSetting& setting) { return fmt::format("{}, {:g}", setting.solver, setting.tolerance); }

Report peers_report(const PeersOptions& o, const PeersResults& results, const PeersField& field) {
  Report report;
  report.name = "peers";
  report.title = "Seconds, beside other programs";
  report.lead = fmt::format(
      "{} data sets, l2 {:g}; every program minimises mean loss + l2/2 |w|^2 without an intercept on the same plain "
      "file, and its weights are judged by that objective: accuracy is (f(w) - f*) / (f(0) - f*), with f* in a proven "
      "interval. Ours is told the accuracy and proves it, model and proof written to disk. Of the others the tolerance "
      "is searched, in powers of ten, that reaches the accuracy, for each solver; the best one counts. Seconds are "
      "minima over {} rounds, or up to {} where they are cheap, in each of which everybody runs once, one after the "
      "other.",
      results.data.size(), fmt::join(o.lambdas, ", "), o.repeats, more_rounds * o.repeats);
  for (const auto& [peer, version] : field.versions) report.facts.emplace_back(peer, version);
  report.facts.emplace_back("threads", std::to_string(o.threads));
  report.facts.emplace_back("limit of a run", fmt::format("{:g} s", o.time_limit));
  report.facts.emplace_back(
      "load, train",
      "Ours says both itself; the proof is part of train, the files are of the total alone. liblinear-train: load is "
      "a run that it ends after reading, since C is 0; train is the rest. scikit-learn: "
      "load_svmlight_file and fit, in a Python that runs already; data of which at least half is "
      "there are given as a dense array. vw: load is a pass without learning.");
  for (const DataOutcome& data : results.data)
    if (!data.note.empty()) report.facts.emplace_back(data.name, data.note);
  add_warnings(report, o, results, field);
  report.claims = peers_claims(o, results);
  report.figures = peers_figures(o, results, field);
  report.tables = peers_tables(o, results, field);
  return report;
}

}  // namespace geodescent::lab
