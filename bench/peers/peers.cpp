#include "peers/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text/outward_text.hpp"
#include "comparison/infinity.hpp"

namespace geodescent::lab {
namespace {

double seconds_or_never(const Timing* timing, Clocked clocked) {
  return timing != nullptr ? seconds_of(*timing, clocked) : infinity;
}

/// Whether a solver reached the accuracy in the search.
bool has_reached(const PeerOutcome& peer, double accuracy) {
  return std::ranges::any_of(peer.trials, [&](const Trial& trial) { return trial.accuracy <= accuracy; });
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

std::optional<PeerComparison> compare(const TaskOutcome& task, const std::string& peer, double accuracy,
                                      Clocked clocked) {
  std::optional<PeerComparison> comparison;
  for (const PeerOutcome& them : task.peers) {
    if (them.peer == our_name || (peer != best_peer && peer != them.peer)) continue;
    const Timing* const best = best_qualifying(them.timings, accuracy, clocked);
    // An accuracy that the search reached but no round repeats counts as a failure, not as
    // slowness.
    const bool failed = has_failed(them) || (best == nullptr && has_reached(them, accuracy));
    const PeerComparison found{
        &task, seconds_or_never(our_timing(task, accuracy), clocked), seconds_or_never(best, clocked), best, them.peer,
        failed};
    if (!comparison || (comparison->failed && !failed) ||
        (comparison->failed == failed && found.theirs < comparison->theirs))
      comparison = found;
  }
  return comparison;
}

std::vector<PeerComparison> compare(const PeersResults& results, const std::string& loss, const std::string& peer,
                                    double accuracy, Clocked clocked) {
  std::vector<PeerComparison> all;
  for (const TaskOutcome& task : results.tasks)
    if (task.loss == loss)
      if (const auto comparison = compare(task, peer, accuracy, clocked)) all.push_back(*comparison);
  return all;
}

std::string place_of(const TaskOutcome& task) { return fmt::format("{} at {:g}", task.data, task.l2); }

std::string text_of(const PeerSetting& setting) {
  return setting.tolerance > 0 ? fmt::format("{}, {:g}", setting.solver, setting.tolerance) : setting.solver;
}

Report peers_report(const PeersOptions& o, const PeersResults& results, const PeersField& field) {
  Report report;
  report.name = "peers";
  report.title = "Seconds, beside other programs";
  report.lead = fmt::format(
      "{} data sets, {} {:g}; every program minimises mean loss + l2/2 |w|^2 without an intercept{} on the same plain "
      "file, and its weights are judged by that objective: accuracy is (f(w) - f*) / (f(0) - f*), with f* in a proven "
      "interval. Ours is told the accuracy and proves it, model and proof written to disk. Of the others the tolerance "
      "is searched, in powers of ten or finer, that reaches the accuracy, for each solver; the best one counts. "
      "Seconds are "
      "minima over {} rounds, or up to {} where they are cheap, in each of which everybody runs once, one after the "
      "other.",
      results.data.size(), o.costs.empty() ? "l2" : "C", fmt::join(o.costs.empty() ? o.lambdas : o.costs, ", "),
      o.classes ? ", with softmax for all classes together, with other losses the sum over one class against the rest,"
                : "",
      o.repeats, more_rounds * o.repeats);
  for (const auto& [peer, version] : field.versions) report.facts.emplace_back(peer, version);
  report.facts.emplace_back("threads", std::to_string(o.threads));
  report.facts.emplace_back("limit of a run", fmt::format("{:g} s", o.time_limit));
  report.facts.emplace_back(
      "load, train",
      "Ours reports both; the proof is part of train, writing is part of the whole command alone. liblinear-train: "
      "load "
      "is a run with C = 0, which it refuses after reading; train is the whole command less that. scikit-learn: "
      "load_svmlight_file and fit, and the whole command is both and the start of Python with its imports; a matrix "
      "with at least half of its entries is dense. vw: load is a pass without learning; train is the whole command "
      "less "
      "that. Where train would be less than 5 % of the command, it is not compared: the difference is noise.");
  for (const DataOutcome& data : results.data)
    if (!data.note.empty()) report.facts.emplace_back(data.name, data.note);
  add_warnings(report, o, results, field);
  report.claims = peers_claims(o, results);
  report.figures = peers_figures(o, results, field);
  report.tables = peers_tables(o, results, field);
  return report;
}

}  // namespace geodescent::lab
