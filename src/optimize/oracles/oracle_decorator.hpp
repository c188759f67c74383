// Base class of decorators. It passes on all capabilities, so counting or timing changes no
// algorithm.
#pragma once

#include <memory>
#include <utility>

#include "optimize/oracles/dual_model.hpp"
#include "optimize/oracles/hessian_model.hpp"
#include "optimize/oracles/subspace_model.hpp"

namespace geodescent {

class OracleDecorator : public Oracle, protected SubspaceModel, protected HessianModel, protected DualModel {
 public:
  explicit OracleDecorator(std::unique_ptr<Oracle> f) : Oracle(f->facts()), f_(std::move(f)) {}

  void lift(Point& p) override { f_->lift(p); }
  Evaluation gradient(const Point& p, std::span<double> g) override { return f_->gradient(p, g); }
  LineValue on(Line& line, double t) override { return f_->on(line, t); }
  void arrive(const Line& line, double t) override { f_->arrive(line, t); }
  Vector intercepts() const override { return f_->intercepts(); }
  bool refine() override { return f_->refine(); }
  unsigned on_any_rank(unsigned flags) override { return f_->on_any_rank(flags); }
  void expand(std::span<const double> multipliers, std::span<double> x) override { f_->expand(multipliers, x); }
  SubspaceModel* subspace() override { return f_->subspace() ? this : nullptr; }
  HessianModel* hessian() override { return f_->hessian() ? this : nullptr; }
  DualModel* dual() override { return f_->dual() ? this : nullptr; }
  std::unique_ptr<Oracle> row_form(std::span<const double> x0) final {
    std::unique_ptr<Oracle> rows = f_->row_form(x0);
    return rows ? decorate(std::move(rows)) : nullptr;
  }

 protected:
  /// Applies the same decoration to another oracle of this run.
  virtual std::unique_ptr<Oracle> decorate(std::unique_ptr<Oracle> f) = 0;

  void reduce(const Basis& basis, const Point& x, Reduced& out) override { f_->subspace()->reduce(basis, x, out); }
  bool needs_images_only() const override { return f_->subspace()->needs_images_only(); }
  void follow(const Line& line, const Reduced& at, std::span<const double> z) override {
    f_->subspace()->follow(line, at, z);
  }
  Hessian hessian_memory() const override { return f_->hessian()->hessian_memory(); }
  void hessian_at(const Point& p, double width, Hessian& out) override { f_->hessian()->hessian_at(p, width, out); }
  void follow(const Line& line, const Hessian& at, std::span<const double> d) override {
    f_->hessian()->follow(line, at, d);
  }
  double image_change(const Line& line, double t) override { return f_->hessian()->image_change(line, t); }
  void begin_dual(std::span<const double> image) override { f_->dual()->begin_dual(image); }
  double dual_epoch() override { return f_->dual()->dual_epoch(); }
  Evaluation dual_ball(std::span<double> linear) override { return f_->dual()->dual_ball(linear); }

 private:
  std::unique_ptr<Oracle> f_;
};

}  // namespace geodescent
