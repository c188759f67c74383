#include "optimize/search/subspace_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace geodescent {
namespace {

constexpr double line_tolerance = 1e-3;
constexpr double slow_step = 0.3;

}  // namespace

SubspaceSearch::SubspaceSearch(Oracle& f, std::size_t capacity)
    : reduced_(f.image_size(), capacity, f.facts().outputs),
      factor_(Reduced::scratch(capacity * capacity)),
      factorization_(capacity),
      z_(capacity),
      start_(capacity),
      direction_(f.dimension(), f.image_size()),
      line_(f.dimension(), f.product()) {}

void SubspaceSearch::forget(std::size_t columns) {
  reduced_.columns = std::min(reduced_.columns, columns);
  factored_ = std::min(factored_, columns);
}

/// Factorizes the Hessian; only new rows are computed if the others are unchanged. Returns false if
/// the Hessian is not numerically positive definite.
bool SubspaceSearch::factorize(std::size_t columns) {
  const std::size_t stride = reduced_.capacity;
  double *const l = factor_.get(), *const h = reduced_.hessian.get();
  if (factored_generation_ != reduced_.generation || factored_ == 0) {
    factored_ = 0;
    factored_generation_ = reduced_.generation;
    for (std::size_t j = 0; j < columns; ++j)
      std::copy(h + j * stride + j, h + j * stride + columns, l + j * stride + j);
    if (!factorization_.factorize(l, columns, stride)) return false;
    factored_ = columns;
  }
  for (; factored_ < columns; ++factored_) {
    const std::size_t j = factored_;
    const std::span<double> row(z_.data(), j);
    for (std::size_t i = 0; i < j; ++i) row[i] = h[i * stride + j];
    solve_lower(l, j, stride, row.data());
    const double rest = h[j * stride + j] - squared_norm(row);
    if (!(rest > 0)) return false;
    for (std::size_t i = 0; i < j; ++i) l[i * stride + j] = row[i];
    l[j * stride + j] = std::sqrt(rest);
  }
  return true;
}

/// z = -(V'H V)^-1 V'g. Returns false if the Hessian is not numerically positive definite.
bool SubspaceSearch::newton_direction(std::size_t columns) {
  if (!factorize(columns)) return false;
  const std::span<double> z(z_.data(), columns);
  for (std::size_t i = 0; i < columns; ++i) z[i] = -reduced_.gradient[i];
  solve_lower(factor_.get(), columns, reduced_.capacity, z.data());
  solve_lower_transposed(factor_.get(), columns, reduced_.capacity, z.data());
  return std::all_of(z.begin(), z.end(), [](double z_i) { return std::isfinite(z_i); });
}

// If f needs only images, they move from step to step, and x is updated once at the end.
SubspaceSearch::Outcome SubspaceSearch::minimize(Oracle& f, const Basis& basis, Point& x, double value, double goal,
                                                 int most_steps) {
  const std::size_t m = basis.size();
  const auto first = [m](const Vector& v) { return std::span<const double>(v).first(m); };
  const std::span<double> coordinates = std::span(reduced_.coordinates).first(m);
  basis.coordinates(x, coordinates);
  std::copy(coordinates.begin(), coordinates.end(), start_.begin());
  const Outcome outcome = descend(f, basis, x, value, goal, most_steps);
  if (!outcome.able || !f.subspace()->needs_images_only()) return outcome;
  for (std::size_t i = 0; i < m; ++i) z_[i] = coordinates[i] - start_[i];
  add_columns(x.x, 1, first(z_), basis.vectors());
  return outcome;
}

SubspaceSearch::Outcome SubspaceSearch::descend(Oracle& f, const Basis& basis, Point& x, double value, double goal,
                                                int most_steps) {
  const std::size_t m = basis.size();
  const auto first = [m](const Vector& v) { return std::span<const double>(v).first(m); };
  const std::span<const double> gradient = first(reduced_.gradient), z = first(z_),
                                coordinates = first(reduced_.coordinates);
  SubspaceModel* const model = f.subspace();
  if (!model) return {value, true, false};
  const bool images_only = model->needs_images_only();
  double before = std::numeric_limits<double>::infinity();
  // the squared norm of the part of x outside the span
  const double outside = line_.squared_length(x) - squared_norm(coordinates);
  for (int k = 0; k < most_steps; ++k) {
    model->reduce(basis, x, reduced_);
    const double length = norm(gradient);
    if (!std::isfinite(reduced_.value)) return {value, false, true};
    if (length <= goal) break;
    // After a step with an old Hessian that gained little, compute the Hessian at this point.
    const bool slow = length > slow_step * before;
    before = length;
    if (slow && reduced_.is_old) {
      reduced_.refresh = true;
      model->reduce(basis, x, reduced_);
    }
    if (!newton_direction(m)) {
      forget(0);
      break;
    }
    const double slope = dot(gradient, z);
    if (!(slope < 0)) break;
    if (images_only) {
      std::fill(direction_.image.begin(), direction_.image.end(), 0.0);
      add_columns(direction_.image, 1, z, basis.images());
    } else {
      basis.combine(z, direction_);
    }
    line_.set(x, direction_, outside + squared_norm(coordinates), dot(coordinates, z), squared_norm(z));
    model->follow(line_, reduced_, z);
    const LineStep step = line_minimum(f, line_, {reduced_.value, slope, -slope}, 1, line_tolerance);
    if (!step.finite) return {value, false, true};
    // Near the minimum slopes still distinguish points whose values are equal up to rounding.
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(value);
    if (!step.found || !(step.at.value <= value + rounding)) break;
    const bool gained = step.at.value < value;
    combine(x.image, 1, x.image, step.t, direction_.image);
    if (!images_only) combine(x.x, 1, x.x, step.t, direction_.x);
    for (std::size_t i = 0; i < m; ++i) reduced_.coordinates[i] += step.t * z_[i];
    value = step.at.value;
    if (!gained) break;
  }
  return {value, true, true};
}

}  // namespace geodescent
