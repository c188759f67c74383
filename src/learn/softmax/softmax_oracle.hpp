// A softmax risk evaluated for one run. Beside RiskOracle it is an oracle of its own: the second
// derivatives of a row are a matrix and the intercepts a vector, which changes every sum over the
// rows.
#pragma once

#include <memory>

#include "learn/epochs/softmax_ascent.hpp"
#include "learn/linear/linear_oracle.hpp"
#include "learn/softmax/softmax_hessian.hpp"
#include "learn/softmax/softmax_intercepts.hpp"
#include "learn/softmax/softmax_problem.hpp"
#include "optimize/oracles/dual_model.hpp"
#include "optimize/oracles/hessian_model.hpp"
#include "optimize/oracles/subspace_model.hpp"

namespace geodescent {

class SoftmaxOracle final : public LinearOracle, private SubspaceModel, private HessianModel, private DualModel {
 public:
  /// The search for intercepts starts at `expected`, which is empty if there are none.
  SoftmaxOracle(std::shared_ptr<const SoftmaxProblem> problem, std::span<const double> expected);

  Evaluation gradient(const Point& p, std::span<double> g) override;
  LineValue on(Line& line, double t) override;
  void arrive(const Line& line, double t) override;
  /// With sum 0.
  Vector intercepts() const override;
  SubspaceModel* subspace() override { return this; }
  HessianModel* hessian() override {
    return is_by_rows() || (!problem_->data.alone() && facts().hessian_products == 0) ? nullptr : this;
  }
  DualModel* dual() override { return facts().dual_condition > 0 ? this : nullptr; }

 private:
  SoftmaxOracle(std::shared_ptr<const SoftmaxProblem> problem, std::span<const double> expected,
                std::unique_ptr<RowSpan> span);
  std::unique_ptr<Oracle> in_row_form(std::span<const double> x0) const override;

  void reduce(const Basis& basis, const Point& x, Reduced& out) override;
  bool needs_images_only() const override { return true; }
  void follow(const Line& line, const Reduced& at, std::span<const double> z) override;
  Hessian hessian_memory() const override { return softmax_hessian_memory(*problem_); }
  void hessian_at(const Point& p, double width, Hessian& out) override;
  void follow(const Line& line, const Hessian& at, std::span<const double> d) override;
  void begin_dual(std::span<const double> image) override;
  double dual_epoch() override;
  Evaluation dual_ball(std::span<double> linear) override;

  /// These images with their optimal intercepts, accurate enough for a Hessian.
  SoftmaxImages at_good_intercepts(const Point& p);

  std::shared_ptr<const SoftmaxProblem> problem_;
  SoftmaxIntercepts intercepts_;
  SoftmaxSums line_sums_;
  std::unique_ptr<SoftmaxAscent> ascent_;  // created by begin_dual()
  Point ascent_point_;
  Vector dual_, change_, bend_, kept_, sum_, scratch_;
};

}  // namespace geodescent
