// Why a run has ended, in words: Result::message.
#pragma once

#include <string>

#include "geodescent/optimize/minimize.hpp"

namespace geodescent {

/// What the messages tell.
struct RunNumbers {
  const Options& options;
  const Result& result;
  bool proves = true;        ///< the strong convexity is known
  bool is_gap_known = true;  ///< or estimated
  double gap = 0, relative_gap = 0, gradient_norm = 0, start_value = 0;
  double rounding = 0;            ///< of the last point of the method
  bool is_stalled_early = false;  ///< without progress although rounding is small
  double estimated_strong_convexity = 0;
};

/// The last sentence of every message.
std::string gap_message(const RunNumbers& run);
/// Which tolerance is met.
std::string tolerance_message(const RunNumbers& run, bool is_relative_gap_met);
/// Why the run has ended without meeting one.
std::string limit_message(const RunNumbers& run, Status status);

}  // namespace geodescent
