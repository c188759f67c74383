// Regularised empirical risk, the objective of the paper's experiments (section 4.1):
//     f(w) = 1/n sum_i phi(a_i.w, y_i) + lambda/2 |w|^2,
// or, where rows have weights, their weighted mean; and with a free intercept F(w) = min_b f(w, b).
// Its image is the vector of margins (y_i a_i.w for classification) or predictions (a_i.w for regression).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "geodescent/data/dataset.hpp"
#include "geodescent/detail/intercept_search.hpp"
#include "geodescent/detail/risk_operator.hpp"
#include "geodescent/detail/row_loss.hpp"
#include "geodescent/detail/row_span.hpp"
#include "geodescent/learn/loss.hpp"
#include "geodescent/learn/losses.hpp"
#include "geodescent/optimize/objective.hpp"

namespace geodescent {

/// +1 for rows of the positive class, -1 for the others. Throws InputError when there are not two classes.
std::vector<std::int8_t> signs_of_classes(const Dataset& data);
/// Throws std::invalid_argument unless lambda is positive and finite.
void require_positive_regularization(double lambda);

/// A regularised risk, whatever its loss.
/// With Bias::free the function is F(w) = min_b f(w, b), as strongly convex as f is in w: the intercept is found anew
/// wherever F is asked for, from the image alone. (With Bias::regularized it is a feature of the data.)
class LinearRisk : public Objective {
 public:
  std::size_t dimension() const override { return span_ ? span_->size() : operator_.columns(); }
  std::size_t image_size() const override { return span_ ? span_->size() : operator_.rows(); }
  std::size_t columns() const override { return operator_.columns(); }
  std::size_t dual_size() const override { return operator_.rows(); }
  double strong_convexity() const override { return lambda_; }
  double trivial_bound() const override { return 0; }  // losses are not negative
  Cost cost() const override;
  InnerProduct product() const override { return span_ ? span_->product() : InnerProduct{}; }
  std::unique_ptr<Objective> by_rows(std::span<const double> x0) const override;
  void expand(std::span<const double> multipliers, std::span<double> x) const override;

  void lift(Point& p) const override;
  Evaluation gradient(const Point& p, std::span<double> g) const override;
  LineValue on(Line& line, double t) const override;
  bool reduce(const Basis& basis, const Point& x, Reduced& out) const override;
  bool needs_images_only() const override { return true; }
  Hessian hessian_memory() const override { return operator_.hessian_memory(free_intercept_); }
  void hessian(const Point& p, double width, Hessian& out) const override;
  /// Where all rows move and the intercept moves them back, the losses do not notice.
  double image_change(const Line& line, double t) const override;

  /// An upper bound on beta that costs nothing: the largest eigenvalue of A'A/n is at most the mean of |a_i|^2.
  virtual double smoothness_bound() const = 0;

  /// The best intercept at a lifted point; 0 when there is none.
  double intercept(const Point& p) const;
  /// Where to look for it first, at a point where it has not been looked for yet. To be said before a run.
  void expect_intercept(double b) { expected_intercept_ = b; }

 protected:
  LinearRisk(const Dataset& data, double lambda, Task task, Bias bias);
  /// The last thing that a constructor calls: it evaluates losses.
  void find_largest_intercept();
  double row_norm() const { return operator_.row_norm(); }

 private:
  /// The second derivative of the loss is continuous.
  virtual bool curvature_is_smooth() const = 0;
  /// Of n rows with the images z: values, slopes and curvatures. y: their targets, null for classification.
  virtual void evaluate(const double* z, const double* y, std::size_t n, const LossArrays& to) const = 0;
  virtual std::unique_ptr<LinearRisk> copy() const = 0;

  struct Images;
  class Chunk;
  template <std::size_t K, class Sum>
  std::array<double, K> sum_rows(const Images& at, bool values, const Sum& sum) const;
  double best_at_zero();
  double best_at_zero(double positive);
  /// Unconfirmed: the last step of Newton's is believed to lead there.
  double best_intercept(InterceptSearch search, Images at, bool unconfirmed = false) const;
  double intercept(const Point& p, bool unconfirmed) const;
  /// One that does where the intercept's error is of no consequence: a Hessian, a direction.
  double good_intercept(const Point& p) const;
  LineValue on_with_intercept(Line& line, double t) const;
  LossValue loss_at(double z, double y) const;
  /// With a free intercept: how it moves the entries of the image.
  std::span<const std::int8_t> shift() const;
  double first_guess(double hint) const { return hint != 0 ? hint : expected_intercept_; }

  Task task_;
  double lambda_;
  RiskOperator operator_;
  Vector targets_;  // of a regression
  Vector weights_;  // empty: all 1
  bool free_intercept_;
  double largest_intercept_ = 0;   // |b*| is at most this
  double expected_intercept_ = 0;  // that of a model without features, unless told otherwise
  std::vector<std::int8_t> ones_;  // of a regression with a free intercept
  std::optional<RowSpan> span_;    // by rows
  mutable Vector slopes_;
};

template <Loss L>
class RegularizedRisk final : public LinearRisk {
 public:
  /// Classification: the two labels of `data` become -1 and +1 (InputError when there are not two).
  RegularizedRisk(const Dataset& data, double lambda, L loss = {}, Bias bias = Bias::none)
      : LinearRisk(data, lambda, L::task, bias), loss_(loss) {
    find_largest_intercept();
  }

  const L& loss() const { return loss_.loss(); }
  double smoothness_bound() const override {
    return loss_.curvature_bound() * row_norm() * row_norm() + strong_convexity();
  }

 private:
  void evaluate(const double* z, const double* y, std::size_t n, const LossArrays& to) const override {
    loss_.evaluate(z, y, n, to);
  }
  bool curvature_is_smooth() const override { return loss_.curvature_is_smooth(); }

  std::unique_ptr<LinearRisk> copy() const override { return std::make_unique<RegularizedRisk>(*this); }

  RowLossOf<L> loss_;
};

/// The risk with a loss of the library's table. No parameter: the default of the loss. Throws std::invalid_argument for
/// an unknown name or a parameter that the loss cannot have, InputError for data that do not fit the loss.
std::unique_ptr<LinearRisk> make_risk(std::string_view loss, const Dataset& data, double lambda,
                                      std::optional<double> loss_parameter = {}, Bias bias = Bias::none);

}  // namespace geodescent
