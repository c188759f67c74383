// The dual values of a model: those of its predictions, with the best free intercept. Nothing is
// proven here: a proof rounds them to a dual point and looks at that alone. So they are computed in
// double, where that is enough.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "certificate/proof/intercept.hpp"
#include "certificate/proof/prove.hpp"
#include "certificate/rows/row_sums.hpp"
#include "certificate/same_on_ranks.hpp"
#include "certificate/softmax/softmax.hpp"
#include "data/assemble/class_numbers.hpp"
#include "geodescent/learn/losses.hpp"
#include "learn/constant_column.hpp"

namespace geodescent {
namespace proof {
namespace {

/// In a block.
constexpr std::size_t light_rows = 2048;

/// Of a regression the targets are subtracted.
Vector predictions_of(const Problem& problem, const LinearModel& model) {
  const Predictor predict(problem, model);
  Vector predictions(problem.rows());
  problem.all_rows().for_rows_here(light_rows, [&](std::size_t begin, std::size_t end) {
    PredictedRows batch(problem);
    for (std::size_t next = begin; next < end; next = batch.end) {
      predict(next, end, batch);
      for (std::size_t i = next; i < batch.end; ++i) predictions[i] = batch.predictions[i - next].value;
    }
  });
  return predictions;
}

/// The sum of the losses as a function of what is added to all predictions.
class Shifted {
 public:
  Shifted(const Problem& problem, Vector predictions) : problem_(problem), predictions_(std::move(predictions)) {}

  void move(double shift) {
    for (double& z : predictions_) z += shift;
  }

  /// visit(i, dual value) for some rows.
  template <class Visit>
  void for_rows(std::size_t begin, std::size_t end, double shift, const Visit& visit) const {
    std::array<Approximation, most_at_a_time> batch;
    for (std::size_t next = begin; next < end; next += batch.size()) {
      const std::size_t count = std::min(batch.size(), end - next);
      for (std::size_t r = 0; r < count; ++r)
        batch[r] = {problem_.sign(next + r) * (predictions_[next + r] + shift), 0};
      problem_.loss().replace_by_dual_values(std::span(batch).first(count));
      for (std::size_t r = 0; r < count; ++r) visit(next + r, batch[r].value);
    }
  }

  struct Slope {
    double sum = 0, size = 0;  ///< of its terms, and of their magnitudes

    Slope& operator+=(const Slope& other) {
      sum += other.sum;
      size += other.size;
      return *this;
    }
    bool is_zero(double tolerance = 32 * std::numeric_limits<double>::epsilon()) const {
      return !(std::abs(sum) > tolerance * size);
    }
  };
  Slope slope(double shift) const {
    const AllRows& rows = problem_.all_rows();
    const auto sums = rows.numbers_of_blocks(slope_blocks(rows.size()), 2,
                                             [&](std::size_t begin, std::size_t end, std::span<double> numbers) {
                                               Slope of_block;
                                               for_rows(begin, end, shift, [&](std::size_t i, double dual_value) {
                                                 const double term = problem_.weight(i) * dual_value;
                                                 of_block += {problem_.sign(i) * term, std::abs(term)};
                                               });
                                               numbers[0] = of_block.sum;
                                               numbers[1] = of_block.size;
                                             });
    Slope slope;
    for (std::size_t k = 0; k < sums.size(); k += 2) slope += {sums[k], sums[k + 1]};
    return slope;
  }

  /// The minimiser lies between -reach and reach. Beyond the largest prediction and 1 the classes
  /// are apart; then see AnyProofLoss::reach. Of a regression it is at most the largest residual.
  double reach() const {
    double largest = 0;
    for (const double z : predictions_) largest = std::max(largest, std::abs(z));
    largest = problem_.all_rows().largest(largest);
    if (!problem_.loss().is_classification()) return 2 * largest;
    std::array<double, 2> weights{};  // of the positive class, and of the negative one
    problem_.all_rows().add_in_order(weights, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) weights[problem_.is_positive(i) ? 0 : 1] += problem_.weight(i);
    });
    return largest + 1 + static_cast<double>(problem_.loss().reach(weights[0], weights[1]));
  }

 private:
  const Problem& problem_;
  Vector predictions_;
};

/// A shift and the slope there.
struct Place {
  double b = 0;
  Shifted::Slope slope;

  double f() const { return slope.sum; }
};

/// Between two places whose slopes have different signs: Brent's method (Algorithms for
/// Minimization without Derivatives, 1973, chapter 4).
double root_between(const Shifted& losses, Place a, Place b) {
  constexpr int most_steps = 200;
  constexpr double unit = std::numeric_limits<double>::epsilon();
  Place c = a;
  double step = b.b - a.b, step_before = step;
  for (int k = 0; k < most_steps; ++k) {
    if ((b.f() > 0) == (c.f() > 0)) {
      c = a;
      step = step_before = b.b - a.b;
    }
    if (std::abs(c.f()) < std::abs(b.f())) {  // b is the best place, and the root lies between b and c
      a = b;
      b = c;
      c = a;
    }
    const double least = 2 * unit * std::abs(b.b) + std::numeric_limits<double>::min(), middle = (c.b - b.b) / 2;
    if (b.slope.is_zero() || std::abs(middle) <= least) return b.b;
    double next = middle;
    if (std::abs(step_before) >= least && std::abs(a.f()) > std::abs(b.f())) {
      // By a secant, or by the inverse parabola through three places.
      const double s = b.f() / a.f(), q = a.f() / c.f(), r = b.f() / c.f();
      const bool secant = a.b == c.b;
      const double top = secant ? 2 * middle * s : s * (2 * middle * q * (q - r) - (b.b - a.b) * (r - 1));
      const double below = secant ? 1 - s : (q - 1) * (r - 1) * (s - 1);
      const double size = std::abs(below), forward = top > 0 ? -below : below;  // step = |top| / forward
      const double quotient = std::abs(top) / forward;
      const bool towards = 2 * std::abs(top) < 3 * std::abs(middle) * size - least * size && quotient * middle > 0;
      if (towards && std::abs(2 * quotient) < std::abs(step_before)) next = quotient;
    }
    step_before = next == middle ? middle : step;
    step = next;
    a = b;
    b.b += std::abs(step) > least ? step : std::copysign(least, middle);
    b.slope = losses.slope(b.b);
  }
  return b.b;
}

/// The shift whose slope is 0, up to rounding. Predictions usually contain a trained intercept, so
/// it begins at 0.
double best_shift(const Shifted& losses) {
  Place a{0, losses.slope(0)};
  if (a.slope.is_zero()) return 0;
  const double reach = losses.reach();
  // The first step is that of a curvature as large as the slopes.
  double step = -a.slope.sum / a.slope.size;
  for (;;) {
    Place b{std::clamp(a.b + step, -reach, reach), {}};
    b.slope = losses.slope(b.b);
    if (b.slope.is_zero()) return b.b;
    if ((b.f() > 0) != (a.f() > 0)) return root_between(losses, a, b);
    if (b.b == a.b) return b.b;
    a = b;
    step *= 4;
  }
}

/// The same in Real, several times as slow: for weights that differ so much that double has too few
/// digits. Each rank gets numbers of all rows.
Vector precise_slopes(const Problem& problem, std::span<const double> predictions) {
  Vector weights(predictions.size()), signs(predictions.size());
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    weights[i] = problem.weight(i);
    signs[i] = problem.sign(i);
  }
  const AllRows& rows = problem.all_rows();
  weights = rows.of_all(weights);
  signs = rows.of_all(signs);
  const Vector offsets = rows.of_all(predictions);
  std::vector<InterceptTerm> terms;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    terms.push_back({{static_cast<Real>(weights[i]), 0}, offsets[i], signs[i], 0});
  const Real shift = InterceptProblem(problem.loss(), std::move(terms)).minimiser();
  Vector slopes(predictions.size());
  for (std::size_t i = 0; i < slopes.size(); ++i)
    slopes[i] = static_cast<double>(problem.loss().dual_value(problem.sign(i) * (predictions[i] + shift), 0));
  return slopes;
}

}  // namespace

Vector slopes_at(const Problem& problem, const LinearModel& model) {
  constexpr double enough = 1e-12;  // rounding to steps repairs the rest
  const Vector predictions = predictions_of(problem, model);
  Shifted losses(problem, predictions);
  if (model.risk.bias == Bias::free) {
    // The second shift has the digits that the first one, which may be much larger, has not.
    for (int shift = 0; shift < 2; ++shift) losses.move(best_shift(losses));
    if (!losses.slope(0).is_zero(enough)) return precise_slopes(problem, predictions);
  }
  Vector slopes(problem.rows());
  problem.all_rows().for_rows_here(light_rows, [&](std::size_t begin, std::size_t end) {
    losses.for_rows(begin, end, 0, [&](std::size_t i, double dual_value) { slopes[i] = dual_value; });
  });
  return slopes;
}

}  // namespace proof

Vector slopes_at(const Dataset& data, const LinearModel& model) {
  require_same_on_ranks(data, model);
  if (lacks_constant(data, model.risk)) return slopes_at(with_constant_of(model.risk, data), model);
  if (!is_joint(model.risk.loss)) return proof::slopes_at(proof::Problem(data, model.risk), model);
  const Dataset numbered = numbered_by_class(data, model.classes);
  return proof::slopes_at(proof::SoftmaxProblem(numbered, model.risk, model.outputs()), model);
}

}  // namespace geodescent
