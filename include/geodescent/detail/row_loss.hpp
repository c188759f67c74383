// A loss behind an interface: one virtual call for a block of rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "geodescent/learn/loss.hpp"

namespace geodescent {

/// A dual value u = phi'(z), and z.
struct DualStep {
  double image;
  double dual;
};

/// A loss with its parameter. Thread-safe: it has no other state.
class RowLoss {
 public:
  virtual ~RowLoss() = default;

  virtual Task task() const = 0;
  virtual double curvature_bound() const = 0;
  /// The second derivative has no jumps.
  virtual bool curvature_is_smooth() const = 0;
  /// phi, phi' and phi'' at n predictions or margins z. y: the targets, null for classification.
  virtual void evaluate(const double* z, const double* y, std::size_t n, const LossArrays& to) const = 0;
  virtual double conjugate(double s, double y) const = 0;
  /// One step of dual coordinate ascent from the dual value u: phi'(t) for the t with t + q
  /// (phi'(t) - u) = z, nearly.
  virtual DualStep dual_step(double z, double y, double q, double u) const = 0;

  LossValue operator()(double z, double y) const {
    LossValue at{};
    evaluate(&z, task() == Task::classification ? nullptr : &y, 1, {&at.value, &at.slope, &at.curvature});
    return at;
  }

 protected:
  RowLoss() = default;
  RowLoss(const RowLoss&) = default;
  RowLoss& operator=(const RowLoss&) = default;
};

/// A loss of any type that fulfils the concept.
template <Loss L>
class RowLossOf : public RowLoss {
 public:
  explicit RowLossOf(const L& loss) : loss_(loss) {}

  const L& loss() const { return loss_; }
  Task task() const final { return L::task; }
  double curvature_bound() const final { return loss_.curvature_bound(); }
  bool curvature_is_smooth() const final {
    if constexpr (requires { L::curvature_is_smooth; })
      return L::curvature_is_smooth;
    else
      return false;
  }
  double conjugate(double s, double y) const final { return loss_.conjugate(s, y); }
  void evaluate(const double* z, const double* y, std::size_t n, const LossArrays& to) const override {
    for (std::size_t i = 0; i < n; ++i) {
      const LossValue phi = loss_(z[i], y ? y[i] : 1);
      if (to.value) to.value[i] = phi.value;
      to.slope[i] = phi.slope;
      to.curvature[i] = phi.curvature;
    }
  }
  /// Newton's method from z. phi' does not decrease, so the equation has one root, with a slope of
  /// at least 1: it lies in a bracket, which is halved where Newton's steps do not help.
  DualStep dual_step(double z, double y, double q, double u) const final {
    constexpr double enough = 0.01;  // of the first residual: the other rows move the root by more
    constexpr int most_steps = 100;
    LossValue phi = loss_(z, y);
    double t = z, residual = q * (phi.slope - u), last = std::numeric_limits<double>::infinity();
    const double tolerance = enough * std::abs(residual);
    double low = std::min(z, z - residual), high = std::max(z, z - residual);
    for (int k = 0; k < most_steps && std::abs(residual) > tolerance; ++k) {
      (residual < 0 ? low : high) = t;
      const double newton = t - residual / (1 + q * phi.curvature);
      const bool helps = newton > low && newton < high && std::abs(residual) <= last / 2;
      t = helps ? newton : low + (high - low) / 2;
      last = std::abs(residual);
      phi = loss_(t, y);
      residual = t - z + q * (phi.slope - u);
    }
    return {t, phi.slope};
  }

 private:
  L loss_;
};

/// A loss of the library's table, evaluated by kernels for the instruction set in use. No
/// parameter: the default. Throws std::invalid_argument for an unknown name, a parameter out of its
/// range, or one that the loss does not have.
std::unique_ptr<const RowLoss> make_row_loss(std::string_view name, std::optional<double> parameter = {});

}  // namespace geodescent
