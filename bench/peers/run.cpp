#include "peers/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "comparison/infinity.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/regularization.hpp"
#include "peers/judge.hpp"

namespace geodescent::lab {
namespace {

constexpr double worth_a_repeat = 2;       // times the fastest; noise is smaller
constexpr double reference_seconds = 600;  // for the reference f*
constexpr double noise = 0.05;             // relative to the seconds of a command

/// A task with its peers.
class Race {
 public:
  Race(const PeersOptions& options, const PeerTask& task, PeersResults& results,
       const std::function<void(std::string)>& say)
      : o_(options), task_(task), results_(results), say_(say), judge_(task, reference_seconds, [&] {
          say(described("the minimum"));
        }) {}

  TaskOutcome run(const std::vector<std::unique_ptr<Peer>>& peers) {
    const double cost = c_from_l2(task_.loss, task_.l2, static_cast<double>(task_.data->rows));
    TaskOutcome outcome{task_.data->name, task_.loss, task_.l2, cost, judge_.reference(), {}, 0};
    std::vector<Peer*> running;
    for (const auto& peer : peers) {
      if (peer->ladders(task_).empty()) continue;
      running.push_back(peer.get());
      PeerOutcome& of = outcome.peers.emplace_back(PeerOutcome{.peer = peer->name()});
      if (peer->name() == our_name) {
        for (const double accuracy : o_.accuracies) of.timings.push_back({.setting = {"train", accuracy}});
        continue;
      }
      for (const Ladder& ladder : peer->ladders(task_)) climb(*peer, ladder, of.trials);
      for (const PeerSetting& setting : worth_repeating(of.trials, o_.accuracies, worth_a_repeat))
        of.timings.push_back({.setting = setting});
    }
    double spent = 0;
    while (outcome.rounds < (spent < cheap_rounds ? more_rounds : 1) * o_.repeats) {
      ++outcome.rounds;
      for (std::size_t p = 0; p < running.size(); ++p)
        spent += take_turn(*running[p], outcome.rounds, outcome.peers[p].timings);
    }
    for (std::size_t p = 0; p < running.size(); ++p) divide(*running[p], outcome.peers[p].timings);
    return outcome;
  }

 private:
  std::string described(const std::string& what) const {
    return fmt::format("{}, {}, {:g}: {}", task_.data->name, task_.loss, task_.l2, what);
  }

  /// Runs a peer once, and judges and records the result.
  Trial attempt(Peer& peer, const PeerSetting& setting, double limit, int round, Attempt& made) {
    const std::string doing = described(fmt::format("{} {} {:g}", peer.name(), setting.solver, setting.tolerance));
    Trial trial{.setting = setting};
    try {
      made = peer.run(task_, setting, {limit, [&] { say_(doing); }});
      trial.trouble = made.trouble;
      if (trial.trouble.empty()) trial.accuracy = judge_.accuracy(made.weights);
    } catch (const InputError& error) {
      trial.trouble = error.what();  // the failure of one peer must not end the others
    }
    trial.seconds = made.seconds;
    trial.out_of_time = made.out_of_time;
    results_.records.push_back({task_.data->name, task_.loss, peer.name(), task_.l2, setting, round, made.seconds,
                                trial.accuracy, trial.trouble});
    return trial;
  }

  /// Tries the tolerances of a solver in order, until the smallest accuracy is reached or further
  /// ones are pointless.
  void climb(Peer& peer, const Ladder& ladder, std::vector<Trial>& trials) {
    constexpr double patience = 1.5e-4;  // times the last tolerance that improved the result
    double best = infinity, last_gain = infinity;
    for (const double tolerance : ladder.tolerances) {
      Attempt made;
      const Trial trial = attempt(peer, {ladder.solver, tolerance}, limit_for(trials), 0, made);
      trials.push_back(trial);
      if (!trial.trouble.empty() || trial.accuracy <= o_.accuracies.back()) break;
      // Loose tolerances before the first progress do not predict the next ones.
      if (trial.accuracy < 0.99 * best || trial.accuracy > 0.1) last_gain = tolerance;
      if (tolerance <= patience * last_gain) break;
      best = std::min(best, trial.accuracy);
    }
  }

  /// A solver that needs more than twice the time of another one for all accuracies is never the
  /// best.
  double limit_for(const std::vector<Trial>& trials) const {
    double least = infinity;
    for (const Trial& trial : trials)
      if (trial.accuracy <= o_.accuracies.back()) least = std::min(least, trial.seconds);
    return std::min(o_.time_limit, 2 * least + 0.5);
  }

  /// Runs all selected settings once. Returns the seconds spent.
  double take_turn(Peer& peer, int round, std::vector<Timing>& timings) {
    double spent = 0;
    const Patience patience{o_.time_limit, [&] { say_(described(peer.name() + " reads the data")); }};
    if (const auto loaded = peer.load(*task_.data, patience)) {
      note_load(peer, loaded->seconds);
      spent += loaded->seconds;
    }
    for (Timing& timing : timings) {
      Attempt made;
      // The limit is doubled: a setting that finished within it once must not fail because the
      // machine is busy.
      const Trial trial = attempt(peer, timing.setting, 2 * o_.time_limit, round, made);
      spent += trial.seconds;
      timing.accuracy = std::max(timing.accuracy, trial.accuracy);
      if (!trial.trouble.empty()) {
        timing.trouble = trial.trouble;
        continue;
      }
      timing.total = std::min(timing.total, made.seconds);
      if (!made.load || !made.train) continue;
      note_load(peer, *made.load);
      timing.load = std::fmin(timing.load, *made.load);
      timing.train = std::fmin(timing.train, *made.train);
    }
    return spent;
  }

  void note_load(const Peer& peer, double seconds) {
    std::map<std::string, double>& load = results_.data.back().load;
    const auto found = load.try_emplace(peer.name(), seconds).first;
    found->second = std::min(found->second, seconds);
  }

  /// Separates reading from training, if the peer has not. A difference within the noise stays
  /// unknown.
  void divide(const Peer& peer, std::vector<Timing>& timings) const {
    const auto found = results_.data.back().load.find(peer.name());
    const double load = found == results_.data.back().load.end() ? std::nan("") : found->second;
    for (Timing& timing : timings) {
      if (!std::isfinite(timing.total) || !std::isnan(timing.train)) continue;
      timing.load = load;
      if (!peer.run_reads_file()) {
        timing.train = timing.total;
        timing.total += peer.start_seconds() + load;
      } else if (timing.total - load >= noise * timing.total) {
        timing.train = timing.total - load;
      }
    }
  }

  const PeersOptions& o_;
  const PeerTask& task_;
  PeersResults& results_;
  const std::function<void(std::string)>& say_;
  Judge judge_;
};

/// The values of l2 for a loss and a number of rows.
std::vector<double> strengths(const PeersOptions& o, const std::string& loss, std::size_t rows) {
  if (o.costs.empty()) return o.lambdas;
  std::vector<double> values;
  for (const double c : o.costs) values.push_back(l2_from_c(loss, c, static_cast<double>(rows)));
  return values;
}

}  // namespace

PeersResults run_peers(const PeersOptions& o, const std::vector<PeerSource>& sources,
                       const std::vector<std::unique_ptr<Peer>>& peers, const ScratchFolder& scratch,
                       const PeersWatch& watch) {
  PeersResults results;
  const std::size_t total = sources.size() * o.losses.size() * (o.costs.empty() ? o.lambdas.size() : o.costs.size());
  const std::function<void(std::string)> say = [&](const std::string& doing) {
    if (watch) watch({results.tasks.size(), total, doing});
  };
  const PreparedFor purpose{.regression = std::ranges::all_of(o.losses, is_regression),
                            .classes = o.classes,
                            .vw = std::ranges::any_of(peers, [](const auto& peer) { return peer->name() == vw_name; })};
  for (const PeerSource& source : sources) {
    say(source.name + ": written as plain text");
    const PeerData data = prepare_data(source.name, source.file, scratch, purpose);
    results.data.push_back({data.name, data.note, data.rows, data.features, data.nonzeros, data.bytes});
    for (const std::string& loss : o.losses)
      for (const double l2 : strengths(o, loss, data.rows)) {
        const PeerTask task{&data, loss, l2};
        TaskOutcome outcome = Race(o, task, results, say).run(peers);
        results.tasks.push_back(std::move(outcome));
      }
  }
  return results;
}

}  // namespace geodescent::lab
