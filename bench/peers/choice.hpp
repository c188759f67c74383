// Selects, from the trials of a peer, the settings that reach each accuracy and are worth timing
// again.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "peers/programs/peer.hpp"

namespace geodescent::lab {

/// One trial of the search: its time and the accuracy of the coefficients.
struct Trial {
  PeerSetting setting;
  double seconds = 0;
  double accuracy = std::numeric_limits<double>::infinity();  ///< infinite: there are no coefficients
  std::string trouble = {};
  bool out_of_time = false;
};

/// The index in `trials` of a solver's loosest tolerance that reaches the accuracy.
std::optional<std::size_t> loosest_qualifying(std::span<const Trial> trials, const std::string& solver,
                                              double accuracy);

/// For each accuracy, each solver's loosest setting that reaches it, unless another solver is more
/// than `factor` times faster. Without repetitions, in the order of the trials.
std::vector<PeerSetting> worth_repeating(std::span<const Trial> trials, std::span<const double> accuracies,
                                         double factor);

/// A setting that is timed in every round: minima of the seconds, and the worst accuracy.
struct Timing {
  PeerSetting setting;
  double load = std::numeric_limits<double>::quiet_NaN();  ///< NaN: unknown
  double train = std::numeric_limits<double>::quiet_NaN();
  double total = std::numeric_limits<double>::infinity();  ///< infinite: it failed
  double accuracy = 0;
  std::string trouble = {};
};

/// The compared seconds: of the whole command, or of training alone.
enum class Clocked { total, train };

/// The seconds of a timing. Infinite if it failed, or if training cannot be separated from reading.
double seconds_of(const Timing& timing, Clocked clocked);
/// The fastest timing that reaches the accuracy; nullptr if there is none.
const Timing* best_qualifying(std::span<const Timing> timings, double accuracy, Clocked clocked);

}  // namespace geodescent::lab
