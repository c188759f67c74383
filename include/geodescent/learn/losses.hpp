// The table of the library's losses. A new one is a file in src/losses and a line in
// src/losses/losses.def; a loss of your own needs neither (loss.hpp).
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "geodescent/learn/loss.hpp"

namespace geodescent {

/// A number that a loss depends on. It must lie strictly between `above` and `below`.
struct LossParameter {
  std::string_view name;                                   ///< its name in text
  double default_value;                                    ///< the default
  std::string_view meaning;                                ///< one line for help texts
  double above = 0;                                        ///< the lower end of its range
  double below = std::numeric_limits<double>::infinity();  ///< the upper end of its range

  bool allows(double value) const { return value > above && value < below; }  ///< whether the value is in its range
  std::string range() const;  ///< "over 0 and finite", "over 0 and below 1"
};

/// The meaning of a loss in LIBLINEAR.
struct LiblinearMeaning {
  double factor;  ///< LIBLINEAR's loss as a multiple of ours
  /// The solver types of model files whose loss this is; files are written with the first. Empty:
  /// there are none.
  std::array<std::string_view, 3> solvers = {};
};

/// An entry of the table of losses.
struct LossInfo {
  std::string_view name;                   ///< its name in text
  Task task;                               ///< classification or regression
  std::string_view summary;                ///< one line for help texts
  std::optional<LossParameter> parameter;  ///< empty for a loss without one
  double curvature_bound;                  ///< the dual value is Lipschitz with this constant
  bool has_probabilities;                  ///< 1 / (1 + exp(-decision)) is the probability of the positive class
  LiblinearMeaning liblinear;              ///< its meaning in LIBLINEAR
  /// It has one value for the predictions of all classes. Other losses of a classification have a
  /// problem for each class against the rest where there are more than two.
  bool joint = false;
};

/// The losses of the library that have one prediction, in the order of their table.
std::span<const LossInfo> losses();
/// These and the joint losses: all that `train` knows.
std::span<const LossInfo> trainable_losses();
/// The joint loss log sum_k exp(z_k) - z_y of multinomial logistic regression.
inline constexpr std::string_view softmax_loss = "softmax";

/// Of all losses that `train` knows; null for another one.
const LossInfo* find_loss(std::string_view name);
/// Whether it is the name of a joint loss (LossInfo::joint).
bool is_joint(std::string_view loss);
/// Throws std::invalid_argument, with the known names, for a loss that `train` does not know.
const LossInfo& loss_named(std::string_view name);
/// "logistic, squared-hinge": the names of the losses for which `chosen` is true.
template <class Chosen>
std::string names_of_losses(const Chosen& chosen) {
  std::string names;
  for (const LossInfo& loss : trainable_losses())
    if (chosen(loss)) names.append(names.empty() ? "" : ", ").append(loss.name);
  return names;
}

}  // namespace geodescent
