// geodescent beside other programs: the report of `geodescent bench peers`.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "peers/run.hpp"
#include "report/report.hpp"

namespace geodescent::lab {

/// The programs that took part, and those that did not.
struct PeersField {
  std::vector<std::pair<std::string, std::string>> versions;  ///< by peer, geodescent first
  std::vector<std::pair<std::string, std::string>> left_out;  ///< by peer: the reason and the remedy
};

Report peers_report(const PeersOptions& options, const PeersResults& results, const PeersField& field);

// The parts of the report.

/// A name for the fastest of all peers on each task.
inline constexpr const char* best_peer = "best peer";

/// geodescent and a peer on a task, at one accuracy.
struct PeerComparison {
  const TaskOutcome* task = nullptr;
  double ours = 0;               ///< seconds; infinite: not reached
  double theirs = 0;             ///< of its best setting; infinite if none reaches the accuracy within the limit
  const Timing* best = nullptr;  ///< that setting
  std::string peer = {};         ///< the peer with that setting
  bool failed = false;           ///< the peer failed, or its training cannot be separated from reading

  double ratio() const;  ///< theirs / ours; 0 if geodescent has not reached the accuracy, NaN if the peer failed
};

/// Whether no solver of the peer returned coefficients for a reason other than time. An error does
/// not count as slowness.
bool has_failed(const PeerOutcome& peer);
/// The timing of geodescent with this tolerance, or nullptr if it did not reach that accuracy.
const Timing* our_timing(const TaskOutcome& task, double accuracy);
const PeerOutcome* find_peer(const TaskOutcome& task, const std::string& peer);
/// Compares geodescent with a peer, or with best_peer, on a task. Empty if the peer does not take
/// part. The best peer is the fastest of those that did not fail.
std::optional<PeerComparison> compare(const TaskOutcome& task, const std::string& peer, double accuracy,
                                      Clocked clocked);
/// All tasks of a loss in which the peer took part.
std::vector<PeerComparison> compare(const PeersResults& results, const std::string& loss, const std::string& peer,
                                    double accuracy, Clocked clocked);
/// "a9a at 0.0001"
std::string place_of(const TaskOutcome& task);
/// "-s 0, 0.001", or the solver alone if it has no tolerance.
std::string text_of(const PeerSetting& setting);

std::vector<Claim> peers_claims(const PeersOptions& options, const PeersResults& results);
std::vector<Table> peers_tables(const PeersOptions& options, const PeersResults& results, const PeersField& field);
std::vector<Figure> peers_figures(const PeersOptions& options, const PeersResults& results, const PeersField& field);

}  // namespace geodescent::lab
