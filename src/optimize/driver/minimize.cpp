#include "geodescent/optimize/minimize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "optimize/driver/limits.hpp"
#include "optimize/driver/relative_gap.hpp"
#include "optimize/driver/require_sense.hpp"
#include "optimize/driver/run_messages.hpp"
#include "optimize/models/lower_model.hpp"
#include "optimize/oracles/counted_oracle.hpp"

namespace geodescent {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Purpose purpose_of(const Options& o) { return {.gap = o.gap_tolerance, .dual = o.keep_dual}; }

/// x0 as multipliers: 0 for every row, and 1 for x0 itself if it is not 0.
Vector start_by_rows(const Vector& x0, const Oracle& by_rows) {
  Vector multipliers(by_rows.dimension());
  if (std::any_of(x0.begin(), x0.end(), [](double v) { return v != 0; })) multipliers.back() = 1;
  return multipliers;
}

/// One run of a method on a function.
class Run {
 public:
  /// `space` is f or the row form of f. Both add to `counts`.
  Run(Oracle& f, Oracle& space, const Counts& counts, Method& method, const Options& options, const Observer& observer)
      : f_(f),
        space_(&space),
        counts_(counts),
        method_(method),
        options_(options),
        limits_(f, options, observer),
        proves_(f.strong_convexity() > 0) {}

  /// Runs from x0. `start` is x0 in the space of the method.
  Result from(const Vector& x0, const Vector& start) {
    x0_ = x0;
    result_.x = x0;
    best_ = start;
    gradient_.resize(f_.dimension());
    bound_ = f_.facts().trivial_bound;
    if (!proves_) result_.estimated_strong_convexity = 0;
    method_.start(*space_, start);
    result_.value = start_value_ = method_.iterate().value;
    result_.reference_value = options_.reference_value.value_or(result_.value);
    while (!finished()) {
      step_ = method_.step();
      ++result_.iterations;
    }
    if (!fresh_value_) place();
    result_.counts = counts_;
    result_.seconds = limits_.seconds();
    result_.memory = method_.memory();
    return std::move(result_);
  }

 private:
  static constexpr int patience = 3;
  static constexpr int most_restarts = 10;

  enum class Best {
    of_method,         ///< a point of the method
    start,             ///< x0, and the method works from there
    start_left_behind  ///< x0, but the method works on a worse point
  };

  /// Sets result.x to the best point.
  void place() {
    if (by_rows())
      space_->expand(best_, result_.x);
    else
      result_.x = best_;
  }

  bool by_rows() const { return &f_ != space_; }

  bool finished() {
    it_ = method_.iterate();
    if (step_ == Step::not_finite || !std::isfinite(it_.value) || !std::isfinite(it_.gradient_norm))
      return not_finite();
    take();
    limits_.ask(progress());

    if ((tolerance_met() || contradicts()) && settled()) return true;
    const std::optional<Status> limit = limit_reached();
    if (limit && settled()) return true;
    const bool may_restart =
        (!limit || *limit == Status::precision_limit) && limits_.allow_more_than(result_.iterations);
    if (may_restart && (lost() || drifted()) && restarts_ < most_restarts) return start_again();
    if (!limit && !lost()) return false;
    if (may_restart && !lost() && (refined() || stuck())) return start_again();
    const Status status = limit.value_or(Status::precision_limit);
    return end(status, limit_message(numbers(), status) + "; " + gap_message(numbers()));
  }

  /// Whether the method's points are worse than x0: it must start again there, or the run ends.
  bool lost() const { return best_is_ == Best::start_left_behind; }

  /// Whether cached images have drifted from their points, as after a start at a great distance.
  bool drifted() const { return fresh_value_ && std::abs(drift_) > 100 * value_error_; }

  /// Whether the gap is much larger than the one at which rounding ends a run on well-scaled data.
  bool far_from_optimal() const { return gap() > 1e-9 * (result_.reference_value - certified_bound()); }

  /// Switches to products with more digits, if there are any, and leaves the row form.
  bool refined() {
    if (!far_from_optimal() || !f_.refine()) return false;
    place();
    best_ = result_.x;
    space_ = &f_;
    fresh_value_ = false;
    return true;
  }

  bool stalled_early() const { return step_ == Step::stalled && gap() > 100 * it_.rounding && far_from_optimal(); }

  /// Whether to restart after a step without progress although rounding is small: the method's
  /// memory may be the cause. True as long as the value has fallen since the last such restart.
  bool stuck() {
    if (!stalled_early() || restarts_ >= most_restarts) return false;
    return result_.value < std::exchange(value_when_stuck_, result_.value);
  }

  /// Restarts the method at the best x with fresh images; keeps the bound. False: the run goes on.
  bool start_again() {
    ++restarts_;
    if (lost()) best_is_ = Best::start;
    method_.start(*space_, best_);
    cached_value_ = method_.iterate().value;
    drift_ = 0;
    at_rounding_ = 0;
    step_ = Step::progressed;
    return false;
  }

  /// Decides whether the run is over. The values so far come from cached images, which drift; this
  /// evaluates f from x alone.
  bool settled() {
    const bool confirmed = recompute();
    if (contradicts()) return not_strongly_convex();
    return confirmed && tolerance_met() && end(Status::converged, tolerance_message(numbers(), relative_gap_met()));
  }

  std::optional<Status> limit_reached() const {
    if (limits_.stopped_by_observer()) return Status::stopped_by_observer;
    if (step_ == Step::stalled || at_rounding_ >= patience) return Status::precision_limit;
    return limits_.reached(result_.iterations);
  }

  /// The best known lower bound. f(x) is known up to its rounding only. The bound is lowered by
  /// that, so that value - bound covers f(x) - f* and is never negative.
  double certified_bound() const { return std::min(bound_, result_.value) - (fresh_value_ ? value_error_ : 0); }
  double gap() const { return result_.value - certified_bound(); }

  /// At the best x if it was computed there, otherwise where the method computed its last gradient.
  double gradient_norm() const { return fresh_value_ ? fresh_gradient_norm_ : it_.gradient_norm; }

  /// Updates the best point and the best bound.
  void take() {
    // The method's own gap is within rounding, and the value falls by no more than rounding. The
    // gap to the trivial bound does not count, since that bound may be far better. One such
    // iteration is not enough: from a distant start it can happen by chance.
    const bool at_rounding =
        it_.value - it_.lower_bound <= 2 * it_.rounding && it_.value >= cached_value_ - it_.rounding;
    at_rounding_ = at_rounding ? at_rounding_ + 1 : 0;
    if (it_.value < cached_value_) {
      cached_value_ = it_.value;
      result_.value = it_.value + drift_;
      std::copy(it_.x->begin(), it_.x->end(), best_.begin());
      fresh_value_ = false;
      best_is_ = Best::of_method;
      result_.intercepts.clear();
    }
    // A proven bound is kept. An estimated bound is withdrawn when the method lowers its estimate.
    if (it_.lower_bound > bound_) {
      keep_dual(it_.dual);
      bound_rounding_ = it_.rounding;
    }
    bound_ = std::max(proves_ ? bound_ : f_.facts().trivial_bound, it_.lower_bound);
    if (!proves_) result_.estimated_strong_convexity = it_.estimated_strong_convexity;
  }

  void keep_dual(std::span<const double> dual) {
    if (options_.keep_dual) result_.dual.assign(dual.begin(), dual.end());
  }

  Progress progress() const {
    return {result_.iterations,
            result_.value,
            std::min(bound_, result_.value),
            it_.gradient_norm,
            result_.reference_value,
            proves_,
            counts_,
            limits_.seconds(),
            &method_};
  }

  bool relative_gap_met() const {
    const double bound = certified_bound();
    return bound > -infinity && gap() <= options_.gap_tolerance * (result_.reference_value - bound);
  }

  bool tolerance_met() const {
    if (relative_gap_met() || gap() <= options_.absolute_gap_tolerance) return true;
    return options_.gradient_tolerance > 0 && gradient_norm() <= options_.gradient_tolerance;
  }

  /// Whether the bound exceeds the value by more than the rounding of both.
  bool contradicts() const { return proves_ && bound_ - result_.value > bound_rounding_ + value_error_; }

  /// Computes f, its gradient and the single-point bound at the best x, from x alone. Returns
  /// false, changing nothing, if a user's function is no longer finite there.
  bool recompute() {
    if (fresh_value_) return true;
    place();
    fresh_.x = result_.x;
    fresh_.image.resize(f_.image_size());
    f_.lift(fresh_);
    const Evaluation e = f_.gradient(fresh_, gradient_);
    const double gradient_norm = norm(gradient_);
    if (!std::isfinite(e.value) || !std::isfinite(gradient_norm)) return false;
    if (e.value - e.value_error > start_value_ && best_is_ == Best::of_method) return back_to_start();
    drift_ = e.value - cached_value_;
    value_error_ = e.value_error >= 0 ? e.value_error : infinity;  // NaN: the error is unknown
    result_.value = e.value;
    result_.intercepts = f_.intercepts();
    fresh_gradient_norm_ = gradient_norm;
    const LowerBound bound = single_point_bound(fresh_.x, gradient_, e, f_.strong_convexity());
    if (bound.value > bound_) {
      keep_dual(e.dual);
      bound_ = bound.value;
      bound_rounding_ = bound.error;
    }
    fresh_value_ = true;
    return true;
  }

  /// Called if the images have drifted so far that x is worse than the start. The run goes back to
  /// x0, where f is known, with more digits if there are any.
  bool back_to_start() {
    f_.refine();
    space_ = &f_;
    best_.assign(x0_.begin(), x0_.end());
    cached_value_ = result_.value = start_value_;
    best_is_ = Best::start_left_behind;
    return recompute();
  }

  bool end(Status status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
    result_.lower_bound = certified_bound();
    result_.gradient_norm = gradient_norm();
    return true;
  }

  bool not_strongly_convex() {
    const std::string message = fmt::format(
        "f(x) = {} lies below the lower bound {} that strong_convexity = {} implies: the function is not that "
        "strongly convex, or its gradient is wrong",
        result_.value, bound_, f_.strong_convexity());
    bound_ = -infinity;
    return end(Status::not_strongly_convex, message);
  }

  bool not_finite() {
    if (result_.iterations == 0) return end(Status::not_finite, bad_start());
    recompute();
    return end(Status::not_finite,
               fmt::format("the function or its gradient was not finite in iteration {} (an entry of the gradient "
                           "that the function does not write is NaN); x is the best point before; {}",
                           result_.iterations, gap_message(numbers())));
  }

  std::string bad_start() {
    if (!std::isfinite(result_.value)) return "the function is not finite at the start";
    recompute();
    const auto entry = std::ranges::find_if(gradient_, [](double v) { return std::isnan(v); });
    if (entry == gradient_.end()) return "the gradient is not finite at the start";
    return fmt::format("entry {} of the gradient is NaN at the start: the function did not write it, or wrote NaN",
                       entry - gradient_.begin());
  }

  RunNumbers numbers() const {
    return {.options = options_,
            .result = result_,
            .proves = proves_,
            .is_gap_known = proves_ || bound_ > -infinity,
            .gap = gap(),
            .relative_gap = relative_gap(gap(), result_.reference_value, certified_bound()),
            .gradient_norm = gradient_norm(),
            .start_value = start_value_,
            .rounding = it_.rounding,
            .is_stalled_early = stalled_early(),
            .estimated_strong_convexity = it_.estimated_strong_convexity};
  }

  Oracle& f_;
  Oracle* space_;  // of the method: f or the row form of f
  const Counts& counts_;
  Method& method_;
  const Options& options_;
  Limits limits_;
  const bool proves_;  // whether the strong convexity is known

  Result result_;
  std::span<const double> x0_;
  Vector best_;  // the best point in the space of the method
  Best best_is_ = Best::start;
  Step step_ = Step::progressed;
  Iterate it_;
  int restarts_ = 0;
  int at_rounding_ = 0;  // consecutive iterations that changed no more than rounding
  double bound_ = -infinity;
  double bound_rounding_ = 0;
  double cached_value_ = infinity;  // of the best x, from the method's cached image
  double drift_ = 0;                // fresh value minus cached value, at the last recomputation
  double start_value_ = infinity;
  double value_error_ = 0;
  double value_when_stuck_ = infinity;
  double fresh_gradient_norm_ = 0;
  bool fresh_value_ = false;
  Point fresh_;
  Vector gradient_;
};

}  // namespace

Result minimize(const Objective& f, Method& method, std::span<const double> x0, const Options& options,
                const Observer& observer) {
  require_sense(f, x0, options);
  Counts counts;
  CountedOracle oracle(f.oracle(), counts);
  Vector start(x0.begin(), x0.end());
  start.resize(f.dimension());
  const std::unique_ptr<Oracle> rows = method.works_by_rows() ? oracle.row_form(start) : nullptr;
  if (!rows) return Run(oracle, oracle, counts, method, options, observer).from(start, start);
  return Run(oracle, *rows, counts, method, options, observer).from(start, start_by_rows(start, *rows));
}

Result minimize(const Objective& f, std::span<const double> x0, const Options& options, const Observer& observer) {
  return minimize(f, MethodChoice(), x0, options, observer);
}

Result minimize(const Objective& f, const MethodChoice& method, std::span<const double> x0, const Options& options,
                const Observer& observer) {
  return minimize(f, *method.make(purpose_of(options)), x0, options, observer);
}

std::optional<Memory> planned_memory(const Objective& f, const MethodChoice& method, const Options& options) {
  const std::unique_ptr<Method> made = method.make(purpose_of(options));
  const std::unique_ptr<Oracle> oracle = f.oracle(), rows = made->works_by_rows() ? oracle->row_form({}) : nullptr;
  return made->plan((rows ? rows : oracle)->facts());
}

}  // namespace geodescent
