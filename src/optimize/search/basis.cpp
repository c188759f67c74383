#include "optimize/search/basis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "base/parallel.hpp"

namespace geodescent {
namespace {

constexpr std::size_t most_columns = 1024;
/// A unit vector whose part outside the span is shorter than this gives no direction. That part has
/// rounding of size 1e-16, which division by its length amplifies.
constexpr double shortest = 1e-4;
constexpr double much_left = 0.7;

/// Multiplies the columns by a matrix with `count` columns of length `size`, in place. It works on
/// a few rows at a time: a column of them fits the registers, all columns fit a cache.
void rotate(double* columns, std::size_t rows, std::size_t size, const Vector& rotation, std::size_t count) {
  constexpr std::size_t height = 16;
  parallel::for_each(parallel::cut(rows, 256), [&](std::size_t begin, std::size_t end) {
    std::array<double, most_columns * height> before;
    for (std::size_t i = begin; i < end; i += height) {
      const std::size_t here = std::min(height, end - i);
      if (here < height) before.fill(0);
      for (std::size_t j = 0; j < size; ++j) std::copy_n(columns + j * rows + i, here, before.data() + j * height);
      for (std::size_t k = 0; k < count; ++k) {
        std::array<double, height> sum{};
        for (std::size_t j = 0; j < size; ++j)
          for (std::size_t h = 0; h < height; ++h) sum[h] += before[j * height + h] * rotation[k * size + j];
        std::copy_n(sum.data(), here, columns + k * rows + i);
      }
    }
  });
}

}  // namespace

Basis::Basis(std::size_t dimension, std::size_t image_size, std::size_t capacity, const InnerProduct& product)
    : dimension_(dimension),
      image_size_(image_size),
      capacity_(std::min(capacity, most_columns)),
      product_(product),
      vectors_(std::make_unique_for_overwrite<double[]>(dimension * capacity_)),
      images_(std::make_unique_for_overwrite<double[]>(image_size * capacity_)),
      z_(2 * capacity_),
      rotation_(capacity_ * capacity_),
      rest_(dimension, image_size) {}

bool Basis::add(const Point& v) {
  const double length = product_.norm(v);
  if (full() || !(length > 0) || !std::isfinite(length)) return false;
  const std::span<double> z{z_.data(), size_};
  geodescent::combine(rest_, 1 / length, v, 0, v);
  double rest = 1;
  // A second round only if the first removed much, because its rounding may then lie in the span.
  // Two rounds are enough (Daniel, Gragg, Kaufman and Stewart, 1976; Giraud, Langou and others,
  // 2005).
  for (int round = 0; round < 2; ++round) {
    const double before = rest;
    coordinates(rest_, z);
    add_columns(rest_.x, -1, z, vectors());
    add_columns(rest_.image, -1, z, images());
    rest = product_.norm(rest_);
    if (rest > much_left * before) break;
  }
  if (!(rest > shortest)) return false;
  geodescent::combine(std::span{vectors_.get() + size_ * dimension_, dimension_}, 1 / rest, rest_.x, 0, rest_.x);
  geodescent::combine(std::span{images_.get() + size_ * image_size_, image_size_}, 1 / rest, rest_.image, 0,
                      rest_.image);
  ++size_;
  return true;
}

void Basis::coordinates(const Point& x, std::span<double> z) const { column_products(partners(), x.x, z.first(size_)); }

void Basis::combine(std::span<const double> z, Point& out) const {
  std::fill(out.x.begin(), out.x.end(), 0.0);
  std::fill(out.image.begin(), out.image.end(), 0.0);
  add_columns(out.x, 1, z.first(size_), vectors());
  add_columns(out.image, 1, z.first(size_), images());
}

void Basis::keep(std::span<Vector> points) {
  // The rotation is the orthonormalised coordinates of the points.
  std::size_t count = 0;
  const auto column = [&](std::size_t k) { return std::span<double>(rotation_).subspan(k * size_, size_); };
  for (const Vector& point : points) {
    if (count == size_) break;
    const std::span<double> q = column(count);
    std::copy(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(size_), q.begin());
    const double length = norm(q);
    if (!(length > 0)) continue;
    for (double& e : q) e /= length;
    for (int round = 0; round < 2; ++round)
      for (std::size_t k = 0; k < count; ++k) geodescent::combine(q, 1, q, -dot(column(k), q), column(k));
    const double rest = norm(q);
    if (!(rest > shortest)) continue;
    for (double& e : q) e /= rest;
    ++count;
  }
  for (Vector& point : points) {
    for (std::size_t k = 0; k < count; ++k) z_[k] = dot(column(k), std::span<const double>(point).first(size_));
    std::copy(z_.begin(), z_.begin() + static_cast<std::ptrdiff_t>(count), point.begin());
    std::fill(point.begin() + static_cast<std::ptrdiff_t>(count), point.end(), 0.0);
  }
  rotate(vectors_.get(), dimension_, size_, rotation_, count);
  rotate(images_.get(), image_size_, size_, rotation_, count);
  size_ = count;
  ++version_;
}

}  // namespace geodescent
