#include "geodescent/detail/row_span.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace geodescent {
namespace {

bool is_zero(std::span<const double> x) {
  return std::all_of(x.begin(), x.end(), [](double v) { return v == 0; });
}

}  // namespace

bool RowSpan::is_smaller(const RiskOperator& a, std::span<const double> x0) {
  return a.rows() + (is_zero(x0) ? 0 : 1) < a.columns();
}

RowSpan::RowSpan(const RiskOperator& a, std::span<const double> x0)
    : matrix_norm_(std::sqrt(a.matrix().squared_norm()) * (1 + 1e-6)),  // for what rounding did to the sum
      entries_per_pass_(static_cast<double>(a.matrix().nonzeros())),
      expanded_(a.columns()) {
  if (!is_zero(x0)) start_.assign(x0.begin(), x0.end());
  multipliers_.resize(a.rows() + (start_.empty() ? 0 : 1));
  image_.resize(multipliers_.size());
}

Cost RowSpan::cost() const {
  return {.forward_per_lift = 1,
          .backward_per_lift = 1,
          .backward_per_gradient = 1,
          .forward_per_gradient = 1,
          .entries_per_pass = entries_per_pass_};
}

void RowSpan::expand(const RiskOperator& a, std::span<const double> multipliers, std::span<double> x) const {
  a.combine_rows(multipliers.first(a.rows()), x);
  if (!start_.empty() && multipliers.back() != 0) combine(x, 1, x, multipliers.back(), start_);
}

void RowSpan::lift(const RiskOperator& a, std::span<const double> multipliers, std::span<double> image) const {
  expand(a, multipliers, expanded_);
  a.forward(expanded_, image.first(a.rows()));
  if (!start_.empty()) image.back() = dot(start_, expanded_);
}

void RowSpan::describe(const RiskOperator& a, Evaluation& e) const {
  constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();
  e.slope_multipliers = multipliers_;
  e.slope_image = image_;
  e.slope_error = (a.backward_depth() + 4) * unit * matrix_norm_ * norm(multipliers_);
  e.image_error = (a.forward_depth() + 2) * unit * matrix_norm_ * norm(expanded_);
}

}  // namespace geodescent
