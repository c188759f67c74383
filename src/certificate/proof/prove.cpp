// The proofs about a model: an upper bound on its value, a lower bound on f*, and one on the best
// value without features.
#include "certificate/proof/prove.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "certificate/proof/constant_prediction.hpp"
#include "certificate/proof/intercept.hpp"
#include "certificate/rows/row_sums.hpp"
#include "certificate/same_on_ranks.hpp"
#include "certificate/softmax/softmax.hpp"
#include "data/assemble/class_numbers.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "learn/constant_column.hpp"

namespace geodescent {
namespace proof {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Bounded exactly(double x) { return {static_cast<Real>(x), 0}; }

[[noreturn]] void refuse(const Problem& problem, std::size_t i, double v, const DualRange& range) {
  throw InputError(
      fmt::format("{}: the dual value of row {} is {}, but it must be from {} to {}; take the certificate "
                  "of these data",
                  problem.name(), problem.all_rows().number(i), v, range.least, range.largest));
}

/// v_i. Throws InputError unless it lies in the domain of the conjugate.
double checked_value(const Problem& problem, std::size_t i, std::int64_t steps, double step) {
  const double v = step_value(problem, i, steps, step);
  const DualRange range = problem.dual_range(i);
  if (!(v >= range.least && v <= range.largest)) refuse(problem, i, v, range);
  return v;
}

/// With a free intercept a dual point proves a bound only if sum_i v_i s_i = 0.
void check_sum(const Problem& problem, std::span<const std::int64_t> steps) {
  if (problem.risk().bias != Bias::free || signed_sum(problem, steps) == 0) return;
  throw InputError(
      fmt::format("{}: the dual values do not add up to 0, as they must for a free intercept; "
                  "take a certificate of these data",
                  problem.name()));
}

/// One term for each class.
std::vector<InterceptTerm> terms_without_features(const Problem& problem) {
  // All rows of a class are equal.
  if (problem.rows_count_alike()) {
    const auto count = [](std::size_t rows) { return Bounded{static_cast<Real>(rows), 0}; };
    return {{count(problem.positives()), 0, 1, 0}, {count(problem.all_rows().size() - problem.positives()), 0, -1, 0}};
  }
  std::array<RowSum, 2> sums;  // of the positive class, and of the negative one
  problem.all_rows().add_in_order(sums, [&](std::size_t begin, std::size_t end, std::span<RowSum> to) {
    for (std::size_t i = begin; i < end; ++i) to[problem.sign(i) > 0 ? 0 : 1].add(problem.weight(i), {1, 0});
  });
  return {{sums[0].result(), 0, 1, 0}, {sums[1].result(), 0, -1, 0}};
}

}  // namespace

Bounded regularizer(const ProblemData& problem, std::span<const double> weights) {
  const Bounded squares = sum_over<RowSum>(weights.size(), [&](std::size_t begin, std::size_t end, RowSum& sum) {
    for (std::size_t j = begin; j < end; ++j)
      if (weights[j] != 0) sum.add(weights[j], {weights[j], 0});
  });
  return exactly(problem.risk().l2) * exactly(0.5) * squares;
}

std::span<const std::int64_t> checked_steps(const ProblemData& problem, const DualPoint& dual, std::size_t per_row) {
  const AllRows& rows = problem.all_rows();
  rows.together([&] {
    if (!rows.fits(dual.steps.size(), per_row))
      throw InputError(fmt::format("{}: {} rows, but the dual point has {}; take the certificate of these data",
                                   problem.name(), rows.size(), dual.steps.size()));
    if (dual.exponent < least_exponent || dual.exponent > largest_exponent)
      throw InputError(fmt::format("{}: the dual point has the exponent {}; it must be from {} to {}", problem.name(),
                                   dual.exponent, least_exponent, largest_exponent));
  });
  if (!rows.is_same(dual.exponent))
    throw InputError(fmt::format(
        "{}: the ranks have dual points of different exponents; give all of them the same file", problem.name()));
  return rows.local(std::span(dual.steps), per_row);
}

// `step` is a power of two, possibly subnormal, so its product with a whole number is exact.
double step_value(const ProblemData& problem, std::size_t row, std::int64_t steps, double step) {
  if (steps >= -largest_step && steps <= largest_step) return static_cast<double>(steps) * step;
  throw InputError(fmt::format("{}: the dual value of row {} has {} steps; at most {} are allowed", problem.name(),
                               problem.all_rows().number(row), steps, largest_step));
}

Wide signed_sum(const Problem& problem, std::span<const std::int64_t> steps) {
  const RowRange share = problem.all_rows().share();
  const parallel::Blocks blocks = light_blocks(share.size());
  return problem.all_rows().total(sum_of_blocks(blocks, [&](std::size_t, std::size_t begin, std::size_t end) {
    Wide sum = 0;
    for (std::size_t i = share.begin + begin; i < share.begin + end; ++i)
      sum += problem.is_positive(i) ? steps[i] : -Wide{steps[i]};
    return sum;
  }));
}

double value_above(const Problem& problem, const LinearModel& model) {
  const Predictor predictor(problem, model);
  const Bounded losses = problem.all_rows().sum<RowSum>([&](std::size_t begin, std::size_t end, RowSum& sum) {
    PredictedRows batch(problem);
    for (std::size_t next = begin; next < end; next = batch.end) {
      predictor(next, end, batch);
      std::vector<Approximation>& losses_of_rows = batch.predictions;
      for (std::size_t i = next; i < batch.end; ++i) losses_of_rows[i - next].value *= problem.sign(i);
      problem.loss().replace_by_values(losses_of_rows);
      for (std::size_t i = next; i < batch.end; ++i) sum.add(problem.weight(i), losses_of_rows[i - next]);
    }
  });
  const Bounded f = losses / problem.total_weight() + regularizer(problem, predictor.weights());
  const double value = rounded_up(f.upper());
  if (value < infinity) return value;
  throw InputError(
      fmt::format("{}: the loss of the model is not finite; scale the features down and train again", problem.name()));
}

double lower_bound_of(const ProblemData& problem, const Bounded& conjugates, const Bounded& squares) {
  // Divides by W twice, because W^2 may overflow.
  const Bounded& w = problem.total_weight();
  const Bounded quadratic = squares / w / w / exactly(problem.risk().l2) * exactly(0.5);
  const Bounded bound = -(conjugates / w) - quadratic;
  return bound.known() ? std::max(0.0, rounded_down(bound.lower())) : 0;  // losses are not negative
}

double bound_below(const Problem& problem, const DualPoint& dual) {
  const std::span<const std::int64_t> steps = checked_steps(problem, dual, 1);
  const double step = std::ldexp(1.0, dual.exponent);
  const Bounded conjugates = problem.all_rows().sum<RowSum>([&](std::size_t begin, std::size_t end, RowSum& sum) {
    std::array<double, 256> values;
    for (std::size_t next = begin; next < end; next += values.size()) {
      const std::size_t count = std::min(values.size(), end - next);
      for (std::size_t r = 0; r < count; ++r) values[r] = checked_value(problem, next + r, steps[next + r], step);
      const std::span<const double> weights = problem.weights();
      problem.loss().add_conjugates(std::span(values).first(count),
                                    weights.empty() ? weights : weights.subspan(next, count),
                                    problem.targets().subspan(next, count), sum);
    }
  });
  check_sum(problem, steps);
  const Bounded squares = problem.combined_rows_squared([&](std::size_t begin, std::span<double> factors) {
    for (std::size_t r = 0; r < factors.size(); ++r)
      factors[r] = static_cast<double>(steps[begin + r]) * step * problem.sign(begin + r);
  });
  return lower_bound_of(problem, conjugates, squares);
}

double reference_below(const Problem& problem) {
  const bool is_free = problem.risk().bias == Bias::free;
  Bounded losses;
  if (!problem.loss().is_classification()) {
    losses = is_free ? loss_of_best_constant(problem) : loss_of_constant(problem, 0);
  } else if (is_free) {
    const InterceptProblem intercept(problem.loss(), terms_without_features(problem));
    losses = {intercept.lower_bound(intercept.minimiser()), 0};
  } else {
    losses = problem.total_weight() * problem.loss().value(Bounded{}, 0);
  }
  const Bounded reference = losses / problem.total_weight();
  return reference.known() ? std::max(0.0, rounded_down(reference.lower())) : 0;
}

void require_no_contradiction(const ProblemData& problem, double value, double lower_bound) {
  if (value >= lower_bound) return;
  throw std::logic_error(
      fmt::format("{}: the proof contradicts itself: the value is at most {} and at least {}; trust neither",
                  problem.name(), value, lower_bound));
}

namespace {

template <class P>
ProvenGap prove(const P& problem, const LinearModel& model, const DualPoint& dual) {
  const ProvenGap proven{value_above(problem, model), bound_below(problem, dual), reference_below(problem),
                         problem.risk().l2};
  require_no_contradiction(problem, proven.value, proven.lower_bound);
  return proven;
}

}  // namespace
}  // namespace proof

double ProvenGap::gap() const {
  if (value == lower_bound) return 0;
  const double difference = value - lower_bound;
  return difference > 0 ? std::nextafter(difference, proof::infinity) : proof::infinity;  // the bound exceeds the value
}

double ProvenGap::relative_gap() const {
  if (gap() == 0) return 0;
  if (value > reference) return proof::infinity;  // a weaker bound would give a smaller ratio
  const double gain = std::nextafter(reference - lower_bound, 0.0);
  return gain > 0 ? std::nextafter(gap() / gain, proof::infinity) : proof::infinity;
}

double ProvenGap::distance_bound() const {
  const double square = std::nextafter(2 * gap() / l2, proof::infinity);
  return std::nextafter(std::sqrt(square), proof::infinity);
}

ProvenGap prove(const Dataset& data, const LinearModel& model, const DualPoint& dual) {
  require_same_on_ranks(data, model);
  if (lacks_constant(data, model.risk)) return prove(with_constant_of(model.risk, data), model, dual);
  if (!is_joint(model.risk.loss)) return proof::prove(proof::Problem(data, model.risk), model, dual);
  const Dataset numbered = numbered_by_class(data, model.classes);
  return proof::prove(proof::SoftmaxProblem(numbered, model.risk, model.outputs()), model, dual);
}

}  // namespace geodescent
