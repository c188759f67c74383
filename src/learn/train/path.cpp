#include "geodescent/learn/path.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>

#include <fmt/format.h>

#include "learn/constant_column.hpp"
#include "learn/train/checkpoints.hpp"

namespace geodescent {

Vector path_values(double low, double high, std::size_t count) {
  if (!(low > 0 && low <= high && std::isfinite(high)) || count < 1 || (count == 1 && low < high))
    throw std::invalid_argument(fmt::format(
        "a path of {} values from {} down to {} is not possible; it needs 0 < low <= high", count, high, low));
  Vector values(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double part = count > 1 ? static_cast<double>(k) / static_cast<double>(count - 1) : 0;
    values[k] = high * std::pow(low / high, part);
  }
  values.back() = count > 1 ? low : high;  // without rounding
  return values;
}

namespace {

/// The last models of a path, and an extrapolation of them: each coefficient as a parabola in the
/// logarithm of l2.
class Extrapolation {
 public:
  void add(const LinearModel& model) {
    std::erase_if(last_, [&](const LinearModel& m) { return m.risk.l2 == model.risk.l2; });
    last_.push_back(model);
    if (last_.size() > points) last_.pop_front();
  }
  void clear() { last_.clear(); }
  bool empty() const { return last_.empty(); }

  LinearModel to(double l2) const {
    LinearModel result = last_.back();
    std::ranges::fill(result.weights, 0.0);
    std::ranges::fill(result.bias_weights, 0.0);
    for (std::size_t k = 0; k < last_.size(); ++k) {
      const double part = share(k, l2);
      combine(result.weights, 1, result.weights, part, last_[k].weights);
      for (std::size_t j = 0; j < result.bias_weights.size(); ++j)
        result.bias_weights[j] += part * last_[k].bias_weights[j];
    }
    return result;
  }

 private:
  static constexpr std::size_t points = 3;

  /// Lagrange's polynomial of model k.
  double share(std::size_t k, double l2) const {
    const auto at = [this](std::size_t i) { return std::log(last_[i].risk.l2); };
    double product = 1;
    for (std::size_t i = 0; i < last_.size(); ++i)
      if (i != k) product *= (std::log(l2) - at(i)) / (at(k) - at(i));
    return product;
  }

  std::deque<LinearModel> last_;
};

}  // namespace

void train_path(const Dataset& data, const Risk& risk, std::span<const double> l2, const TrainOptions& options,
                const PathVisitor& take, const Observer& observer) {
  require_no_checkpoints(options);
  if (lacks_constant(data, risk)) return train_path(with_constant_of(risk, data), risk, l2, options, take, observer);
  TrainOptions next = options;
  next.fingerprint = fingerprint(data);
  Extrapolation path;
  for (const double strength : l2) {
    Risk weaker = risk;
    weaker.l2 = strength;
    LinearModel start;
    if (!path.empty()) start = path.to(strength);
    next.initial = path.empty() ? nullptr : &start;
    TrainResult trained = train(data, weaker, next, observer);
    // At zero. One class against the rest has a value there for each class.
    if (!next.minimize.reference_value && trained.of_classes.empty())
      next.minimize.reference_value = trained.run.reference_value;
    if (trained.certificate)
      path.add(trained.model);
    else
      path.clear();
    if (!take(std::move(trained))) return;
  }
}

}  // namespace geodescent
