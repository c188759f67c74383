// The evaluation of a risk during one run. Rows are processed in chunks that fit the first-level
// cache: first their losses, then sums over them.
#pragma once

#include <memory>
#include <optional>

#include "learn/epochs/dual_ascent.hpp"
#include "learn/linear/linear_oracle.hpp"
#include "learn/risk/intercept_search.hpp"
#include "learn/risk/loss_chunk.hpp"
#include "learn/risk/refined_products.hpp"
#include "learn/risk/risk_problem.hpp"
#include "optimize/oracles/dual_model.hpp"
#include "optimize/oracles/hessian_model.hpp"
#include "optimize/oracles/subspace_model.hpp"

namespace geodescent {

/// The free intercept found last, and its change along the current line.
class InterceptTrack {
 public:
  explicit InterceptTrack(double start) : b_(start) {}

  double last() const { return b_; }
  void found(double b) {
    b_ = b;
    line_ = nullptr;
  }
  /// The predicted intercept at step t of the line; the last one for an unknown line.
  double at(const Line& line, double t) const { return follows(line) ? b_ + (t - t_) * slope_ : b_; }
  /// Records the intercept b at step t of the line, and its derivative along it.
  void found(const Line& line, double t, double b, double slope) {
    b_ = b;
    line_ = &line;
    setting_ = line.setting();
    t_ = t;
    slope_ = slope;
  }

 private:
  bool follows(const Line& line) const { return line_ == &line && setting_ == line.setting(); }

  double b_;
  const Line* line_ = nullptr;  // compared, never dereferenced
  std::uint64_t setting_ = 0;
  double t_ = 0, slope_ = 0;
};

class RiskOracle final : public LinearOracle, private SubspaceModel, private HessianModel, private DualModel {
 public:
  /// The search for a free intercept starts at `expected_intercept`.
  RiskOracle(std::shared_ptr<const RiskProblem> problem, double expected_intercept);

  void lift(Point& p) override;
  Evaluation gradient(const Point& p, std::span<double> g) override;
  LineValue on(Line& line, double t) override;
  void arrive(const Line& line, double t) override;
  Vector intercepts() const override;
  bool refine() override;
  SubspaceModel* subspace() override { return this; }
  HessianModel* hessian() override {
    return is_by_rows() || (!problem_->data.alone() && facts().hessian_products == 0) ? nullptr : this;
  }
  DualModel* dual() override { return facts().dual_condition > 0 ? this : nullptr; }

 private:
  RiskOracle(std::shared_ptr<const RiskProblem> problem, double expected_intercept, std::unique_ptr<RowSpan> span);
  std::unique_ptr<Oracle> in_row_form(std::span<const double> x0) const override;

  void reduce(const Basis& basis, const Point& x, Reduced& out) override;
  bool needs_images_only() const override { return true; }
  void follow(const Line& line, const Reduced& at, std::span<const double> z) override;
  Hessian hessian_memory() const override;
  void hessian_at(const Point& p, double width, Hessian& out) override;
  void follow(const Line& line, const Hessian& at, std::span<const double> d) override;
  double image_change(const Line& line, double t) override;
  void begin_dual(std::span<const double> image) override;
  double dual_epoch() override { return ascent_->epoch(); }
  Evaluation dual_ball(std::span<double> linear) override;

  LineValue on_with_intercept(Line& line, double t);
  double search_intercept(const Images& at, bool confirm) const;
  template <std::size_t K, class Sum>
  std::array<double, K> sum_at_good_intercept(Images at, bool values, const Sum& sum);

  std::shared_ptr<const RiskProblem> problem_;
  std::unique_ptr<RefinedProducts> refined_;  // created by refine()
  std::unique_ptr<DualAscent> ascent_;        // created by begin_dual()
  Point ascent_point_;
  Vector dual_;
  InterceptTrack intercept_;
  double intercept_of_hessian_ = 0;
};

}  // namespace geodescent
