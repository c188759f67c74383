// h(b) = sum_i c_i phi(b - y_i) is convex, and its minimiser lies between the smallest and the
// largest target. So h is everywhere at least h(b) - |h'(b)| d, with d the distance from b to the
// far end of an interval that contains the minimiser. An end of the interval moves only where the
// sign of h' is proven.
#include "certificate/proof/constant_prediction.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/proof/intercept.hpp"
#include "certificate/rows/row_sums.hpp"

namespace geodescent::proof {
namespace {

constexpr std::size_t residuals_at_a_time = 256;

/// sum_i c_i r_i, where `replace` turns the residuals b - y_i into r_i.
template <class Replace>
Bounded sum_at(const Problem& problem, double b, const Replace& replace) {
  return problem.all_rows().sum<RowSum>([&](std::size_t begin, std::size_t end, RowSum& sum) {
    std::vector<Approximation> residuals;
    for (std::size_t next = begin; next < end; next += residuals.size()) {
      residuals.resize(std::min(end - next, residuals_at_a_time));
      for (std::size_t r = 0; r < residuals.size(); ++r) {
        const DoubleDouble residual = two_sum(b, -problem.target(next + r));
        residuals[r] = {residual.high, abs(residual.low)};
      }
      replace(std::span(residuals));
      for (std::size_t r = 0; r < residuals.size(); ++r) sum.add(problem.weight(next + r), residuals[r]);
    }
  });
}

Bounded derivative_at(const Problem& problem, double b) {
  return sum_at(problem, b,
                [&](std::span<Approximation> residuals) { problem.loss().replace_by_dual_values(residuals); });
}

bool is_negative(const Bounded& x) { return x.upper() < 0; }
bool is_positive(const Bounded& x) { return x.lower() > 0; }

/// An interval that contains the minimiser, and a point b in it.
struct Search {
  const Problem& problem;
  double low, high, b = 0;
  double low_derivative = 0, high_derivative = 0;  ///< h' at the ends; scaled down while only the other end moves
  Bounded derivative{};                            ///< at b

  explicit Search(const Problem& all)
      : problem(all),
        low(all.all_rows().smallest(std::ranges::min(all.targets()))),
        high(all.all_rows().largest(std::ranges::max(all.targets()))),
        b(low) {}

  /// Moves an end to x if the sign of h' there is proven.
  bool move_end_to(double x, const Bounded& at_x) {
    if (is_negative(at_x)) {
      if (x > low) {
        low = x;
        low_derivative = at_x.value.high;
      }
      return true;
    }
    if (!is_positive(at_x)) return false;
    if (x < high) {
      high = x;
      high_derivative = at_x.value.high;
    }
    return true;
  }

  /// The Illinois variant of the false position method. It ends where the sign of h' is uncertain.
  void find() {
    constexpr int most_steps = 100;
    low_derivative = derivative_at(problem, low).value.high;
    high_derivative = derivative_at(problem, high).value.high;
    int moved = 0;  // the end that moved last: -1 or 1
    for (int step = 0; step < most_steps; ++step) {
      b = low - low_derivative * ((high - low) / (high_derivative - low_derivative));
      if (!(b >= low && b <= high)) b = low + (high - low) / 2;
      derivative = derivative_at(problem, b);
      if (b == low || b == high || !move_end_to(b, derivative)) return;
      const int now = low == b ? -1 : 1;
      if (now == moved) (now < 0 ? high_derivative : low_derivative) /= 2;
      moved = now;
    }
  }

  /// Moves both ends towards b, as far as h' is large compared with its error.
  void tighten() {
    constexpr double enough = 0x1p10;
    const double steepness = (high_derivative - low_derivative) / (high - low);
    const double distance = enough * (derivative.error + size_of(derivative.value)) / steepness;
    if (!(distance > 0 && distance < high - low)) return;
    for (const double x : {b - distance, b + distance})
      if (x > low && x < high) move_end_to(x, derivative_at(problem, x));
  }

  Bounded drop() const {
    return Bounded{derivative.magnitude(), 0} * Bounded{inflated(std::max(b - low, high - b)), 0};
  }
};

/// The bound computed in Real: as tight as possible, and slow. Each rank gets numbers of all rows.
Real slow_bound(const Problem& problem) {
  const AllRows& rows = problem.all_rows();
  const Vector weights = problem.rows_count_alike() ? Vector() : rows.of_all(problem.weights());
  const Vector targets = rows.of_all(problem.targets());
  std::vector<InterceptTerm> terms;
  terms.reserve(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i)
    terms.push_back({{static_cast<Real>(weights.empty() ? 1 : weights[i]), 0}, 0, 1, targets[i]});
  const InterceptProblem intercept(problem.loss(), std::move(terms));
  return intercept.lower_bound(intercept.minimiser());
}

}  // namespace

Bounded loss_of_constant(const Problem& problem, double b) {
  return sum_at(problem, b, [&](std::span<Approximation> residuals) { problem.loss().replace_by_values(residuals); });
}

Bounded loss_of_best_constant(const Problem& problem) {
  Search search(problem);
  if (search.low < search.high) {
    search.find();
    search.tighten();
  }
  const Bounded loss = loss_of_constant(problem, search.b);
  if (search.low == search.high) return loss;  // all targets are the same
  const Bounded drop = search.drop();
  // The error of values computed in double.
  constexpr double negligible = double_unit;
  const bool exact = loss.known() && loss.error <= 8 * negligible * size_of(loss.value);  // false near underflow
  if (exact && drop.known() && drop.magnitude() <= negligible * size_of(loss.value)) return loss - drop;
  return {slow_bound(problem), 0};
}

}  // namespace geodescent::proof
