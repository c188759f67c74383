// The oracle of a risk, as far as it does not depend on the loss: products with the data or, in row
// form, with the multipliers of rows, and the lower model that a dual point gives.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "geodescent/optimize/oracle.hpp"
#include "learn/linear/linear_problem.hpp"
#include "learn/linear/row_span.hpp"

namespace geodescent {

class LinearOracle : public Oracle {
 public:
  void lift(Point& p) override;
  void expand(std::span<const double> multipliers, std::span<double> x) final;
  std::unique_ptr<Oracle> row_form(std::span<const double> x0) final;
  unsigned on_any_rank(unsigned flags) final { return problem_.data.space().any(flags); }

 protected:
  /// The derived class owns the problem. `span`: null except in row form.
  LinearOracle(const LinearProblem& problem, const Facts& facts, std::unique_ptr<RowSpan>&& span);

  /// The facts that do not depend on the loss.
  static Facts facts_of(const LinearProblem& problem, const RowSpan* span);
  /// This oracle in row form.
  virtual std::unique_ptr<Oracle> in_row_form(std::span<const double> x0) const = 0;
  bool is_by_rows() const { return span_ != nullptr; }

  /// The loss part of the linear term for the dual values that `rows` writes, times their weights,
  /// and the sums that it returns (RiskOperator::backward). In row form g is not used.
  template <std::size_t K, class Rows>
  std::array<double, K> linear_term(std::span<double> g, const Rows& rows) {
    if (span_) return span_->linear_term<K>(rows);
    buffers_.resize(problem_.data.buffer_size());
    return problem_.data.backward<K>(g, buffers_, rows);
  }
  /// The last linear term as a vector of coefficients. Outside the row form that is g.
  std::span<const double> coefficients_of(std::span<const double> g) const { return span_ ? span_->expanded() : g; }

  /// Weighted sums over the rows, with u the dual values and z the image.
  struct DualSums {
    double losses, products;                         ///< phi(z), u z
    double product_sizes, dual_sizes, dual_squares;  ///< |u z|, |u|, u^2
  };
  /// Roundings in units of 2^-53: of a loss, and of a dual value with its factors.
  struct Roundings {
    double of_loss, of_dual;
  };
  /// What an error adds to the bounds of an evaluation.
  struct InterceptErrors {
    double offset = 0, value = 0;
  };
  struct ProductErrors {
    double linear, value;
  };
  /// Rounding of a sum over rows, relative to the sum of the magnitudes of its terms.
  double sum_error(double roundings_of_loss) const;
  /// The lower model of the dual values of the last `linear_term`, with bounds on all errors. Adds
  /// the regulariser to g. `refined`: the errors of products that have more digits than a double.
  Evaluation lower_model(const Point& p, std::span<double> g, const DualSums& sums, const Roundings& roundings,
                         const InterceptErrors& of_intercepts, const std::optional<ProductErrors>& refined = {});

 private:
  const LinearProblem& problem_;
  std::unique_ptr<RowSpan> span_;  // in row form
  Vector buffers_;                 // allocated by the first gradient, so that reading facts costs no memory
};

/// f at a vector of coefficients, by an oracle made for it.
Evaluation evaluate_at(Oracle& f, std::span<const double> coefficients, std::span<double> gradient);

}  // namespace geodescent
