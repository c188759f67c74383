// Both products with the data of a risk, as precise as if they were made with twice the digits. Several times slower,
// and the backward one runs on one thread. A gradient makes the plain backward product, too, for its sums over the
// rows: two backward passes are counted. For data whose rows or columns differ by many powers of ten: there the plain
// products lose the small ones.
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
  /// A bound on the error of the mean loss that comes from images made by `forward`, for these dual values.
  double loss_error(std::span<const double> image, std::span<const double> dual, double norm_x) const;

  /// g = 1/W sum_i c_i u_i sign_i a_i with c the weights of the rows. Returns a bound on the length of its error.
  double backward(std::span<const double> dual, std::span<double> g);
  /// A bound on |b*| times |1/W sum_i c_i u_i s_i|, with s how a free intercept moves the images.
  double intercept_error(std::span<const double> dual) const;

 private:
  const RiskProblem& risk_;
  std::vector<ProductSum> sums_;
  double largest_intercept_;
};

}  // namespace geodescent
