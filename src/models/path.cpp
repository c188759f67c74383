#include "geodescent/path.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace geodescent {

Vector path_values(double low, double high, std::size_t count) {
  if (!(low > 0 && low <= high && std::isfinite(high)) || count < 1 || (count == 1 && low < high))
    throw std::invalid_argument(
        fmt::format("no path of {} values leads from {} down to {}; it needs 0 < low <= high", count, high, low));
  Vector values(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double part = count > 1 ? static_cast<double>(k) / static_cast<double>(count - 1) : 0;
    values[k] = high * std::pow(low / high, part);
  }
  values.back() = count > 1 ? low : high;  // not what rounding makes of it
  return values;
}

void train_path(const Dataset& data, const Risk& risk, std::span<const double> l2, const TrainOptions& options,
                const PathVisitor& take, const Observer& observer) {
  TrainOptions next = options;
  next.fingerprint = fingerprint(data);
  LinearModel last;
  next.initial = nullptr;
  for (const double strength : l2) {
    Risk weaker = risk;
    weaker.l2 = strength;
    TrainResult trained = train(data, weaker, next, observer);
    last = trained.model;
    next.initial = trained.certificate ? &last : nullptr;
    if (!take(std::move(trained))) return;
  }
}

}  // namespace geodescent
