// A loss behind one virtual call for many rows.
#pragma once

#include <typeinfo>

#include "geodescent/learn/loss.hpp"

namespace geodescent {

/// What the library compiles for a loss of its own, for each instruction set.
class LibraryLoss {
 public:
  /// Of the loss of this type; without any, for others.
  explicit LibraryLoss(const std::type_info& type);
  explicit operator bool() const { return index_ >= 0; }
  void evaluate(const void* loss, const double* z, const double* y, std::size_t n, const LossArrays& to) const;

 private:
  int index_;
};

class RowLoss {
 public:
  virtual ~RowLoss() = default;

  virtual Task task() const = 0;
  virtual double curvature_bound() const = 0;
  /// The second derivative of the loss is continuous.
  virtual bool curvature_is_smooth() const = 0;
  /// phi at the n predictions z. y: the targets, null for classification.
  virtual void evaluate(const double* z, const double* y, std::size_t n, const LossArrays& to) const = 0;
};

template <Loss L>
class RowLossOf final : public RowLoss {
 public:
  explicit RowLossOf(L loss) : loss_(std::move(loss)), library_(typeid(L)) {}

  const L& loss() const { return loss_; }
  Task task() const override { return L::task; }
  double curvature_bound() const override { return loss_.curvature_bound(); }
  bool curvature_is_smooth() const override {
    if constexpr (requires { L::curvature_is_smooth; })
      return L::curvature_is_smooth;
    else
      return false;
  }
  void evaluate(const double* z, const double* y, std::size_t n, const LossArrays& to) const override {
    if (library_) return library_.evaluate(&loss_, z, y, n, to);
    for (std::size_t i = 0; i < n; ++i) {
      const LossValue phi = loss_(z[i], y ? y[i] : 1);
      if (to.value) to.value[i] = phi.value;
      to.slope[i] = phi.slope;
      to.curvature[i] = phi.curvature;
    }
  }

 private:
  L loss_;
  LibraryLoss library_;
};

}  // namespace geodescent
