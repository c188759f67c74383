#include "learn/softmax/softmax_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>

#include "data/ranks/rank_messages.hpp"
#include "data/ranks/shared_rows.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "kernels/kernels.hpp"
#include "learn/softmax/softmax_rows.hpp"

namespace geodescent {
namespace {

const Dataset& with_rows_for(const Dataset& data, std::size_t classes) {
  if (classes < 2 || classes > SoftmaxProblem::most_classes)
    throw std::invalid_argument(
        fmt::format("softmax takes 2 to {} classes, not {}", SoftmaxProblem::most_classes, classes));
  require_rows_for_softmax(data, classes);
  return data;
}

std::vector<std::uint32_t> classes_of(const Dataset& data, std::size_t classes) {
  const std::size_t first = data.ranks ? data.ranks->first_row() : 0;
  std::vector<std::uint32_t> class_of(data.targets.size());
  for (std::size_t i = 0; i < class_of.size(); ++i) {
    const double y = data.targets[i];
    if (!(y >= 0 && y < static_cast<double>(classes) && y == std::floor(y)))
      throw InputError(fmt::format("{}: row {} has the class {}; classes must be numbered from 0 to {}", data.name,
                                   first + i + 1, y, classes - 1));
    class_of[i] = static_cast<std::uint32_t>(y);
  }
  return class_of;
}

/// log p for 0 < p <= 1. C libraries differ in the last bits of a logarithm, so all but its first
/// digits come from the exponential of the kernels: e^b = s / (1 - s) with (s, 1 - s) = softmax(b,
/// 0), and log(p / e^b) = r - r^2/2 + ...
double log_of(double p) {
  const double b = static_cast<float>(std::log(p));
  std::array<double, 2> z{b, 0}, slopes{};
  const std::uint32_t second = 1;
  kernels().softmax(z.data(), &second, 1, z.size(), nullptr, slopes.data());
  const double s = slopes[0], r = p * ((1 - s) / s) - 1;
  return std::abs(r) < 1e-3 ? b + (r - r * r / 2) : b;  // the exponential of a subnormal p has few digits
}

}  // namespace

SoftmaxProblem::SoftmaxProblem(const Dataset& dataset, L2 l2, std::size_t class_count, Bias bias)
    : LinearProblem(with_rows_for(dataset, class_count), {}, class_count, l2, loss_named(softmax_loss).curvature_bound),
      classes(class_count),
      free_intercepts(bias == Bias::free) {
  on_all_ranks(dataset, [&] { class_of = classes_of(dataset, classes); });
  if (free_intercepts) bound_intercepts(dataset);
  if (!data.needs_all_images()) return;
  auto all = std::make_shared<SoftmaxProblem>(*this);
  all->take_all_rows({});
  const Vector classes_here(class_of.begin(), class_of.end()), of_all = rows.of_all_rows(classes_here);
  all->class_of.assign(of_all.begin(), of_all.end());
  by_rows = all;
}

// The range of the optimal b: f is at most F(0) there, so |V| <= sqrt(2 F(0) / lambda), and the
// mean loss of the rows of class y is at most F(0) / p, with p their part of all weight. A loss is
// at least z_k - z_y for every k. So
//     b_k - b_y <= F(0) / p + (mean of |a_i| over these rows) |V_k - V_y|,   |V_k - V_y| <= sqrt(2) |V|,
// and that mean is at most the root mean square over all rows, over sqrt(p).
void SoftmaxProblem::bound_intercepts(const Dataset& dataset) {
  Vector parts(classes);
  rows.add_in_order(parts, [&](std::size_t, std::size_t) {
    const RowRange share = rows.share();
    for (std::size_t i = share.begin; i < share.end; ++i) parts[class_of[i]] += weight(i) / data.total_weight();
  });
  double mean = 0, value_at_zero = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    if (!(parts[k] > 0))
      throw InputError(fmt::format(
          "{}: no row has the class {}; free intercepts need rows of every class, so number the classes that occur",
          dataset.name, k));
    intercepts_at_zero.push_back(log_of(parts[k]));
    mean += intercepts_at_zero[k] / static_cast<double>(classes);
    value_at_zero -= parts[k] * intercepts_at_zero[k];
  }
  for (double& b : intercepts_at_zero) b -= mean;
  const double norm = std::sqrt(2 * value_at_zero / regularizer.strong_convexity());
  for (const double part : parts)
    intercept_range =
        std::max(intercept_range, value_at_zero / part + data.row_norm() / std::sqrt(part) * std::sqrt(2.0) * norm);
  intercept_range *= 1.01;  // covers the rounding of these numbers
}

}  // namespace geodescent
