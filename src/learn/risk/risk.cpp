#include "geodescent/learn/risk.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "geodescent/learn/losses.hpp"

namespace geodescent {

std::vector<std::int8_t> signs_of_classes(const Dataset& data) {
  const BinaryLabels labels = binary_labels(data);
  std::vector<std::int8_t> signs(data.targets.size());
  for (std::size_t i = 0; i < signs.size(); ++i) signs[i] = data.targets[i] == labels.positive ? 1 : -1;
  return signs;
}

void require_positive_regularization(double lambda) {
  if (!(lambda > 0 && std::isfinite(lambda)))
    throw std::invalid_argument(fmt::format("the regularisation must be positive and finite, not {}", lambda));
}

namespace {

template <class L>
L configured(const LossParameters&) {
  return {};
}

template <>
Huber configured<Huber>(const LossParameters& p) {
  if (!(p.huber_delta > 0 && std::isfinite(p.huber_delta)))
    throw std::invalid_argument(fmt::format("Huber's threshold must be positive and finite, not {}", p.huber_delta));
  return {p.huber_delta};
}

template <class... L>
std::array<LossInfo, sizeof...(L)> describe(std::tuple<L...>*) {
  return {LossInfo{L::name, L::task, L{}.curvature_bound()}...};
}

template <class... L>
std::unique_ptr<LinearRisk> make(std::tuple<L...>*, std::string_view name, const Dataset& data, double lambda,
                                 const LossParameters& parameters, Bias bias) {
  std::unique_ptr<LinearRisk> f;
  const auto try_one = [&]<class One>(One*) {
    if (name == One::name) f = std::make_unique<RegularizedRisk<One>>(data, lambda, configured<One>(parameters), bias);
  };
  (try_one(static_cast<L*>(nullptr)), ...);
  return f;
}

}  // namespace

std::span<const LossInfo> losses() {
  static const auto table = describe(static_cast<Losses*>(nullptr));
  return table;
}

std::unique_ptr<LinearRisk> make_risk(std::string_view loss, const Dataset& data, double lambda,
                                      const LossParameters& parameters, Bias bias) {
  auto f = make(static_cast<Losses*>(nullptr), loss, data, lambda, parameters, bias);
  if (f) return f;
  std::string known;
  for (const LossInfo& l : losses()) known += fmt::format("{}{}", known.empty() ? "" : ", ", l.name);
  throw std::invalid_argument(fmt::format("no loss is called '{}'; there are {}", loss, known));
}

}  // namespace geodescent
