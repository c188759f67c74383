// Nesterov's accelerated full gradient method, constant step scheme II.
//
//   x_{k+1} = y_k - grad f(y_k)/L,    y_{k+1} = x_{k+1} + beta_k (x_{k+1} - x_k)
#include "methods/accelerated_method.hpp"

namespace geodescent {
namespace {

class AcceleratedGradient final : public AcceleratedMethod {
 public:
  explicit AcceleratedGradient(const Afg& s) : settings(s) {}

  void start(Oracle& objective, std::span<const double> x0) override {
    smoothness = Smoothness(objective, settings.smoothness);
    begin(objective, x0);
  }

  Step step() override {
    f->lift(g);
    line.set(y, g);
    const LineStep down = smoothness.gradient_step(*f, line, at_y, line.direction_squared_norm());
    if (!down.finite) return Step::not_finite;
    move(down.t, down.at.value, smoothness.beta());
    return evaluate() ? Step::progressed : Step::not_finite;
  }

 private:
  Afg settings;
  Smoothness smoothness;
};

}  // namespace

std::unique_ptr<Method> Afg::make(const Purpose&) const { return std::make_unique<AcceleratedGradient>(*this); }

}  // namespace geodescent
