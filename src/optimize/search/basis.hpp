// An orthonormal basis of the remembered directions, with their images. A search in its span needs
// no pass.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "geodescent/optimize/point.hpp"

namespace geodescent {

/// Columns v_1, v_2, ... with v_i.v_j = 0 and |v_i| = 1, and their images.
class Basis {
 public:
  Basis() = default;
  /// All memory is allocated here.
  Basis(std::size_t dimension, std::size_t image_size, std::size_t capacity, const InnerProduct& product = {});

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool full() const { return size_ == capacity_; }
  std::size_t dimension() const { return dimension_; }
  std::size_t image_size() const { return image_size_; }
  std::span<const double> vector(std::size_t i) const { return {vectors_.get() + i * dimension_, dimension_}; }
  std::span<const double> image(std::size_t i) const { return {images_.get() + i * image_size_, image_size_}; }
  /// All vectors, or all images, stored one after the other.
  std::span<const double> vectors() const { return {vectors_.get(), size_ * dimension_}; }
  std::span<const double> images() const { return {images_.get(), size_ * image_size_}; }
  /// Incremented when columns other than the last ones change: results computed from them are then
  /// outdated.
  std::size_t version() const { return version_; }

  void clear() {
    size_ = 0;
    ++version_;
  }
  void pop() { --size_; }
  /// Adds the normalised part of v outside the span. Returns false, adding nothing, if there is no
  /// room or if that part is mostly rounding.
  bool add(const Point& v);

  /// z_i = v_i.x: the coordinates of the projection of x on the span.
  void coordinates(const Point& x, std::span<double> z) const;
  /// out = sum_i z_i v_i, with its image.
  void combine(std::span<const double> z, Point& out) const;

  /// Reduces the basis to the span of these points, given by their coordinates. If not all fit, the
  /// first ones are kept. The coordinates are replaced by those in the new basis.
  void keep(std::span<Vector> points);

 private:
  // Stored column by column. Not initialised: memory that is never used is never touched.
  using Columns = std::unique_ptr<double[]>;

  std::span<const double> partners() const { return product_.by_rows ? images() : vectors(); }

  std::size_t dimension_ = 0, image_size_ = 0, capacity_ = 0, size_ = 0, version_ = 0;
  InnerProduct product_;
  Columns vectors_, images_;
  Vector z_, rotation_;
  Point rest_;
};

}  // namespace geodescent
