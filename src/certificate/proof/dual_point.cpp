// Makes dual points from the solver's dual values: whole multiples of a step, within the domain of
// the conjugate, and with a sum of exactly 0 if the intercept is free.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "certificate/proof/dual_steps.hpp"
#include "certificate/proof/prove.hpp"
#include "certificate/rows/row_sums.hpp"
#include "certificate/softmax/softmax.hpp"
#include "data/assemble/class_numbers.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "learn/constant_column.hpp"

namespace geodescent {
namespace {

using proof::Problem;
using proof::Wide;

/// c_i times the dual value of the loss, clamped to the domain. Recomputed when needed, which is
/// faster than storing it for all rows.
double dual_value(const Problem& problem, std::size_t i, double slope) {
  const proof::DualRange range = problem.dual_range(i);
  return std::clamp(problem.weight(i) * slope, range.least, range.largest);
}

/// The largest |v_i|.
double largest_dual_value(const Problem& problem, std::span<const double> slopes) {
  const parallel::Blocks blocks = proof::light_blocks(slopes.size());
  Vector largest(blocks.count);
  problem.all_rows().for_rows_here(proof::light_grain, [&](std::size_t begin, std::size_t end) {
    double of_block = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double v = dual_value(problem, i, slopes[i]);
      if (std::isnan(v)) {
        throw InputError(
            fmt::format("{}: the dual value of row {} is not a number; scale the features down and train again",
                        problem.name(), problem.all_rows().number(i)));
      }
      of_block = std::max(of_block, std::abs(v));
    }
    largest[blocks.index(begin)] = of_block;
  });
  return problem.all_rows().largest(largest.empty() ? 0 : std::ranges::max(largest));
}

/// The allowed steps of a row.
struct Room {
  std::int64_t least;
  std::int64_t largest;
};

class Rounding {
 public:
  Rounding(const Problem& problem, int exponent, std::int64_t limit)
      : problem_(problem), in_steps_(exponent), limit_(static_cast<double>(limit)), room_of_all_(room_for(1)) {}

  std::int64_t nearest(std::size_t i, double v) const {
    const Room room = room_of(i);
    // The limit is a whole number, so clamping before rounding is correct.
    const double steps = std::clamp(in_steps_(v), -limit_, limit_);
    return std::clamp<std::int64_t>(std::llrint(steps), room.least, room.largest);
  }

  /// How far row i can move down, or up.
  std::int64_t slack(std::size_t i, std::int64_t steps, bool down) const {
    const Room room = room_of(i);
    return down ? steps - room.least : room.largest - steps;
  }

 private:
  Room room_of(std::size_t i) const {
    return problem_.rows_count_alike() ? room_of_all_ : room_for(problem_.weight(i));
  }

  Room room_for(double weight) const {
    const proof::DualRange range = problem_.loss().dual_range(weight);
    const double below = std::min(std::floor(in_steps_(-range.least)), limit_);
    const double above = std::min(std::floor(in_steps_(range.largest)), limit_);
    return {-static_cast<std::int64_t>(below), static_cast<std::int64_t>(above)};
  }

  const Problem& problem_;
  proof::InSteps in_steps_;
  double limit_;
  Room room_of_all_;  ///< for rows of weight 1
};

/// Makes sum_i s_i steps_i = 0.
void repair_sum(const Problem& problem, const Rounding& rounding, std::vector<std::int64_t>& steps) {
  const Wide excess = proof::signed_sum(problem, steps);
  const auto goes_down = [&](std::size_t i) { return problem.is_positive(i) == (excess > 0); };
  const bool repaired = proof::share_out(
      problem.all_rows(), excess > 0 ? excess : -excess,
      [&](std::size_t i) { return rounding.slack(i, steps[i], goes_down(i)); },
      [&](std::size_t i, std::int64_t by) { steps[i] += goes_down(i) ? -by : by; });
  if (repaired) return;
  throw InputError(
      fmt::format("{}: no dual values near the computed ones add up to 0, as a free intercept requires; "
                  "use --bias none or regularized",
                  problem.name()));
}

}  // namespace

DualPoint proof::rounded_dual(const Problem& problem, std::span<const double> slopes, int bytes) {
  const AllRows& rows = problem.all_rows();
  rows.together([&] {
    if (rows.fits(slopes.size()) && bytes >= 1 && bytes <= 8) return;
    throw InputError(
        fmt::format("{}: {} slopes for {} rows, {} bytes a row; there must be one slope a row, 1 to 8 bytes",
                    problem.name(), slopes.size(), rows.size(), bytes));
  });
  slopes = rows.local(slopes);
  const std::int64_t limit = largest_step_of(bytes);
  DualPoint dual;
  dual.exponent = exponent_for(largest_dual_value(problem, slopes), limit);
  const Rounding rounding(problem, dual.exponent, limit);
  dual.steps.resize(slopes.size());
  for_each_block(light_blocks(slopes.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) dual.steps[i] = rounding.nearest(i, dual_value(problem, i, slopes[i]));
  });
  if (problem.risk().bias == Bias::free) repair_sum(problem, rounding, dual.steps);
  return dual;
}

DualPoint rounded_dual(const Dataset& data, const Risk& risk, std::span<const double> slopes, int bytes) {
  if (lacks_constant(data, risk)) return rounded_dual(with_constant_of(risk, data), risk, slopes, bytes);
  if (!is_joint(risk.loss)) return proof::rounded_dual(Problem(data, risk), slopes, bytes);
  const std::vector<ClassRows> classes = proof::classes_of(data);
  const Dataset numbered = numbered_by_class(data, classes);
  return proof::rounded_dual(proof::SoftmaxProblem(numbered, risk, classes.size()), slopes, bytes);
}

}  // namespace geodescent
