#include "learn/risk/refined_products.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "learn/risk/loss_chunk.hpp"

namespace geodescent {
namespace {

/// The rows of a risk, one at a time.
class RowReader {
 public:
  explicit RowReader(const RowMatrix& matrix) : matrix_(matrix) {}

  template <class Body>
  void for_each_entry(std::size_t row, const Body& body) {
    matrix_.copy_row(row, indices_, values_);
    for (std::size_t k = 0; k < indices_.size(); ++k) body(indices_[k], values_[k]);
  }

 private:
  const RowMatrix& matrix_;
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
};

/// add(i) for the rows of this process, after `sums` have come with the rows of the ranks before
/// it. All ranks get the sums of all rows.
template <class Add>
void add_in_order(const RowSpace& rows, std::span<ProductSum> sums, const Add& add) {
  constexpr std::size_t parts = 3;
  const RowRange share = rows.share();
  const auto add_rows = [&] {
    for (std::size_t i = share.begin; i < share.end; ++i) add(i);
  };
  if (rows.alone()) return add_rows();
  // A sum of rows may add to every column, so it begins when all columns have come.
  Vector numbers(parts * sums.size());
  rows.add_in_order(numbers, std::span<const std::size_t>{}, [&](std::size_t, std::size_t) {
    for (std::size_t j = 0; j < sums.size(); ++j)
      sums[j] = {numbers[parts * j], numbers[parts * j + 1], numbers[parts * j + 2]};
    add_rows();
    for (std::size_t j = 0; j < sums.size(); ++j) {
      numbers[parts * j] = sums[j].high();
      numbers[parts * j + 1] = sums[j].low();
      numbers[parts * j + 2] = sums[j].magnitude();
    }
  });
  for (std::size_t j = 0; j < sums.size(); ++j)
    sums[j] = {numbers[parts * j], numbers[parts * j + 1], numbers[parts * j + 2]};
}

double sign_of(const RiskOperator& data, std::size_t row) { return data.signs() ? data.sign(row) : 1; }

}  // namespace

void RefinedProducts::forward(std::span<const double> x, std::span<double> image) const {
  parallel::for_each(parallel::cut(risk_.data.rows(), 256), [&](std::size_t begin, std::size_t end) {
    RowReader rows(risk_.data.matrix());
    for (std::size_t i = begin; i < end; ++i) {
      ProductSum sum;
      std::size_t terms = 0;
      rows.for_each_entry(i, [&](std::uint32_t j, double value) {
        sum.add(value, x[j]);
        ++terms;
      });
      image[i] = sign_of(risk_.data, i) * sum.rounded(terms).value;
    }
  });
}

// An image z_i is wrong by at most d_i = eps |z_i| + e |a_i| |x|. Here e is the bound of
// ProductSum::lost per unit of the sum of magnitudes, which is at most |a_i| |x|. A loss is then
// wrong by at most u_i| d_i + L/2 d_i^2, and d_i^2 is at most twice the sum of the squares of its
// two parts. The mean of u_i| |a_i| is at most the product of their root mean squares.
double RefinedProducts::loss_error(std::span<const double> image, std::span<const double> dual, double norm_x) const {
  const auto sums = sum_chunks<3>(risk_, [&](LossChunk& rows, double* out) {
    const double* const c = rows.weight();
    out[0] = out[1] = out[2] = 0;
    for (std::size_t i = 0; i < rows.count; ++i) {
      const double z = image[rows.begin + i], u = dual[rows.begin + i];
      out[0] += c[i] * std::abs(u * z);
      out[1] += c[i] * z * z;
      out[2] += c[i] * u * u;
    }
  });
  const double w = risk_.data.total_weight(), unit = 0.51 * double_unit;
  const double depth = (static_cast<double>(risk_.data.whole().longest_row) + 2) * double_unit;
  const double lost = 1.01 * depth * depth * risk_.data.row_norm() * norm_x;  // the root mean square of e |a_i| |x|
  const double first = unit * sums[0] / w + lost * std::sqrt(sums[2] / w);
  const double second = risk_.loss->curvature_bound() * (unit * unit * sums[1] / w + lost * lost);
  return 1.01 * (first + second) + double_tiny;
}

double RefinedProducts::backward(std::span<const double> dual, std::span<double> g) {
  std::fill(sums_.begin(), sums_.end(), ProductSum{});
  RowReader reader(risk_.data.matrix());
  add_in_order(risk_.rows, sums_, [&](std::size_t i) {
    const Product factor = product_of(risk_.weight(i), sign_of(risk_.data, i) * dual[i]);
    reader.for_each_entry(i, [&](std::uint32_t j, double value) {
      sums_[j].add(factor.rounded, value);
      if (factor.rest != 0) sums_[j].add(factor.rest, value);
    });
  });
  const double w = risk_.data.total_weight();
  double squared = 0;
  for (std::size_t j = 0; j < g.size(); ++j) {
    const Approximation sum = sums_[j].rounded(2 * risk_.rows.rows());
    g[j] = sum.value / w;
    const double error = (sum.error + double_unit * std::abs(sum.value)) / w + double_tiny;
    squared += error * error + double_tiny;
  }
  return 1.01 * std::sqrt(squared);
}

double RefinedProducts::intercept_error(std::span<const double> dual) const {
  ProductSum sum;
  add_in_order(risk_.rows, {&sum, 1},
               [&](std::size_t i) { sum.add(risk_.weight(i), sign_of(risk_.data, i) * dual[i]); });
  const Approximation pull = sum.rounded(risk_.rows.rows());
  return 1.01 * largest_intercept_ * (std::abs(pull.value) + pull.error) / risk_.data.total_weight();
}

}  // namespace geodescent
