// What a loss is. A type with these members can be used in RegularizedRisk; nothing in the library has to know it.
#pragma once

#include <concepts>
#include <string_view>

#include "geodescent/detail/elementary.hpp"

namespace geodescent {

/// What a loss is for.
enum class Task {
  classification,  ///< phi(z) of the margin z = label * prediction, label = -1 or +1; the target argument is always 1
  regression       ///< phi(z, y) of the prediction z and the target y
};

/// phi at one prediction, with its first and second derivative in z.
struct LossValue {
  double value;      ///< phi
  double slope;      ///< the first derivative in z
  double curvature;  ///< the second derivative in z
};

/// Where phi at many predictions is put, each number in an array of its own.
struct LossArrays {
  double* value;      ///< may be null: values are not wanted, which some losses are glad to hear
  double* slope;      ///< first derivatives in z
  double* curvature;  ///< second derivatives in z
};

/// A convex, smooth, non-negative loss phi(z, y).
/// * `loss(z, y)`: value, slope and curvature, accurate to a few units of rounding, free of branches if it can be: the
///   compiler then makes vector instructions of the loops over rows it is called in;
/// * `conjugate(s, y)`: sup_z (s z - phi(z, y)), infinite outside its domain;
/// * `curvature_bound`: the slope is Lipschitz in z with this constant;
/// * `curvature_is_smooth`, if there is one: the curvature has no jumps, which saves Newton's method some care.
template <class L>
concept Loss = std::copyable<L> && requires(const L loss, double z, double y, double s) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::task } -> std::convertible_to<Task>;
  { loss(z, y) } -> std::same_as<LossValue>;
  { loss.conjugate(s, y) } -> std::same_as<double>;
  { loss.curvature_bound() } -> std::same_as<double>;
};

}  // namespace geodescent
