// The race: every peer on every task. First a search for the tolerances that reach each accuracy, then rounds in which
// all that can be the best runs once, one after the other; what counts are minima over the rounds. Where rounds are
// cheap there are more: of runs of ten milliseconds three say little.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "comparison/reference.hpp"
#include "peers/choice.hpp"
#include "peers/programs/peer.hpp"

namespace geodescent::lab {

/// Times as many rounds, as long as all of a task have taken less than so many seconds.
constexpr int more_rounds = 3;
constexpr double cheap_rounds = 60;

struct PeersOptions {
  std::vector<std::string> losses = {"logistic", "smoothed-hinge", "squared-hinge", "squared"};
  std::vector<double> lambdas = {1e-4, 1e-6};
  std::vector<double> costs = {};                             ///< LIBLINEAR's C; instead of lambdas where there are any
  std::vector<double> accuracies = {1e-3, 1e-4, 1e-6, 1e-9};  ///< decreasing
  int threads = 2;                                            ///< of every peer that has threads
  int repeats = 3;                                            ///< rounds; three times as many where they are cheap
  double time_limit = 60;                                     ///< seconds of one run
};

struct PeerSource {
  std::string name;  ///< no two have the same
  std::string file;
};

/// A run, as it was: for the table of all.
struct PeerRecord {
  std::string data, loss, peer;
  double l2 = 0;
  PeerSetting setting;
  int round = 0;  ///< 0: the search
  double seconds = 0;
  double accuracy = 0;
  std::string trouble;
};

/// A peer on a task.
struct PeerOutcome {
  std::string peer;
  std::vector<Trial> trials = {};  ///< the search; none for ours, which is told the accuracy itself
  std::vector<Timing> timings = {};
};

struct TaskOutcome {
  std::string data, loss;
  double l2 = 0;
  double cost = 0;  ///< the same as LIBLINEAR's C
  ReferenceMinimum reference;
  std::vector<PeerOutcome> peers;  ///< ours first; those that have no solver for the loss are not here
  int rounds = 0;
};

/// A data set, and the seconds that each peer takes to read it.
struct DataOutcome {
  std::string name;
  std::string note = {};  ///< how labels became two classes, where that is not plain
  std::size_t rows = 0, features = 0, nonzeros = 0;
  std::uintmax_t bytes = 0;
  std::map<std::string, double> load = {};  ///< by peer
};

struct PeersResults {
  std::vector<DataOutcome> data;
  std::vector<TaskOutcome> tasks;
  std::vector<PeerRecord> records;
};

/// How far it is. Called often; may throw, which ends the race and every program that runs.
struct PeersState {
  std::size_t finished = 0, total = 0;  ///< tasks
  std::string doing;
};
using PeersWatch = std::function<void(const PeersState&)>;

/// `peers`: ours first. `scratch` is where the data go as plain text.
PeersResults run_peers(const PeersOptions& options, const std::vector<PeerSource>& sources,
                       const std::vector<std::unique_ptr<Peer>>& peers, const ScratchFolder& scratch,
                       const PeersWatch& watch);

}  // namespace geodescent::lab
