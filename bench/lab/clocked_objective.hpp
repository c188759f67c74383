// A function that takes the time of what is asked of it: which part of a run its seconds go to.
#pragma once

#include <chrono>

#include "geodescent/objective.hpp"

namespace geodescent::lab {

/// Seconds spent in the calls of an objective. What a run takes beyond them, the method spends on its own vectors.
struct CallSeconds {
  double passes = 0;    ///< lifts and gradients
  double line = 0;      ///< evaluations on lines
  double subspace = 0;  ///< gradients and Hessians on subspaces
};

/// The same function, timed. Two readings of the clock a call: nothing beside the shortest pass.
class ClockedObjective final : public Objective {
 public:
  explicit ClockedObjective(const Objective& f) : f_(f) {}

  const CallSeconds& seconds() const { return seconds_; }

  std::size_t dimension() const override { return f_.dimension(); }
  std::size_t image_size() const override { return f_.image_size(); }
  double strong_convexity() const override { return f_.strong_convexity(); }
  std::optional<double> smoothness() const override { return f_.smoothness(); }
  double trivial_bound() const override { return f_.trivial_bound(); }
  Cost cost() const override { return f_.cost(); }
  void lift(Point& p) const override {
    const Stopwatch watch(seconds_.passes);
    f_.lift(p);
  }
  Evaluation gradient(const Point& p, std::span<double> g) const override {
    const Stopwatch watch(seconds_.passes);
    return f_.gradient(p, g);
  }
  LineValue on(Line& line, double t) const override {
    const Stopwatch watch(seconds_.line);
    return f_.on(line, t);
  }
  bool reduce(const Basis& basis, const Point& x, Reduced& out) const override {
    const Stopwatch watch(seconds_.subspace);
    return f_.reduce(basis, x, out);
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

  const Objective& f_;
  mutable CallSeconds seconds_;
};

}  // namespace geodescent::lab
