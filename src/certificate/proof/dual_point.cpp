// Makes dual points from the solver's dual values: whole multiples of a step, within the domain of
// the conjugate, and with a sum of exactly 0 if the intercept is free.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "certificate/proof/intercept.hpp"
#include "certificate/proof/prove.hpp"
#include "certificate/proof/row_sums.hpp"
#include "geodescent/error.hpp"
#include "learn/constant_column.hpp"

namespace geodescent {
namespace {

using proof::Problem;
using proof::Real;
using proof::Wide;

std::int64_t largest_step_of(int bytes) {
  return std::min(proof::largest_step, static_cast<std::int64_t>((std::uint64_t{1} << (8 * bytes - 1)) - 1));
}

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
  proof::for_each_block(blocks, [&](std::size_t block, std::size_t begin, std::size_t end) {
    double of_block = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double v = dual_value(problem, i, slopes[i]);
      if (std::isnan(v)) {
        throw InputError(fmt::format("{}: the slope of row {} is no number; scale the features down and train again",
                                     problem.name(), i + 1));
      }
      of_block = std::max(of_block, std::abs(v));
    }
    largest[block] = of_block;
  });
  return std::ranges::max(largest);
}

/// The smallest exponent with which `limit` steps reach every value up to `largest`.
int exponent_for(double largest, std::int64_t limit) {
  if (largest == 0) return 0;
  int exponent = std::ilogb(largest) - std::ilogb(static_cast<double>(limit)) - 1;
  while (std::ldexp(largest, -exponent) > static_cast<double>(limit)) ++exponent;
  return std::clamp(exponent, proof::least_exponent, proof::largest_exponent);
}

/// The allowed steps of a row.
struct Room {
  std::int64_t least;
  std::int64_t largest;
};

class Rounding {
 public:
  Rounding(const Problem& problem, int exponent, std::int64_t limit)
      : problem_(problem),
        first_factor_(std::ldexp(1.0, -exponent / 2)),
        second_factor_(std::ldexp(1.0, -exponent - (-exponent / 2))),
        limit_(static_cast<double>(limit)),
        room_of_all_(room_for(1)) {}

  std::int64_t nearest(std::size_t i, double v) const {
    const Room room = room_of(i);
    // The limit is a whole number, so clamping before rounding is correct.
    const double steps = std::clamp(in_steps(v), -limit_, limit_);
    return std::clamp<std::int64_t>(std::llrint(steps), room.least, room.largest);
  }

  /// How far row i can move down, or up.
  std::int64_t slack(std::size_t i, std::int64_t steps, bool down) const {
    const Room room = room_of(i);
    return down ? steps - room.least : room.largest - steps;
  }

 private:
  /// v 2^-exponent, exact for results of at least 1. Two factors, because one could overflow.
  double in_steps(double v) const { return v * first_factor_ * second_factor_; }

  Room room_of(std::size_t i) const {
    return problem_.rows_count_alike() ? room_of_all_ : room_for(problem_.weight(i));
  }

  Room room_for(double weight) const {
    const proof::DualRange range = problem_.loss().dual_range(weight);
    const double below = std::min(std::floor(in_steps(-range.least)), limit_);
    const double above = std::min(std::floor(in_steps(range.largest)), limit_);
    return {-static_cast<std::int64_t>(below), static_cast<std::int64_t>(above)};
  }

  const Problem& problem_;
  double first_factor_;
  double second_factor_;
  double limit_;
  Room room_of_all_;  ///< for rows of weight 1
};

/// Makes sum_i s_i steps_i = 0. Each round moves all rows that still have room by the same amount,
/// so that none moves far.
class SumRepair {
 public:
  SumRepair(const Problem& problem, const Rounding& rounding, std::vector<std::int64_t>& steps)
      : problem_(problem),
        rounding_(rounding),
        steps_(steps),
        blocks_(proof::light_blocks(steps.size())),
        before_block_(blocks_.count + 1),
        excess_(proof::signed_sum(problem, steps)) {}

  void run() {
    if (excess_ == 0) return;
    missing_ = excess_ > 0 ? excess_ : -excess_;
    while (missing_ > 0) {
      const std::uint64_t rows = rows_with_room();
      if (rows == 0) {
        throw InputError(
            fmt::format("{}: no dual point near these slopes adds up to 0, as a free intercept needs; "
                        "use --bias none or regularized",
                        problem_.name()));
      }
      share_out(rows);
    }
  }

 private:
  /// Whether moving row i down reduces the excess.
  bool goes_down(std::size_t i) const { return problem_.is_positive(i) == (excess_ > 0); }

  /// Counts the rows with room, and those before each block.
  std::uint64_t rows_with_room() {
    proof::for_each_block(blocks_, [&](std::size_t block, std::size_t begin, std::size_t end) {
      std::uint64_t count = 0;
      for (std::size_t i = begin; i < end; ++i) count += rounding_.slack(i, steps_[i], goes_down(i)) > 0 ? 1 : 0;
      before_block_[block + 1] = count;
    });
    std::partial_sum(before_block_.begin(), before_block_.end(), before_block_.begin());
    return before_block_.back();
  }

  void share_out(std::uint64_t rows) {
    // No row can move by 2^62, so a larger share is not needed.
    const auto share = static_cast<std::int64_t>(std::min<Wide>(missing_ / rows, Wide{1} << 62));
    const auto rest = static_cast<std::uint64_t>(missing_ % rows);
    missing_ -= proof::sum_of_blocks(blocks_, [&](std::size_t block, std::size_t begin, std::size_t end) {
      // The remainder is spread evenly over the rows.
      auto due = static_cast<std::uint64_t>(Wide{before_block_[block]} * rest % rows);
      Wide moved = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const bool down = goes_down(i);
        const std::int64_t slack = rounding_.slack(i, steps_[i], down);
        if (slack <= 0) continue;
        due += rest;
        const bool one_more = due >= rows;
        due -= one_more ? rows : 0;
        if (share == 0 && !one_more) continue;  // true for most rows
        const std::int64_t move = std::min(slack, share + (one_more ? 1 : 0));
        steps_[i] += down ? -move : move;
        moved += move;
      }
      return moved;
    });
  }

  const Problem& problem_;
  const Rounding& rounding_;
  std::vector<std::int64_t>& steps_;
  parallel::Blocks blocks_;
  std::vector<std::uint64_t> before_block_;  ///< rows with room before each block
  Wide excess_;
  Wide missing_ = 0;
};

std::vector<proof::InterceptTerm> terms_of(const Problem& problem, const Vector& predictions) {
  std::vector<proof::InterceptTerm> terms;
  terms.reserve(problem.rows());
  // A prediction of a regression already has its target subtracted.
  for (std::size_t i = 0; i < problem.rows(); ++i)
    terms.push_back({{static_cast<Real>(problem.weight(i)), 0}, predictions[i], problem.sign(i), 0});
  return terms;
}

}  // namespace

DualPoint proof::rounded_dual(const Problem& problem, std::span<const double> slopes, int bytes) {
  if (slopes.size() != problem.rows() || bytes < 1 || bytes > 8) {
    throw InputError(
        fmt::format("{}: {} slopes for {} rows, {} bytes a row; there must be one slope a row, 1 to 8 bytes",
                    problem.name(), slopes.size(), problem.rows(), bytes));
  }
  const std::int64_t limit = largest_step_of(bytes);
  DualPoint dual;
  dual.exponent = exponent_for(largest_dual_value(problem, slopes), limit);
  const Rounding rounding(problem, dual.exponent, limit);
  dual.steps.resize(slopes.size());
  for_each_block(light_blocks(slopes.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) dual.steps[i] = rounding.nearest(i, dual_value(problem, i, slopes[i]));
  });
  if (problem.risk().bias == Bias::free) SumRepair(problem, rounding, dual.steps).run();
  return dual;
}

DualPoint rounded_dual(const Dataset& data, const Risk& risk, std::span<const double> slopes, int bytes) {
  if (lacks_constant(data, risk)) return rounded_dual(with_constant_of(risk, data), risk, slopes, bytes);
  return proof::rounded_dual(Problem(data, risk), slopes, bytes);
}

Vector slopes_at(const Dataset& data, const LinearModel& model) {
  if (lacks_constant(data, model.risk)) return slopes_at(with_constant_of(model.risk, data), model);
  const Problem problem(data, model.risk);
  const proof::Predictor predict(problem, model);
  Vector predictions(problem.rows());
  proof::for_each_block(parallel::cut(predictions.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
    proof::PredictedRows batch(problem);
    for (std::size_t next = begin; next < end; next = batch.end) {
      predict(next, end, batch);
      for (std::size_t i = next; i < batch.end; ++i) predictions[i] = batch.predictions[i - next].value;
    }
  });
  Real shift = 0;
  if (model.risk.bias == Bias::free)
    shift = proof::InterceptProblem(problem.loss(), terms_of(problem, predictions)).minimiser();
  Vector slopes(problem.rows());
  proof::for_each_block(parallel::cut(slopes.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Real margin = problem.sign(i) * (predictions[i] + shift);
      slopes[i] = static_cast<double>(problem.loss().dual_value(margin, 0));
    }
  });
  return slopes;
}

}  // namespace geodescent
