// A function that takes the time of what is asked of it: which part of a run its seconds go to.
#pragma once

#include <chrono>

#include "geodescent/optimize/objective.hpp"

namespace geodescent::lab {

/// Seconds spent in the calls of an objective. What a run takes beyond them, the method spends on its own vectors.
struct CallSeconds {
  double passes = 0;    ///< lifts, gradients and Hessians
  double line = 0;      ///< evaluations on lines
  double subspace = 0;  ///< gradients and Hessians on subspaces
};

/// The same function, timed. Two readings of the clock a call: nothing beside the shortest pass.
class ClockedObjective final : public ObjectiveDecorator {
 public:
  using ObjectiveDecorator::ObjectiveDecorator;

  const CallSeconds& seconds() const { return seconds_; }

  void lift(Point& p) const override {
    const Stopwatch watch(seconds_.passes);
    ObjectiveDecorator::lift(p);
  }
  Evaluation gradient(const Point& p, std::span<double> g) const override {
    const Stopwatch watch(seconds_.passes);
    return ObjectiveDecorator::gradient(p, g);
  }
  LineValue on(Line& line, double t) const override {
    const Stopwatch watch(seconds_.line);
    return ObjectiveDecorator::on(line, t);
  }
  bool reduce(const Basis& basis, const Point& x, Reduced& out) const override {
    const Stopwatch watch(seconds_.subspace);
    return ObjectiveDecorator::reduce(basis, x, out);
  }
  void hessian(const Point& p, double width, Hessian& out) const override {
    const Stopwatch watch(seconds_.passes);
    ObjectiveDecorator::hessian(p, width, out);
  }

 private:
  /// Adds the seconds of its life.
  class Stopwatch {
   public:
    explicit Stopwatch(double& sum) : sum_(sum) {}
    ~Stopwatch() { sum_ += std::chrono::duration<double>(Clock::now() - began_).count(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

   private:
    using Clock = std::chrono::steady_clock;
    double& sum_;
    Clock::time_point began_ = Clock::now();
  };

  mutable CallSeconds seconds_;
};

}  // namespace geodescent::lab
