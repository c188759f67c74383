// Both products with the data of a risk, as precise as in twice the precision. For data whose rows
// or columns differ by many powers of ten, where the plain products lose the small ones. They are
// several times slower, and the backward product runs on one thread. A gradient also makes the
// plain backward product, for its sums over rows, so two backward passes are counted.
#pragma once

#include <span>
#include <vector>

#include "base/product_sum.hpp"
#include "learn/risk/risk_problem.hpp"

namespace geodescent {

class RefinedProducts {
 public:
  explicit RefinedProducts(const RiskProblem& risk)
      : risk_(risk),
        sums_(risk.data.columns()),
        largest_intercept_(risk.free_intercept ? risk.sharper_largest_intercept() : 0) {}

  /// image_i = sign_i a_i.x.
  void forward(std::span<const double> x, std::span<double> image) const;
  /// A bound on the error of the mean loss due to images computed by `forward`, for these dual
  /// values.
  double loss_error(std::span<const double> image, std::span<const double> dual, double norm_x) const;

  /// g = 1/W sum_i c_i u_i sign_i a_i with c the weights of the rows. Returns a bound on the norm
  /// of its error.
  double backward(std::span<const double> dual, std::span<double> g);
  /// A bound on |b*| |1/W sum_i c_i u_i s_i|. s_i is the change of image i with a free intercept.
  double intercept_error(std::span<const double> dual) const;

 private:
  const RiskProblem& risk_;
  std::vector<ProductSum> sums_;
  double largest_intercept_;
};

}  // namespace geodescent
