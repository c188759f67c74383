// What a loss needs beside the public concept `Loss` to be in the library's table. Internal to the library.
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
/// * `liblinear`: what LIBLINEAR makes of it;
/// * `parameter`, if the loss has one: the only data member, with which L{value} makes it;
/// * `has_probabilities`, if 1 / (1 + exp(-decision)) is the probability of the positive class.
template <class L>
concept LibraryLoss = Loss<L> && requires {
  { L::summary } -> std::convertible_to<std::string_view>;
  { L::liblinear } -> std::convertible_to<LiblinearMeaning>;
} &&(HasParameter<L> ? requires { L{1.0}; } : std::is_empty_v<L>);

/// A solver's loss or a proof's, with its parameter if it has one.
template <class L>
L with_parameter(double parameter) {
  if constexpr (std::is_empty_v<L>)
    return L{};
  else
    return L{parameter};
}

}  // namespace geodescent
