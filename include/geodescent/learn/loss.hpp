// The concept of a loss. A type with these members can be used in RegularizedRisk without a change
// of the library.
#pragma once

#include <concepts>
#include <string_view>

#include "geodescent/detail/elementary.hpp"

namespace geodescent {

/// The task of a loss.
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

/// Output arrays for phi at many predictions.
struct LossArrays {
  double* value;      ///< null to skip the values, which is cheaper for some losses
  double* slope;      ///< first derivatives in z
  double* curvature;  ///< second derivatives in z
};

/// A convex, smooth, non-negative loss phi(z, y).
/// * `loss(z, y)`: value, slope and curvature, accurate to a few units in the last place. Without
///   branches, compilers vectorise the loops over rows that call it;
/// * `conjugate(s, y)`: sup_z (s z - phi(z, y)), infinite outside its domain;
/// * `curvature_bound`: the slope is Lipschitz in z with this constant;
/// * `curvature_is_smooth`, optional: true if the curvature has no jumps. Newton's method is then
///   cheaper.
template <class L>
concept Loss = std::copyable<L> && requires(const L loss, double z, double y, double s) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::task } -> std::convertible_to<Task>;
  { loss(z, y) } -> std::same_as<LossValue>;
  { loss.conjugate(s, y) } -> std::same_as<double>;
  { loss.curvature_bound() } -> std::same_as<double>;
};

}  // namespace geodescent
