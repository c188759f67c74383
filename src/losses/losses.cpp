// The table of losses, accessible at run time.
#include "geodescent/learn/losses.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "geodescent/detail/row_loss.hpp"
#include "geodescent/learn/regularization.hpp"
#include "kernels/kernels.hpp"
#include "losses/table.hpp"

namespace geodescent {
namespace {

template <class L>
inline constexpr bool has_probabilities = requires {
  L::has_probabilities;
};

template <LibraryLoss L>
LossInfo info_of() {
  LossInfo info{.name = L::name,
                .task = L::task,
                .summary = L::summary,
                .parameter = {},
                .curvature_bound = L{}.curvature_bound(),
                .has_probabilities = has_probabilities<L>,
                .liblinear = L::liblinear};
  if constexpr (HasParameter<L>) info.parameter = L::parameter;
  return info;
}

template <class... Entry>
std::array<LossInfo, loss_count> describe(const std::tuple<Entry...>&) {
  return {info_of<typename Entry::Solver>()...};
}

/// A row loss that is evaluated by a kernel.
template <LibraryLoss L>
class LibraryRowLoss final : public RowLossOf<L> {
 public:
  LibraryRowLoss(const L& loss, std::size_t index) : RowLossOf<L>(loss), index_(index) {}

  void evaluate(const double* z, const double* y, std::size_t n, const LossArrays& to) const override {
    kernels().losses[index_](&this->loss(), z, y, n, to);
  }

 private:
  std::size_t index_;  // in the table
};

/// The parameter to use: the given one or the default. Throws std::invalid_argument if it is not
/// allowed.
double checked_parameter(const LossInfo& loss, std::optional<double> given) {
  if (!loss.parameter) {
    if (!given) return 0;
    throw std::invalid_argument(fmt::format("the loss {} has no parameter, but {} was given", loss.name, *given));
  }
  const double value = given.value_or(loss.parameter->default_value);
  if (loss.parameter->allows(value)) return value;
  throw std::invalid_argument(fmt::format("the {} of the loss {} is {}; it must be {}", loss.parameter->name, loss.name,
                                          value, loss.parameter->range()));
}

}  // namespace

std::string LossParameter::range() const {
  return fmt::format("over {} and {}", above, std::isfinite(below) ? fmt::format("below {}", below) : "finite");
}

std::span<const LossInfo> losses() {
  static const auto table = describe(LossTable{});
  return table;
}

const LossInfo* find_loss(std::string_view name) {
  for (const LossInfo& loss : losses())
    if (loss.name == name) return &loss;
  return nullptr;
}

const LossInfo& loss_named(std::string_view name) {
  if (const LossInfo* const found = find_loss(name)) return *found;
  throw std::invalid_argument(
      fmt::format("no loss is called '{}'; there are {}", name, names_of_losses([](const LossInfo&) { return true; })));
}

std::unique_ptr<const RowLoss> make_row_loss(std::string_view name, std::optional<double> parameter) {
  const double value = checked_parameter(loss_named(name), parameter);
  std::unique_ptr<const RowLoss> found;
  std::size_t index = 0;
  for_each_loss([&]<class Entry>(Entry) {
    using L = typename Entry::Solver;
    if (name == L::name) found = std::make_unique<LibraryRowLoss<L>>(with_parameter<L>(value), index);
    ++index;
  });
  return found;
}

double l2_from_c(std::string_view loss, double c, double total_weight) {
  return 1 / (loss_named(loss).liblinear.factor * c * total_weight);
}

// The relation of C and l2 is its own inverse.
double c_from_l2(std::string_view loss, double l2, double total_weight) { return l2_from_c(loss, l2, total_weight); }

}  // namespace geodescent
