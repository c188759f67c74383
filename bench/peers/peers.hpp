// Ours beside other programs: what `geodescent bench peers` reports.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "peers/run.hpp"
#include "report/report.hpp"

namespace geodescent::lab {

/// Who took part and who did not.
struct PeersField {
  std::vector<std::pair<std::string, std::string>> versions;  ///< by peer, ours first
  std::vector<std::pair<std::string, std::string>> left_out;  ///< by peer: why, and what to do about it
};

Report peers_report(const PeersOptions& options, const PeersResults& results, const PeersField& field);

// The parts of the report.

/// Stands for the fastest of all peers on each task.
inline constexpr const char* best_peer = "best peer";

/// Ours and a peer on a task, at one accuracy.
struct PeerComparison {
  const TaskOutcome* task = nullptr;
  double ours = 0;               ///< seconds; infinite: not reached
  double theirs = 0;             ///< of its best setting; infinite: none reaches the accuracy within the limit
  const Timing* best = nullptr;  ///< that setting
  std::string peer = {};         ///< whose setting it is
  bool failed = false;           ///< the peer did not run as it should, or its training cannot be told from reading

  double ratio() const;  ///< theirs / ours; 0 when ours has not reached it, NaN when the peer failed
};

/// No solver of the peer came to weights, and not for lack of time: an error, which is no slowness.
bool has_failed(const PeerOutcome& peer);
/// The timing of our run with this tolerance, when it holds what it promises; else nullptr.
const Timing* our_timing(const TaskOutcome& task, double accuracy);
const PeerOutcome* find_peer(const TaskOutcome& task, const std::string& peer);
/// Ours and a peer, or best_peer, on a task; absent where the peer takes no part. The best peer is the fastest of those
/// that did not fail.
std::optional<PeerComparison> compare(const TaskOutcome& task, const std::string& peer, double accuracy,
                                      Clocked clocked);
/// All tasks of a loss in which the peer took part.
std::vector<PeerComparison> compare(const PeersResults& results, const std::string& loss, const std::string& peer,
                                    double accuracy, Clocked clocked);
/// "a9a at 0.0001"
std::string place_of(const TaskOutcome& task);
/// "-s 0, 0.001", or the solver alone where it has no tolerance.
std::string text_of(const PeerSetting& setting);

std::vector<Claim> peers_claims(const PeersOptions& options, const PeersResults& results);
std::vector<Table> peers_tables(const PeersOptions& options, const PeersResults& results, const PeersField& field);
std::vector<Figure> peers_figures(const PeersOptions& options, const PeersResults& results, const PeersField& field);

}  // namespace geodescent::lab
