// A user's function as an oracle. It has no image, so each step of a line search costs an
// evaluation.
#pragma once

#include "geodescent/optimize/objective.hpp"
#include "geodescent/optimize/oracle.hpp"

namespace geodescent {

class BlackBox final : public Oracle {
 public:
  /// `f` must outlive it.
  explicit BlackBox(const Objective& f);

  void lift(Point&) override {}
  Evaluation gradient(const Point& p, std::span<double> g) override { return evaluate(p.x, g); }
  LineValue on(Line& line, double t) override;

 private:
  Evaluation evaluate(std::span<const double> x, std::span<double> g) const;

  const Objective& f_;
  double precision_;
};

}  // namespace geodescent
