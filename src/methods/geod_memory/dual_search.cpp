// Epochs of dual coordinate ascent. Their dual point is a ball, and the search goes towards its
// centre. Suited to many sparse rows and a regularisation that is not weak: an epoch then costs
// little more than a pass, and a few epochs are enough.
#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/common.hpp"
#include "methods/geod_memory/plan/cost.hpp"
#include "methods/geod_memory/plan/forecast.hpp"
#include "methods/geod_memory/remembered_span.hpp"
#include "methods/geod_memory/search.hpp"
#include "optimize/oracles/dual_model.hpp"

namespace geodescent {
namespace {

constexpr double span_tolerance = 0.05;
constexpr int most_steps = 4;
/// Epochs before an evaluation.
constexpr int few_epochs = 3, most_epochs = 8;
/// Bounds the gap at the centre of the ball over what the dual value misses, which was 1.6 to 2.3
/// on text with C = 1. An epoch too many costs less than an evaluation too many.
constexpr double gap_of_missing = 10;
/// An evaluation comes early if so many times `most_epochs` are predicted.
constexpr double far = 3;

class DualSearch final : public Search {
 public:
  DualSearch(State& s, std::size_t directions)
      : span_(*s.f, directions),
        origin_(s.f->dimension(), s.f->image_size()),
        linear_(s.f->dimension(), s.product.by_rows ? s.f->image_size() : 0),
        direction_(point_of(*s.f)) {
    span_.start(s.x);
    from_zero_ = std::all_of(s.x.x.begin(), s.x.x.end(), [](double v) { return v == 0; });
    s.f->dual()->begin_dual(from_zero_ ? std::span<const double>{} : s.x.image);
    if (from_zero_) forecast_.see(s.f_x - std::max(s.bound, s.f->facts().trivial_bound), 0);
  }

  double iterations_made() const override { return epochs_of_last_; }
  /// The gap to the bound of the last epochs. After another search the best bound does not describe
  /// them.
  double gap(const State& s) const override { return s.f_x - bound_; }

  bool descend(State& s) override {
    DualModel& dual = *s.f->dual();
    epochs_of_last_ = epochs_ == 0 ? first_epochs(s) : next_epochs(s);
    epochs_ += epochs_of_last_;
    const Evaluation e = dual.dual_ball(linear_.x);
    if (!std::isfinite(e.offset)) return false;
    if (s.product.by_rows) std::copy(e.linear_image.begin(), e.linear_image.end(), linear_.image.begin());
    s.enclose(origin_, linear_, e);
    bound_ = e.offset - s.product.squared_norm(linear_) / (2 * s.f->strong_convexity());

    // Direction to the centre of this ball.
    const double to_centre = -1 / s.f->strong_convexity();
    if (s.product.by_rows) {
      combine(direction_, to_centre, linear_, -1, s.x);
    } else {
      combine(direction_.x, to_centre, linear_.x, -1, s.x.x);
      s.f->lift(direction_);
    }
    span_.remember(direction_, s.x, {});
    const double goal = span_tolerance * std::sqrt(s.f->strong_convexity() * s.wanted_gap());
    if (!span_.search(*s.f, s.x, s.f_x, {}, goal, most_steps)) return false;
    forecast_.see(gap(s), epochs_);
    return true;
  }

 private:
  /// From zero: until the gains of the epochs, which fall geometrically, say that the dual value is
  /// near enough to its maximum, or that it will stay far away. After another search, or without
  /// these values: a few, to learn what epochs gain.
  double first_epochs(const State& s) const {
    double last = 0, gained_before = 0;
    for (int k = 1; k <= most_epochs; ++k) {
      const double value = s.f->dual()->dual_epoch(), gained = value - last;
      if ((!from_zero_ || std::isnan(value)) && k >= few_epochs) return k;
      if (from_zero_ && k > 2 && gained >= 0 && gained < gained_before) {
        const double missing = gap_of_missing * gained * gained / (gained_before - gained);
        const double steps = Forecast::log2_of(missing) - Forecast::log2_of(s.wanted_gap());
        const double steps_per_epoch = Forecast::log2_of(gained_before) - Forecast::log2_of(gained);
        if (steps <= 0 || steps > far * most_epochs * steps_per_epoch) return k;
      }
      last = value;
      gained_before = gained;
    }
    return most_epochs;
  }

  double next_epochs(const State& s) const {
    const double missing = forecast_.iterations_to(s.wanted_gap());
    const int epochs =
        std::isfinite(missing) ? static_cast<int>(std::clamp<double>(std::ceil(missing), 1, most_epochs)) : most_epochs;
    for (int k = 0; k < epochs; ++k) s.f->dual()->dual_epoch();
    return epochs;
  }

  RememberedSpan span_;
  const Point origin_;
  Point linear_, direction_;
  Forecast forecast_;
  bool from_zero_ = false;
  double epochs_ = 0, epochs_of_last_ = 0;
  double bound_ = -std::numeric_limits<double>::infinity();
};

constexpr std::size_t usual_directions = 10;
// Fits the 6, 10 and 55 epochs of a prototype to 1e-6 at C = 1, 10 and 100, logistic, on 100,000
// rows of text.
constexpr double first_epoch = 1, epochs_per_digit = 0.9, more_epochs_per_condition = 0.32;
/// Beyond this condition its square root counts: with C = 10^4, 2,000 generated rows of text took
/// 74 epochs, squared hinge.
constexpr double largest_usual_condition = 25;
/// Estimates, not measured: an epoch reads each row for a product and an update, and computes
/// losses one by one.
constexpr double passes_of_an_epoch = 1.3, row_of_an_epoch = 60;
/// With several outputs, for each of them, in the steps that maximise a row (news20).
constexpr double output_of_an_epoch = 10;
/// Dense rows have much in common, so that one undoes what another has gained (letter: 32 epochs
/// instead of 10).
constexpr double times_of_dense_outputs = 3;
/// Guesses: the speed-up of other searches and of parallel epochs by four threads. A plan must not
/// depend on the machine.
constexpr double gain_of_four_threads = 2.5, gain_of_parallel_epochs = 2;
constexpr double epochs_per_evaluation = 3;

Memory plan(const Facts& f, const GeodMemory& settings, bool /*dual*/) {
  return {.directions = std::min(f.dimension, settings.memory.value_or(usual_directions)),
          .balls = settings.balls.value_or(0)};
}

double iterations(const Facts& f, double digits) {
  // With several outputs rows of very different sizes were slow beyond that condition, too (news20,
  // counts).
  const double slow = f.outputs > 1 ? f.dual_condition : std::sqrt(largest_usual_condition * f.dual_condition);
  const double condition = std::min(f.dual_condition, slow);
  const double dense = f.outputs > 1 && !has_sparse_rows(f) ? times_of_dense_outputs : 1;
  return first_epoch + dense * digits * (epochs_per_digit + more_epochs_per_condition * condition);
}

double iteration_time(const Facts& f, const Memory& memory, double iterations) {
  const double rows = row_of_an_epoch * number(f.image_size / f.outputs);
  const double outputs = f.outputs > 1 ? output_of_an_epoch * number(f.image_size) : 0;
  const double epoch = passes_of_an_epoch * pass_time_by_row(f) + rows + outputs;
  const double evaluation =
      2 * pass_time(f) + 4 * losses_time(f) + remembered_time(f, memory, number(f.dimension), iterations);
  const double slower = f.parallel_epochs ? gain_of_four_threads / gain_of_parallel_epochs : gain_of_four_threads;
  return slower * epoch + evaluation / epochs_per_evaluation;
}

double bytes(const Facts& f, const Memory& memory) {
  const double d = number(f.dimension), n = number(f.image_size);
  const double coefficients = number(f.columns);  // by rows there are more of them than numbers in a point
  // Parallel epochs have the borders of the parts and a copy to go back to.
  const double parallel = f.parallel_epochs ? 4 * n + coefficients : 0;
  return 8 *
         (9 * n + 6 * d + coefficients + parallel + bundle_numbers(f, memory, d) + basis_numbers(f, memory.directions));
}

}  // namespace

extern const SearchKind dual_search{
    .name = "dual",
    .is_candidate = true,
    .works_by_rows = true,
    .saves_passes = false,
    .lifts_gradients = false,
    .guarded = Guarded::by_fallback,
    .pace = Pace::of_dual,
    .applies = [](const Facts& f) { return f.dual_condition > 0; },
    .plan = plan,
    .iterations = iterations,
    .iteration_time = iteration_time,
    .bytes = bytes,
    .start = [](State& s, const Memory& memory, const GeodMemory&) -> std::unique_ptr<Search> {
      return std::make_unique<DualSearch>(s, memory.directions);
    }};

}  // namespace geodescent
