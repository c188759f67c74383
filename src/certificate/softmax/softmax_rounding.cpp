// Moves dual values to where a dual point may be. Nothing is proven here: a proof looks at the dual
// point alone.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "certificate/rows/row_sums.hpp"
#include "certificate/softmax/softmax.hpp"
#include "geodescent/error.hpp"

namespace geodescent::proof {
namespace {

/// Moves slopes to where a dual point may be.
class SoftmaxRounding {
 public:
  SoftmaxRounding(const SoftmaxProblem& problem, int exponent, std::int64_t limit)
      : problem_(problem), in_steps_(exponent), limit_(limit) {}

  /// The steps of row i: those of other classes not negative and together at most the weight, that
  /// of its class less all of them.
  void round_row(std::size_t i, const double* slopes, std::int64_t* steps) const {
    const std::size_t y = problem_.class_of(i);
    std::int64_t free = room(i);
    for (std::size_t k = 0; k < problem_.classes(); ++k) {
      if (k == y) continue;
      const double wanted = std::clamp(in_steps_(problem_.weight(i) * slopes[k]), 0.0, static_cast<double>(free));
      steps[k] = std::min<std::int64_t>(std::llrint(wanted), free);
      free -= steps[k];
    }
    steps[y] = free - room(i);
  }

  /// By how much the steps of row i and class `from` can go down, while those of class `to` go up.
  std::int64_t slack(std::size_t i, const std::int64_t* steps, std::size_t from, std::size_t to) const {
    const std::int64_t down = steps[from] + (problem_.class_of(i) == from ? room(i) : 0);
    return std::min(down, limit_ - steps[to]);
  }

 private:
  /// The most steps that the weight of row i allows.
  std::int64_t room(std::size_t i) const {
    return static_cast<std::int64_t>(std::min(std::floor(in_steps_(problem_.weight(i))), static_cast<double>(limit_)));
  }

  const SoftmaxProblem& problem_;
  InSteps in_steps_;
  std::int64_t limit_;
};

/// Makes sum_i steps_ik = 0: classes with too much give to classes with too little, in the same
/// rows, so that the sums of rows stay.
void repair_columns(const SoftmaxProblem& problem, const SoftmaxRounding& rounding, std::vector<std::int64_t>& steps) {
  const std::size_t classes = problem.classes();
  std::vector<Wide> excess = column_sums(problem, steps);
  std::size_t from = 0, to = 0;
  for (;;) {
    while (from < classes && excess[from] <= 0) ++from;
    while (to < classes && excess[to] >= 0) ++to;
    if (from == classes || to == classes) return;  // all sums together are 0
    const Wide moved = std::min(excess[from], -excess[to]);
    const bool repaired = share_out(
        problem.all_rows(), moved,
        [&](std::size_t i) { return rounding.slack(i, steps.data() + i * classes, from, to); },
        [&](std::size_t i, std::int64_t by) {
          steps[i * classes + from] -= by;
          steps[i * classes + to] += by;
        });
    if (!repaired) {
      throw InputError(
          fmt::format("{}: no dual values near the computed ones add up to 0, as free intercepts require; "
                      "use --bias none or regularized",
                      problem.name()));
    }
    excess[from] -= moved;
    excess[to] += moved;
  }
}

/// The largest |v_ik|.
double largest_step_value(const SoftmaxProblem& problem, std::span<const double> slopes) {
  double largest = 0;
  for (std::size_t s = 0; s < slopes.size(); ++s) {
    const std::size_t i = s / problem.classes();
    if (std::isnan(slopes[s])) {
      throw InputError(
          fmt::format("{}: the dual value of row {} is not a number; scale the features down and train again",
                      problem.name(), problem.all_rows().number(i)));
    }
    largest = std::max(largest, problem.weight(i) * std::min(1.0, std::abs(slopes[s])));
  }
  return largest;
}

}  // namespace

DualPoint rounded_dual(const SoftmaxProblem& problem, std::span<const double> slopes, int bytes) {
  const std::size_t classes = problem.classes();
  const AllRows& rows = problem.all_rows();
  rows.together([&] {
    if (rows.fits(slopes.size(), classes) && bytes >= 1 && bytes <= 8) return;
    throw InputError(fmt::format(
        "{}: {} slopes for {} rows and {} classes, {} bytes each; there must be one slope for each row and class, 1 to "
        "8 bytes",
        problem.name(), slopes.size(), rows.size(), classes, bytes));
  });
  slopes = rows.local(slopes, classes);
  const std::int64_t limit = largest_step_of(bytes);
  DualPoint dual;
  double largest = 0;
  rows.together([&] { largest = largest_step_value(problem, slopes); });
  dual.exponent = exponent_for(rows.largest(largest), limit);
  const SoftmaxRounding rounding(problem, dual.exponent, limit);
  dual.steps.resize(slopes.size());
  for_each_block(light_blocks(problem.rows()), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      rounding.round_row(i, slopes.data() + i * classes, dual.steps.data() + i * classes);
  });
  if (problem.risk().bias == Bias::free) repair_columns(problem, rounding, dual.steps);
  return dual;
}

}  // namespace geodescent::proof
