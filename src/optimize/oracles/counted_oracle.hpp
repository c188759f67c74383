// A decorator that counts passes and evaluations, so that methods need not count.
#pragma once

#include "optimize/oracles/oracle_decorator.hpp"

namespace geodescent {

class CountedOracle final : public OracleDecorator {
 public:
  /// Adds to `counts`, which must outlive it. The row form of f adds to the same counts.
  CountedOracle(std::unique_ptr<Oracle> f, Counts& counts) : OracleDecorator(std::move(f)), counts_(counts) {}

  void lift(Point& p) override;
  Evaluation gradient(const Point& p, std::span<double> g) override;
  LineValue on(Line& line, double t) override;
  bool refine() override;
  void expand(std::span<const double> multipliers, std::span<double> x) override;

 private:
  std::unique_ptr<Oracle> decorate(std::unique_ptr<Oracle> f) override {
    return std::make_unique<CountedOracle>(std::move(f), counts_);
  }
  void reduce(const Basis& basis, const Point& x, Reduced& out) override;
  void hessian_at(const Point& p, double width, Hessian& out) override;
  void begin_dual(std::span<const double> image) override;
  double dual_epoch() override;
  Evaluation dual_ball(std::span<double> linear) override;

  Counts& counts_;
  bool refined_ = false;
};

}  // namespace geodescent
