#include "optimize/driver/run_messages.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/text/counted.hpp"
#include "base/text/outward_text.hpp"
#include "optimize/driver/relative_gap.hpp"

namespace geodescent {
namespace {

const char* kind_of_gap(const RunNumbers& run) { return run.proves ? "proven" : "estimated"; }

/// Without a gap, rounding and a wrong gradient cannot be told apart.
std::string no_lower_value(const RunNumbers& run) {
  return fmt::format("{}; {}",
                     run.result.value < run.start_value ? "the method finds no lower value"
                                                        : "no step from the start lowers the value",
                     run.gradient_norm == 0
                         ? "the gradient is 0"
                         : fmt::format("the gradient norm is {:.3g}, so this is rounding or the gradient is "
                                       "wrong: compare it by check_gradient()",
                                       run.gradient_norm));
}

}  // namespace

std::string gap_message(const RunNumbers& run) {
  if (!run.is_gap_known) return "nothing is known about the gap: the strong convexity is unknown";
  return fmt::format("{} gap {} (tolerance {:g}){}", kind_of_gap(run), gap_text(run.gap, run.relative_gap),
                     run.options.gap_tolerance,
                     run.proves ? ""
                                : fmt::format("; not a proof: the strong convexity is unknown, {:.3g} is an estimate",
                                              run.estimated_strong_convexity));
}

std::string tolerance_message(const RunNumbers& run, bool is_relative_gap_met) {
  if (is_relative_gap_met) return gap_message(run);
  if (run.gap <= run.options.absolute_gap_tolerance)
    return fmt::format("{} gap {} (absolute tolerance {:g})", kind_of_gap(run), text_above(run.gap, 3),
                       run.options.absolute_gap_tolerance);
  return fmt::format("gradient norm {} (tolerance {:g}); {}", text_above(run.gradient_norm, 3),
                     run.options.gradient_tolerance, gap_message(run));
}

std::string limit_message(const RunNumbers& run, Status status) {
  if (status == Status::stopped_by_observer) return "stopped by the observer";
  if (status == Status::iteration_limit)
    return fmt::format("reached the limit of {}", counted(run.options.max_iterations, "iteration"));
  if (status == Status::time_limit) return fmt::format("reached the limit of {} seconds", run.options.max_seconds);
  if (!run.is_gap_known) return no_lower_value(run);
  if (run.is_stalled_early)
    return fmt::format(
        "the method finds no lower value, though rounding is only about {:.2g} (variables of very different sizes "
        "can be the reason, or the gradient of a function of your own: compare it by check_gradient())",
        run.rounding);
  const bool start_is_optimal = run.result.value >= run.start_value - run.rounding && run.gap <= 100 * run.rounding;
  return fmt::format(
      "{} ({})",
      start_is_optimal ? "the start is optimal up to rounding" : "double precision allows no further progress",
      std::isfinite(run.rounding) ? fmt::format("rounding about {:.2g}", run.rounding)
                                  : "numbers are too large to bound the rounding");
}

}  // namespace geodescent
