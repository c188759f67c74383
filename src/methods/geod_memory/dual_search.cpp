// Epochs of dual coordinate ascent. The dual point that they reach is a ball, and the way to its centre is a direction
// of the search. For many sparse rows and a regularisation that is not weak: an epoch costs little more than a pass,
// and a few of them are enough.
#include <algorithm>
#include <cmath>

#include "methods/common.hpp"
#include "methods/geod_memory/cost.hpp"
#include "methods/geod_memory/forecast.hpp"
#include "methods/geod_memory/remembered_span.hpp"
#include "methods/geod_memory/search.hpp"
#include "optimize/search/dual_model.hpp"

namespace geodescent {
namespace {

constexpr double span_tolerance = 0.05;
constexpr int most_steps = 4;
/// Epochs between two evaluations.
constexpr double first_epochs = 3, most_epochs = 8;

class DualSearch final : public Search {
 public:
  DualSearch(State& s, std::size_t directions)
      : span_(*s.f, directions),
        origin_(s.f->dimension(), s.f->image_size()),
        linear_(s.f->dimension(), s.product.by_rows ? s.f->image_size() : 0),
        direction_(point_of(*s.f)) {
    span_.start(s.x);
    const bool from_zero = std::all_of(s.x.x.begin(), s.x.x.end(), [](double v) { return v == 0; });
    s.f->dual()->begin_dual(from_zero ? std::span<const double>{} : s.x.image);
    forecast_.see(s.f_x - std::max(s.bound, s.f->facts().trivial_bound), 0);
  }

  double remaining_iterations(const State& s) const override {
    return forecast_.count() < 3 ? 0 : forecast_.iterations_to(s.wanted_gap());
  }

  bool descend(State& s) override {
    DualModel& dual = *s.f->dual();
    const double missing = forecast_.iterations_to(s.wanted_gap());
    const double wanted = std::isfinite(missing) ? std::ceil(missing) : epochs_ == 0 ? first_epochs : most_epochs;
    const int count = static_cast<int>(std::clamp(wanted, 1.0, most_epochs));
    for (int k = 0; k < count; ++k) dual.dual_epoch();
    epochs_ += count;
    const Evaluation e = dual.dual_ball(linear_.x);
    if (!std::isfinite(e.offset)) return false;
    if (s.product.by_rows) std::copy(e.linear_image.begin(), e.linear_image.end(), linear_.image.begin());
    s.enclose(origin_, linear_, e);

    // Towards the centre of this ball.
    const double to_centre = -1 / s.f->strong_convexity();
    if (s.product.by_rows) {
      combine(direction_, to_centre, linear_, -1, s.x);
    } else {
      combine(direction_.x, to_centre, linear_.x, -1, s.x.x);
      s.f->lift(direction_);
    }
    span_.remember(direction_, s.x, {});
    const double goal = span_tolerance * std::sqrt(s.f->strong_convexity() * std::max(0.0, s.gap()));
    if (!span_.search(*s.f, s.x, s.f_x, {}, goal, most_steps)) return false;
    forecast_.see(s.gap(), epochs_);
    return true;
  }

 private:
  RememberedSpan span_;
  const Point origin_;
  Point linear_, direction_;
  Forecast forecast_;
  int epochs_ = 0;
};

constexpr std::size_t usual_directions = 10;
// Fits the 6, 10 and 55 epochs that a prototype took to 1e-6 at C = 1, 10 and 100, logistic, on 100,000 rows of text.
constexpr double first_epoch = 1, epochs_per_digit = 0.9, more_epochs_per_condition = 0.32;
/// Guesses, not measured: an epoch reads each row for a product and an update, and computes losses one by one.
constexpr double passes_of_an_epoch = 1.3, row_of_an_epoch = 60;
/// A guess: the speed-up of other searches by four threads. An epoch has one. A plan must not depend on the machine.
constexpr double gain_of_four_threads = 2.5;
constexpr double epochs_per_evaluation = 3;

Memory plan(const Facts& f, const GeodMemory& settings, bool /*dual*/) {
  return {.directions = std::min(f.dimension, settings.memory.value_or(usual_directions)),
          .balls = settings.balls.value_or(0)};
}

double iterations(const Facts& f, double digits) {
  return first_epoch + digits * (epochs_per_digit + more_epochs_per_condition * f.dual_condition);
}

double iteration_time(const Facts& f, const Memory& memory, double iterations) {
  const double epoch = passes_of_an_epoch * pass_time(f) + row_of_an_epoch * number(f.image_size);
  const double evaluation =
      2 * pass_time(f) + 4 * losses_time(f) + remembered_time(f, memory, number(f.dimension), iterations);
  return gain_of_four_threads * epoch + evaluation / epochs_per_evaluation;
}

double bytes(const Facts& f, const Memory& memory) {
  const double d = number(f.dimension), n = number(f.image_size);
  const double coefficients = number(f.columns);  // by rows there are more of them than numbers in a point
  return 8 * (9 * n + 6 * d + coefficients + bundle_numbers(f, memory, d) + basis_numbers(f, memory.directions));
}

}  // namespace

extern const SearchKind dual_search{
    .name = "dual",
    .is_candidate = true,
    .works_by_rows = true,
    .saves_passes = false,
    .lifts_gradients = false,
    .guarded = Guarded::by_forecast,
    .applies = [](const Facts& f) { return f.dual_condition > 0; },
    .plan = plan,
    .iterations = iterations,
    .iteration_time = iteration_time,
    .bytes = bytes,
    .start = [](State& s, const Memory& memory, const GeodMemory&) -> std::unique_ptr<Search> {
      return std::make_unique<DualSearch>(s, memory.directions);
    }};

}  // namespace geodescent
