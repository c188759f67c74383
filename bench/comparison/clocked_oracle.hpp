// A decorator that measures the time of each kind of call.
#pragma once

#include <chrono>

#include "optimize/oracles/oracle_decorator.hpp"

namespace geodescent::lab {

/// Seconds spent in the calls of an oracle. The rest of a run is spent in the method's own vectors.
struct CallSeconds {
  double passes = 0;    ///< lifts, gradients and Hessians
  double line = 0;      ///< evaluations on lines
  double subspace = 0;  ///< gradients and Hessians on subspaces
};

/// Two clock readings per call, which is negligible beside the shortest pass.
class ClockedOracle final : public OracleDecorator {
 public:
  /// Adds to `seconds`, which must outlive it. The row form of f adds to the same seconds.
  ClockedOracle(std::unique_ptr<Oracle> f, CallSeconds& seconds) : OracleDecorator(std::move(f)), seconds_(seconds) {}

  void lift(Point& p) override {
    const Stopwatch watch(seconds_.passes);
    OracleDecorator::lift(p);
  }
  Evaluation gradient(const Point& p, std::span<double> g) override {
    const Stopwatch watch(seconds_.passes);
    return OracleDecorator::gradient(p, g);
  }
  LineValue on(Line& line, double t) override {
    const Stopwatch watch(seconds_.line);
    return OracleDecorator::on(line, t);
  }

 private:
  std::unique_ptr<Oracle> decorate(std::unique_ptr<Oracle> f) override {
    return std::make_unique<ClockedOracle>(std::move(f), seconds_);
  }
  void reduce(const Basis& basis, const Point& x, Reduced& out) override {
    const Stopwatch watch(seconds_.subspace);
    OracleDecorator::reduce(basis, x, out);
  }
  void hessian_at(const Point& p, double width, Hessian& out) override {
    const Stopwatch watch(seconds_.passes);
    OracleDecorator::hessian_at(p, width, out);
  }
  void begin_dual(std::span<const double> image) override {
    const Stopwatch watch(seconds_.passes);
    OracleDecorator::begin_dual(image);
  }
  double dual_epoch() override {
    const Stopwatch watch(seconds_.passes);
    return OracleDecorator::dual_epoch();
  }
  Evaluation dual_ball(std::span<double> linear) override {
    const Stopwatch watch(seconds_.passes);
    return OracleDecorator::dual_ball(linear);
  }

  /// Adds the seconds of its lifetime.
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

  CallSeconds& seconds_;
};

}  // namespace geodescent::lab
