#include "certificate/proof/proof_loss.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "geodescent/error.hpp"

namespace geodescent::proof {
namespace {

/// More than plain_value and slope lose, as a part of their results: the worst is the logistic loss, with an
/// exponential and a logarithm.
constexpr Real formula_error = 32 * unit;

// The same in double, in units of 2^-52: a rounding costs half a unit, and exp, log and log1p are assumed to be wrong
// by at most two (the C libraries we know: by less than one; a test looks). Each has room left for terms of second
// order.

/// 2 in the exponential are at most 2 in log1p of it, which adds 2, and the subtraction adds 1/2.
constexpr double logistic_error = 5 * double_unit;
/// A difference, its square, the rounding of that.
constexpr double hinge_error = 1.6 * double_unit;
/// One product.
constexpr double square_error = 0.6 * double_unit;
/// delta (r - delta/2): a difference and a product.
constexpr double huber_error = 1.1 * double_unit;
/// The smaller part is exact, as a difference of two numbers within a factor of two is; the larger one and the quotient
/// are wrong by 1/2. That moves log, which is at least log 2, by less than 3/4 of itself, and log1p by at most 1.01 of
/// itself. With 2 for either, 1/2 for each product and for the sum, of terms of one sign, less than 4.6.
constexpr double entropy_error = 5 * double_unit;

/// c phi*(v / c) of the logistic loss: p log(p/c) + q log(q/c) with p = -v and q = c - p. The smaller of the two is
/// known to its last digits, so both logarithms are taken from it.
Bounded weighted_entropy(double v, double c) {
  const Bounded p{-static_cast<Real>(v), 0}, whole{static_cast<Real>(c), 0};
  Bounded smaller = p, larger = whole - p;
  if (larger.value < smaller.value) std::swap(smaller, larger);
  if (!(smaller.value > 0)) return {0, 0};  // 0 log 0 + c log 1; p is exact, and so is a difference that is 0
  const Bounded part = smaller / whole;
  return smaller * log(part) + larger * log1p(-part);
}

/// The same in double, unless something could underflow.
Approximation entropy(double v, double c) {
  if (v == 0 || v == -c) return {0, 0};
  constexpr double safe = 1e-280;
  const double p = -v, q = c - p;
  const double smaller = std::min(p, q), larger = std::max(p, q);
  const double part = smaller / c;
  if (smaller > safe && part > safe) {
    const double value = smaller * std::log(part) + larger * std::log1p(-part);
    return {value, (entropy_error * std::abs(value) + double_tiny) * generous};
  }
  const Bounded slow = weighted_entropy(v, c);
  const auto value = static_cast<double>(slow.value);
  return {value, (static_cast<double>(slow.error) + double_unit * std::abs(value) + double_tiny) * generous};
}

/// The largest double that is not above c d.
double product_below(double c, double d) {
  const double product = c * d;
  constexpr double safe = 1e-280;  // below, the remainder could underflow
  const bool too_large = product < safe || std::fma(c, d, -product) < 0;
  return too_large ? std::nextafter(product, 0.0) : product;
}

}  // namespace

bool ProofLoss::find(const std::string& name, Kind& kind) {
  static const std::array<std::pair<const char*, Kind>, 5> names{{{"smoothed-hinge", Kind::smoothed_hinge},
                                                                  {"logistic", Kind::logistic},
                                                                  {"squared-hinge", Kind::squared_hinge},
                                                                  {"squared", Kind::squared},
                                                                  {"huber", Kind::huber}}};
  for (const auto& [known, its_kind] : names) {
    if (name != known) continue;
    kind = its_kind;
    return true;
  }
  return false;
}

bool ProofLoss::is_known(const std::string& loss) {
  Kind ignored{};
  return find(loss, ignored);
}

ProofLoss::ProofLoss(const Risk& risk, const std::string& place) : delta_(risk.loss_parameter) {
  if (risk.loss.empty()) throw InputError(fmt::format("{}: the loss is unknown; say which one it is", place));
  if (!find(risk.loss, kind_)) {
    throw InputError(
        fmt::format("{}: nothing can be proven about the loss '{}'; the known ones are smoothed-hinge, "
                    "logistic, squared-hinge, squared, huber",
                    place, risk.loss));
  }
  if (kind_ == Kind::huber && !(delta_ > 0 && std::isfinite(delta_))) {
    throw InputError(fmt::format("{}: the threshold of the Huber loss is {}; it must be over 0", place, delta_));
  }
}

Real ProofLoss::plain_value(Real z, double y) const {
  switch (kind_) {
    case Kind::smoothed_hinge:
      if (z >= 1) return 0;
      return z <= 0 ? Real{0.5} - z : (1 - z) * (1 - z) / 2;
    case Kind::logistic: {
      const Real tail = std::log1p(std::exp(-std::abs(z)));
      return z < 0 ? tail - z : tail;
    }
    case Kind::squared_hinge:
      return z >= 1 ? 0 : (1 - z) * (1 - z) / 2;
    case Kind::squared:
      return (z - y) * (z - y) / 2;
    case Kind::huber: {
      const Real r = std::abs(z - y);
      return r <= delta_ ? r * r / 2 : delta_ * (r - static_cast<Real>(delta_) / 2);
    }
  }
  return endless;
}

Real ProofLoss::slope(Real z, double y) const {
  switch (kind_) {
    case Kind::smoothed_hinge:
      return clamped(z - 1, -1, 0);
    case Kind::logistic: {
      const Real e = std::exp(-std::abs(z));
      return z < 0 ? -1 / (1 + e) : -e / (1 + e);
    }
    case Kind::squared_hinge:
      return z >= 1 ? 0 : z - 1;
    case Kind::squared:
      return z - y;
    case Kind::huber:
      return clamped(z - y, -static_cast<Real>(delta_), delta_);
  }
  return 0;
}

Real ProofLoss::curvature(Real z, double y, Real slope) const {
  switch (kind_) {
    case Kind::smoothed_hinge:
      return z > 0 && z < 1 ? 1 : 0;
    case Kind::logistic:
      return -slope * (1 + slope);
    case Kind::squared_hinge:
      return z < 1 ? 1 : 0;
    case Kind::squared:
      return 1;
    case Kind::huber:
      return std::abs(z - y) < delta_ ? 1 : 0;
  }
  return 1;
}

Bounded ProofLoss::value(const Bounded& z, double y) const {
  const Real value = plain_value(z.value, y);
  // By Taylor: |phi(z + e) - phi(z)| <= |phi'(z)| e + e^2 / 2.
  // For the logistic loss |phi'| = 1 - exp(-phi) <= phi, which saves an exponential.
  const Real steep = is_logistic() ? std::min(Real{1}, value) : std::abs(slope(z.value, y));
  const Real steepness = steep * (1 + formula_error) + tiny;
  return {value, inflated(formula_error * value + steepness * z.error + z.error * z.error / 2)};
}

Bounded ProofLoss::slope(const Bounded& z, double y) const {
  const Real s = slope(z.value, y);
  return {s, inflated(formula_error * std::abs(s) + z.error)};
}

double ProofLoss::value_at(double at) const {
  switch (kind_) {
    case Kind::smoothed_hinge:
      if (at >= 1) return 0;
      return at <= 0 ? 0.5 - at : (1 - at) * (1 - at) / 2;
    case Kind::logistic: {
      const double tail = std::log1p(std::exp(-std::abs(at)));
      return at < 0 ? tail - at : tail;
    }
    case Kind::squared_hinge:
      return at >= 1 ? 0 : (1 - at) * (1 - at) / 2;
    case Kind::squared:
      return at * at / 2;
    case Kind::huber: {
      const double r = std::abs(at);
      return r <= delta_ ? r * r / 2 : delta_ * (r - delta_ / 2);
    }
  }
  return std::numeric_limits<double>::infinity();
}

double ProofLoss::error_of_formula() const {
  switch (kind_) {
    case Kind::smoothed_hinge:
    case Kind::squared_hinge:
      return hinge_error;
    case Kind::logistic:
      return logistic_error;
    case Kind::squared:
      return square_error;
    case Kind::huber:
      return huber_error;
  }
  return std::numeric_limits<double>::infinity();
}

/// Not less than |phi'|, up to roundings. For the logistic loss |phi'| = 1 - exp(-phi) <= phi, which saves an
/// exponential.
double ProofLoss::steepness_at(double at, double value) const {
  switch (kind_) {
    case Kind::smoothed_hinge:
      return std::clamp(1 - at, 0.0, 1.0);
    case Kind::logistic:
      return std::min(1.0, value);
    case Kind::squared_hinge:
      return std::max(1 - at, 0.0);
    case Kind::squared:
      return std::abs(at);
    case Kind::huber:
      return std::min(std::abs(at), delta_);
  }
  return std::numeric_limits<double>::infinity();
}

void ProofLoss::replace_by_values(std::span<Approximation> all) const {
  const double relative_error = error_of_formula();
  for (Approximation& at : all) {
    const double value = value_at(at.value);
    // By Taylor: |phi(z + e) - phi(z)| <= |phi'(z)| e + e^2 / 2.
    const double inherited = steepness_at(at.value, value) * at.error + at.error * at.error;
    at = {value, (relative_error * value + inherited + double_tiny) * generous};
  }
}

void ProofLoss::add_conjugate(double v, double c, double y, RowSum& sum) const {
  if (is_logistic()) return sum.add(1, entropy(v, c));
  // v y + v^2 / (2 c); the hinges are the squared loss with the target 1 where their slope is in its range. As two
  // products that lose nothing: the terms of different rows may cancel.
  sum.add(v, {is_classification() ? 1 : y, 0});
  const double half_quotient = v / c / 2;
  sum.add(v, {half_quotient, c == 1 ? double_tiny : (double_unit * std::abs(half_quotient) + double_tiny) * generous});
}

DualRange ProofLoss::dual_range(double c) const {
  constexpr double largest = std::numeric_limits<double>::max();
  switch (kind_) {
    case Kind::smoothed_hinge:
    case Kind::logistic:
      return {-c, 0};
    case Kind::squared_hinge:
      return {-largest, 0};
    case Kind::squared:
      return {-largest, largest};
    case Kind::huber: {
      const double end = std::min(product_below(c, delta_), largest);
      return {-end, end};
    }
  }
  return {};
}

}  // namespace geodescent::proof
