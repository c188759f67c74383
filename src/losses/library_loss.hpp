// The members that a loss of the library's table has in addition to the public concept `Loss`.
// Internal to the library.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

#include "geodescent/learn/losses.hpp"

namespace geodescent {

template <class L>
concept HasParameter = requires {
  { L::parameter } -> std::convertible_to<LossParameter>;
};

/// * `summary`: one line for help texts;
/// * `liblinear`: the corresponding LIBLINEAR solvers;
/// * `parameter`, if the loss has one: its only data member, so that L{value} constructs it;
/// * `has_probabilities`, if 1 / (1 + exp(-decision)) is the probability of the positive class.
template <class L>
concept LibraryLoss = Loss<L> && requires {
  { L::summary } -> std::convertible_to<std::string_view>;
  { L::liblinear } -> std::convertible_to<LiblinearMeaning>;
} &&(HasParameter<L> ? requires { L{1.0}; } : std::is_empty_v<L>);

/// The solver's loss or the proof's loss, with its parameter if it has one.
template <class L>
L with_parameter(double parameter) {
  if constexpr (std::is_empty_v<L>)
    return L{};
  else
    return L{parameter};
}

}  // namespace geodescent
