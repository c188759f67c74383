#include "certificate/softmax/softmax.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "certificate/rows/row_sums.hpp"
#include "geodescent/error.hpp"

namespace geodescent::proof {

SoftmaxProblem::SoftmaxProblem(const Dataset& data, const Risk& risk, std::size_t classes)
    : ProblemData(data, risk), classes_(classes) {
  const auto is_class = [&](double y) { return y >= 0 && y < static_cast<double>(classes) && y == std::floor(y); };
  all_rows().together([&] {
    for (std::size_t i = 0; i < rows(); ++i) {
      if (classes >= 2 && is_class(target(i))) continue;
      throw InputError(fmt::format("{}: row {} has the class {}; {} classes must be numbered from 0, two at least",
                                   name(), all_rows().number(i), target(i), classes));
    }
  });
}

std::vector<Wide> column_sums(const SoftmaxProblem& problem, std::span<const std::int64_t> steps) {
  std::vector<Wide> sums(problem.classes());
  const RowRange share = problem.all_rows().share();
  for (std::size_t i = share.begin; i < share.end; ++i)
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += steps[i * sums.size() + k];
  for (Wide& sum : sums) sum = problem.all_rows().total(sum);
  return sums;
}

namespace {

Bounded exact(double x) { return {Real(x), 0}; }

/// log sum_k exp(z_k) - z_y. With t the largest z, T = sum exp(z_k - t) over the others, it is (t -
/// z_y) + log(1 + T). Errors of formulas, in units of 2^-52:
/// * a difference d = z_k - t loses 1/2 of itself and exp loses 2, so that exp(d) loses less than 2
///   + |d|; K of them lose less than K of T when they are added up;
/// * log(1 + T) loses what T does, which its slope does not enlarge, and 3 of itself: 2 in log or
///   log1p, and where T is over 1, so that the logarithm is over 0.69, 1/2 in 1 + T;
/// * the difference and the last sum lose 1/2 each: 1 of the result.
/// Errors of z that are at most e change the loss by at most 2 e (1 - p_y) + e^2/2 (Taylor; the
/// variance of numbers within e of 0 is at most e^2), and 1 - p_y = 1 - exp(-loss) is at most the
/// loss.
Approximation loss_of(std::span<const Approximation> z, std::size_t y) {
  const auto count = static_cast<double>(z.size());
  std::size_t top = 0;
  for (std::size_t k = 1; k < z.size(); ++k) top = z[k].value > z[top].value ? k : top;
  double others = 0, lost = 0, largest_error = 0;
  for (std::size_t k = 0; k < z.size(); ++k) {
    if (z[k].error > largest_error || std::isnan(z[k].error)) largest_error = z[k].error;
    if (k == top) continue;
    const double d = z[k].value - z[top].value, e = exp(d);
    others += e;
    lost += e * (2 + count - d);
  }
  const double value = (z[top].value - z[y].value) + (others <= 1 ? log1p(others) : log(1 + others));
  const double formula = double_unit * (lost + 4 * value) + count * double_tiny;
  const double steepness = std::min(1.0, value + formula);
  const double inherited = 2 * steepness * largest_error + largest_error * largest_error;
  return {value, (formula + inherited) * generous};
}

/// q log(q / c) for a part q of c, in double unless something could underflow. The smaller of q and
/// rest = c - q is exact and the larger is wrong by 1/2 (in units of 2^-52); so is the quotient of
/// the smaller one and c, which is at most 1/2 and moves a logarithm by less than 3/4 of itself.
/// With 2 for the logarithm and 1/2 for the product, less than 4.
Approximation entropy_term(double q, double rest, double c) {
  constexpr double formula_error = 5 * double_unit, safe = 1e-280;
  if (q == 0 || rest == 0) return {0, 0};
  const double smaller = std::min(q, rest), part = smaller / c;
  if (smaller > safe && part > safe) {
    const double value = q * (q <= rest ? log(part) : log1p(-part));
    return {value, (formula_error * std::abs(value) + double_tiny) * generous};
  }
  const Bounded whole = exact(c), small = exact(smaller);
  const Bounded slow = q <= rest ? small * (log(small) - log(whole)) : (whole - small) * log1p(-(small / whole));
  const auto value = static_cast<double>(slow.value);
  return {value, (slow.error + double_unit * std::abs(value) + double_tiny) * generous};
}

/// sum_k v_k log(...) of a row, that is -c H(P), added to `sum`. Throws InputError unless the row
/// is one of a dual point.
class RowEntropy {
 public:
  RowEntropy(const SoftmaxProblem& problem, std::span<const std::int64_t> steps, int exponent)
      : problem_(problem), steps_(steps), step_(std::ldexp(1.0, exponent)) {}

  void add(std::size_t i, RowSum& sum) const {
    const std::size_t classes = problem_.classes(), y = problem_.class_of(i);
    const double c = problem_.weight(i);
    Wide steps = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const std::int64_t steps_of_class = steps_[i * classes + k];
      steps += steps_of_class;
      const double v = step_value(problem_, i, steps_of_class, step_);
      const bool allowed = k == y ? v >= -c && v <= 0 : v >= 0 && v <= c;
      if (!allowed) refuse(i, k, v);
      sum.add(1, k == y ? entropy_term(c + v, -v, c) : entropy_term(v, c - v, c));
    }
    if (steps == 0) return;
    throw InputError(fmt::format("{}: the dual values of row {} do not add up to 0; take the certificate of these data",
                                 problem_.name(), problem_.all_rows().number(i)));
  }

 private:
  [[noreturn]] void refuse(std::size_t i, std::size_t k, double v) const {
    throw InputError(
        fmt::format("{}: the dual value of row {} and class {} is {}, but probabilities must be from 0 to 1; take the "
                    "certificate of these data",
                    problem_.name(), problem_.all_rows().number(i), k, v));
  }

  const SoftmaxProblem& problem_;
  std::span<const std::int64_t> steps_;
  double step_;
};

/// With free intercepts a dual point bounds nothing unless sum_i v_ik = 0.
void check_column_sums(const SoftmaxProblem& problem, std::span<const std::int64_t> steps) {
  if (problem.risk().bias != Bias::free) return;
  const std::vector<Wide> sums = column_sums(problem, steps);
  const auto wrong = std::ranges::find_if(sums, [](Wide sum) { return sum != 0; });
  if (wrong == sums.end()) return;
  throw InputError(
      fmt::format("{}: the dual values of class {} do not add up to 0, as they must for free intercepts; take a "
                  "certificate of these data",
                  problem.name(), wrong - sums.begin()));
}

}  // namespace

SoftmaxPredictor::SoftmaxPredictor(const SoftmaxProblem& problem, std::span<const double> coefficients,
                                   std::span<const double> intercepts)
    : problem_(problem) {
  const std::size_t classes = problem.classes();
  if (coefficients.size() != classes * problem.columns() ||
      intercepts.size() != (problem.risk().bias == Bias::free ? classes : 0)) {
    throw InputError(
        fmt::format("{}: {} columns and {} classes, but the model has {} coefficients and {} intercepts; "
                    "take the model of these data",
                    problem.name(), problem.columns(), classes, coefficients.size(), intercepts.size()));
  }
  for (std::size_t k = 0; k < classes; ++k) {
    Vector weights(problem.columns());
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = coefficients[j * classes + k];
    predictors_.emplace_back(problem, std::move(weights),
                             intercepts.empty() ? Product{} : product_of(problem.risk().constant, intercepts[k]),
                             std::span<const double>());
  }
}

Vector coefficients_of(const LinearModel& model) {
  Vector all = model.weights;
  if (model.risk.bias == Bias::regularized)
    for (std::size_t k = 0; k < model.outputs(); ++k) all.push_back(model.bias_weight(k));
  return all;
}

std::span<const double> intercepts_of(const LinearModel& model) {
  return model.risk.bias == Bias::free ? std::span<const double>(model.bias_weights) : std::span<const double>();
}

double value_above(const SoftmaxProblem& problem, const LinearModel& model) {
  return value_above(problem, coefficients_of(model), intercepts_of(model));
}

double value_above(const SoftmaxProblem& problem, std::span<const double> coefficients,
                   std::span<const double> intercepts) {
  const SoftmaxPredictor predict(problem, coefficients, intercepts);
  const Bounded losses = problem.all_rows().sum<RowSum>([&](std::size_t begin, std::size_t end, RowSum& sum) {
    predict(begin, end, [&](std::size_t i, std::span<const Approximation> z) {
      sum.add(problem.weight(i), loss_of(z, problem.class_of(i)));
    });
  });
  const Bounded f = losses / problem.total_weight() + regularizer(problem, coefficients);
  const double value = rounded_up(f.upper());
  if (value < std::numeric_limits<double>::infinity()) return value;
  throw InputError(
      fmt::format("{}: the loss of the model is not finite; scale the features down and train again", problem.name()));
}

double bound_below(const SoftmaxProblem& problem, const DualPoint& dual) {
  const std::size_t classes = problem.classes();
  const std::span<const std::int64_t> steps = checked_steps(problem, dual, classes);
  const RowEntropy entropy(problem, steps, dual.exponent);
  const Bounded conjugates = problem.all_rows().sum<RowSum>([&](std::size_t begin, std::size_t end, RowSum& sum) {
    for (std::size_t i = begin; i < end; ++i) entropy.add(i, sum);
  });
  check_column_sums(problem, steps);
  const double step = std::ldexp(1.0, dual.exponent);
  Bounded squares;
  for (std::size_t k = 0; k < classes; ++k)
    squares = squares + problem.combined_rows_squared([&](std::size_t begin, std::span<double> factors) {
      for (std::size_t r = 0; r < factors.size(); ++r)
        factors[r] = static_cast<double>(steps[(begin + r) * classes + k]) * step;
    });
  return lower_bound_of(problem, conjugates, squares);
}

double reference_below(const SoftmaxProblem& problem) {
  const Bounded& total = problem.total_weight();
  Bounded reference = log(exact(static_cast<double>(problem.classes())));
  if (problem.risk().bias == Bias::free) {  // the entropy of the classes
    std::vector<RowSum> weights(problem.classes());
    problem.all_rows().add_in_order(weights, [&](std::size_t begin, std::size_t end, std::span<RowSum> to) {
      for (std::size_t i = begin; i < end; ++i) to[problem.class_of(i)].add(problem.weight(i), {1, 0});
    });
    Bounded losses;
    for (const RowSum& sum : weights) {
      const Bounded weight = sum.result();
      if (weight.value > 0) losses = losses + weight * (log(total) - log(weight));
    }
    reference = losses / total;
  }
  return reference.known() ? std::max(0.0, rounded_down(reference.lower())) : 0;
}

}  // namespace geodescent::proof
