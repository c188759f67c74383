#include "learn/linear/row_span.hpp"

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
  return a.whole().rows * a.outputs() + (is_zero(x0) ? 0 : 1) < a.columns() * a.outputs();
}

RowSpan::RowSpan(const RiskOperator& a, const RowSpace& rows, std::span<const double> x0)
    : a_(a),
      rows_(rows),
      matrix_norm_(std::sqrt(a.whole().squared_norm) * (1 + 1e-6)) {  // the factor covers the rounding of the sum
  if (!is_zero(x0)) start_.assign(x0.begin(), x0.end());
  multipliers_.resize(a.rows() * a.outputs() + (start_.empty() ? 0 : 1));
  image_.resize(multipliers_.size());
}

Facts RowSpan::facts() const {
  const Facts of_columns = a_.facts();
  return {.dimension = size(),
          .columns = of_columns.columns,
          .image_size = size(),
          .dual_size = of_columns.dual_size,
          .outputs = of_columns.outputs,
          .product = {true, matrix_norm_},
          .forward_per_lift = 1,
          .backward_per_lift = 1,
          .forward_per_gradient = 1,
          .backward_per_gradient = 1,
          .entries_per_pass = of_columns.entries_per_pass};
}

void RowSpan::expand(std::span<const double> multipliers, std::span<double> x) {
  buffers_.resize(a_.buffer_size());
  a_.combine_rows(multipliers.first(a_.rows() * a_.outputs()), x, buffers_);
  if (!start_.empty() && multipliers.back() != 0) combine(x, 1, x, multipliers.back(), start_);
}

void RowSpan::lift(std::span<const double> multipliers, std::span<double> image) {
  expanded_.resize(a_.columns() * a_.outputs());
  if (is_zero(multipliers)) {  // as where most runs start
    std::fill(expanded_.begin(), expanded_.end(), 0.0);
    std::fill(image.begin(), image.end(), 0.0);
    return;
  }
  expand(multipliers, expanded_);
  a_.forward(expanded_, image.first(a_.rows() * a_.outputs()));
  if (!start_.empty()) image.back() = dot(start_, expanded_);
}

void RowSpan::describe(Evaluation& e) const {
  constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();
  e.linear_multipliers = multipliers_;
  e.linear_image = image_;
  e.linear_error = (a_.backward_depth() + 4) * unit * matrix_norm_ * norm(multipliers_);
  e.image_error = (a_.forward_depth() + 2) * unit * matrix_norm_ * norm(expanded_);
}

}  // namespace geodescent
