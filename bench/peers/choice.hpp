// Of all that was tried with a peer: what reached an accuracy, and what is worth timing again.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "peers/programs/peer.hpp"

namespace geodescent::lab {

/// One try of the search: what it took, and how good the weights are.
struct Trial {
  PeerSetting setting;
  double seconds = 0;
  double accuracy = std::numeric_limits<double>::infinity();  ///< infinite: there are no weights
  std::string trouble = {};
  bool out_of_time = false;
};

/// The loosest tolerance of a solver that reaches the accuracy, as its place in `trials`.
std::optional<std::size_t> loosest_qualifying(std::span<const Trial> trials, const std::string& solver,
                                              double accuracy);

/// For each accuracy every solver's loosest qualifying setting, unless another solver is more than `factor` times
/// faster. No setting twice; in the order of the trials.
std::vector<PeerSetting> worth_repeating(std::span<const Trial> trials, std::span<const double> accuracies,
                                         double factor);

/// A setting, timed in every round: minima of the seconds, the worst accuracy.
struct Timing {
  PeerSetting setting;
  double load = std::numeric_limits<double>::quiet_NaN();  ///< NaN: unknown
  double train = std::numeric_limits<double>::quiet_NaN();
  double total = std::numeric_limits<double>::infinity();  ///< infinite: it failed
  double accuracy = 0;
  std::string trouble = {};
};

/// Which seconds are compared: those of the whole command, or of training alone.
enum class Clocked { total, train };

/// The seconds of a timing; infinite where it failed or where training cannot be told from reading.
double seconds_of(const Timing& timing, Clocked clocked);
/// The fastest that reaches the accuracy; nullptr when there is none.
const Timing* best_qualifying(std::span<const Timing> timings, double accuracy, Clocked clocked);

}  // namespace geodescent::lab
