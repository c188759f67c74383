// The table of losses, accessible at run time.
#include "geodescent/learn/losses.hpp"

#include <cmath>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text/near_words.hpp"
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

/// Joint losses have no line in the table of losses, whose functions take one prediction: their
/// solver is SoftmaxRisk, their proof SoftmaxProblem.
LossInfo info_of_softmax() {
  return {.name = softmax_loss,
          .task = Task::classification,
          .summary = "multinomial logistic regression, all classes at once; gives probabilities",
          .parameter = {},
          .curvature_bound = 0.5,  // the largest eigenvalue of diag(p) - p p' is no larger
          .has_probabilities = true,
          .liblinear = {.factor = 1},
          .joint = true};
}

template <class... Entry>
std::array<LossInfo, loss_count + 1> describe(const std::tuple<Entry...>&) {
  return {info_of<typename Entry::Solver>()..., info_of_softmax()};
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

std::span<const LossInfo> trainable_losses() {
  static const auto table = describe(LossTable{});
  return table;
}

std::span<const LossInfo> losses() { return trainable_losses().first(loss_count); }

const LossInfo* find_loss(std::string_view name) {
  for (const LossInfo& loss : trainable_losses())
    if (loss.name == name) return &loss;
  return nullptr;
}

bool is_joint(std::string_view loss) {
  const LossInfo* const found = find_loss(loss);
  return found && found->joint;
}

const LossInfo& loss_named(std::string_view name) {
  if (const LossInfo* const found = find_loss(name)) return *found;
  std::vector<std::string_view> names;
  for (const LossInfo& loss : trainable_losses()) names.push_back(loss.name);
  throw std::invalid_argument(
      fmt::format("unknown loss '{}'{}; the losses are {}", name, did_you_mean(name, names), fmt::join(names, ", ")));
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
  if (!found) throw std::invalid_argument(fmt::format("the loss {} has no function of one prediction", name));
  return found;
}

double l2_from_c(std::string_view loss, double c, double total_weight) {
  return 1 / (loss_named(loss).liblinear.factor * c * total_weight);
}

// The relation of C and l2 is its own inverse.
double c_from_l2(std::string_view loss, double l2, double total_weight) { return l2_from_c(loss, l2, total_weight); }

}  // namespace geodescent
