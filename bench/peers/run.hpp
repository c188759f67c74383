// The race: every peer on every task. First a search for the tolerances that reach each accuracy.
// Then rounds in which every setting that may be the best runs once; the result is the minimum over
// the rounds. Short runs have more rounds, because three runs of ten milliseconds say little.
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

/// The factor for the number of rounds, while all runs of a task take less than cheap_rounds
/// seconds.
constexpr int more_rounds = 3;
constexpr double cheap_rounds = 60;

struct PeersOptions {
  std::vector<std::string> losses = {"logistic", "smoothed-hinge", "squared-hinge", "squared"};
  bool classes = false;  ///< all classes of data that have three or more, instead of two
  std::vector<double> lambdas = {1e-4, 1e-6};
  std::vector<double> costs = {};                             ///< LIBLINEAR's C; replaces lambdas if not empty
  std::vector<double> accuracies = {1e-3, 1e-4, 1e-6, 1e-9};  ///< decreasing
  int threads = 2;                                            ///< for every peer with threads
  int repeats = 3;                                            ///< rounds; three times as many if they are short
  double time_limit = 60;                                     ///< seconds of one run
};

struct PeerSource {
  std::string name;  ///< unique
  std::string file;
};

/// One run, for the table of all runs.
struct PeerRecord {
  std::string data, loss, peer;
  double l2 = 0;
  PeerSetting setting;
  int round = 0;  ///< 0 for the search
  double seconds = 0;
  double accuracy = 0;
  std::string trouble;
};

/// The result of a peer on a task.
struct PeerOutcome {
  std::string peer;
  std::vector<Trial> trials = {};  ///< the search; empty for geodescent, which takes the accuracy as its tolerance
  std::vector<Timing> timings = {};
};

struct TaskOutcome {
  std::string data, loss;
  double l2 = 0;
  double cost = 0;  ///< the same as l2, as LIBLINEAR's C
  ReferenceMinimum reference;
  std::vector<PeerOutcome> peers;  ///< geodescent first; without peers that have no solver for the loss
  int rounds = 0;
};

/// A data set, and the seconds of each peer to read it.
struct DataOutcome {
  std::string name;
  std::string note = {};  ///< how labels became two classes, if not obvious
  std::size_t rows = 0, features = 0, nonzeros = 0;
  std::uintmax_t bytes = 0;
  std::map<std::string, double> load = {};  ///< by peer
};

struct PeersResults {
  std::vector<DataOutcome> data;
  std::vector<TaskOutcome> tasks;
  std::vector<PeerRecord> records;
};

/// Progress. The callback is called often; if it throws, the race and all running programs end.
struct PeersState {
  std::size_t finished = 0, total = 0;  ///< tasks
  std::string doing;
};
using PeersWatch = std::function<void(const PeersState&)>;

/// `peers`: geodescent first. `scratch` is the folder for the data as plain text.
PeersResults run_peers(const PeersOptions& options, const std::vector<PeerSource>& sources,
                       const std::vector<std::unique_ptr<Peer>>& peers, const ScratchFolder& scratch,
                       const PeersWatch& watch);

}  // namespace geodescent::lab
