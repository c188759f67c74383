// A softmax risk evaluated for one run. It is an oracle of its own beside RiskOracle: the second derivatives of a row
// are a matrix and the intercepts a vector, which changes every sum over the rows. The products with the data, the
// regulariser, the errors of lower models and the searches are the same.
#pragma once

#include <memory>

#include "learn/softmax/softmax_intercepts.hpp"
#include "learn/softmax/softmax_problem.hpp"
#include "optimize/search/subspace_model.hpp"

namespace geodescent {

class SoftmaxOracle final : public Oracle, private SubspaceModel {
 public:
  explicit SoftmaxOracle(std::shared_ptr<const SoftmaxProblem> problem);

  void lift(Point& p) override { problem_->data.forward(p.x, p.image); }
  Evaluation gradient(const Point& p, std::span<double> g) override;
  LineValue on(Line& line, double t) override;
  void arrive(const Line& line, double t) override;
  SubspaceModel* subspace() override { return this; }

  /// The optimal free intercepts at the point of the last gradient, with sum 0; empty if there are none.
  Vector intercepts() const;

 private:
  void reduce(const Basis& basis, const Point& x, Reduced& out) override;
  bool needs_images_only() const override { return true; }
  void follow(const Line& line, const Reduced& at, std::span<const double> z) override;

  std::shared_ptr<const SoftmaxProblem> problem_;
  SoftmaxIntercepts intercepts_;
  SoftmaxSums line_sums_;
  Vector buffers_, dual_, change_, bend_, sum_, scratch_;
};

}  // namespace geodescent
