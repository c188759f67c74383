// The operations of a regularised risk that do not depend on the loss.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geodescent/data/dataset.hpp"
#include "geodescent/data/row_matrix.hpp"
#include "geodescent/optimize/oracle.hpp"
#include "learn/linear/whole_matrix.hpp"
#include "matrix/column_parts.hpp"
#include "matrix/row_space.hpp"
#include "optimize/search/hessian.hpp"

namespace geodescent {

/// The linear part of a risk: both products with the data, in blocks on all threads, with rows
/// multiplied by their signs. Immutable; the caller owns the scratch memory of a backward pass.
///
/// With K outputs the coefficients are K vectors: K consecutive numbers for each column, and K for
/// each row of the image and of the slopes (RowMatrix::multi_forward). Rows then have no signs, and
/// `hessian` is for one output.
///
/// Where several ranks have the rows, images are those of the rows that are here, or those of all
/// rows: for the row form, whose vectors are images, which are shorter there than vectors of
/// coefficients.
class RiskOperator {
 public:
  /// The number of rows that are processed together: they fit the first-level cache with their
  /// results.
  static constexpr std::size_t chunk = 512;
  static constexpr std::size_t most_totals = 8;  ///< sums that a backward pass can make beside its vector

  RiskOperator(const Dataset& data, std::vector<std::int8_t> signs, std::size_t outputs = 1);
  /// Whether the row form needs images of all rows.
  bool needs_all_images() const { return !alone() && !images_of_all_ && whole_.rows < columns(); }
  /// The same rows, with images of the rows of all ranks; these are their signs.
  RiskOperator with_images_of_all_rows(std::vector<std::int8_t> signs) const;

  std::size_t rows() const { return images_of_all_ ? whole_.rows : matrix_->rows(); }  ///< of an image
  bool alone() const { return space_.alone(); }                                        ///< all rows are here
  const RowSpace& space() const { return space_; }                                     ///< of the rows of the matrix
  /// Of numbers for the rows of an image, those of the rows of the matrix.
  std::span<const double> of_rows_here(std::span<const double> numbers) const {
    return images_of_all_ ? numbers.subspan(space_.first() * outputs_, matrix_->rows() * outputs_) : numbers;
  }
  std::size_t outputs() const { return outputs_; }  ///< at most `chunk`
  const WholeMatrix& whole() const { return whole_; }
  double total_weight() const { return whole_.total_weight; }
  double sign(std::size_t i) const { return signs_[i]; }
  const std::int8_t* signs() const { return signs_.empty() ? nullptr : signs_.data(); }  ///< null: all are +1
  std::size_t columns() const { return matrix_->columns(); }
  const RowMatrix& matrix() const { return *matrix_; }
  const std::shared_ptr<const RowMatrix>& shared_matrix() const { return matrix_; }
  Facts facts() const;
  /// The number of doubles that a backward pass needs besides its result.
  std::size_t buffer_size() const {
    if (parts_) return outputs_ * matrix_->rows();
    return outputs_ * local_blocks_.count * columns() + (alone() ? 0 : most_totals + outputs_ * columns());
  }

  /// image_i = sign_i a_i.x.
  void forward(std::span<const double> x, std::span<double> image) const;

  /// g = 1/W sum_i s_i sign_i a_i, with W the total weight of the rows. slopes(begin, end, s)
  /// writes s_begin .. s_end and returns sums over these rows; the function returns the total of
  /// these sums. So losses are evaluated while their rows are in the cache.
  template <std::size_t K, class Slopes>
  std::array<double, K> backward(std::span<double> g, std::span<double> buffers, Slopes&& slopes) const {
    static_assert(K <= most_totals);
    if (parts_) {
      const auto total = space_.sum<K>([&](std::size_t begin, std::size_t end) {
        parallel::Sums<K> sum{};
        for (std::size_t i = begin; i < end; i += chunk / outputs_) {
          const std::size_t stop = std::min(end, i + chunk / outputs_);
          sum += slopes(i, stop, buffers.subspan(i * outputs_, (stop - i) * outputs_));
        }
        return sum;
      });
      add_parts(buffers, g, total_weight());
      return total;
    }
    const auto each_chunk = [&](std::size_t begin, std::size_t end, const auto& add) {
      std::array<double, chunk> s;
      parallel::Sums<K> sum{};
      for (std::size_t i = begin; i < end; i += chunk / outputs_) {
        const std::size_t stop = std::min(end, i + chunk / outputs_);
        const std::span<double> of_rows = std::span<double>(s).first((stop - i) * outputs_);
        sum += slopes(i, stop, of_rows);
        add(i, stop, of_rows);
      }
      return sum;
    };
    const auto add_block = [&](std::size_t begin, std::size_t end) {
      const std::span<double> buffer = cleared_buffer(buffers, local_blocks_.index(begin));
      return each_chunk(begin, end, [&](std::size_t i, std::size_t stop, std::span<double> of_rows) {
        backward_rows(i, stop, of_rows, buffer);
      });
    };
    const auto evaluate_only = [&](std::size_t begin, std::size_t end) { each_chunk(begin, end, [](auto&&...) {}); };
    std::array<double, K * most_backward_blocks> of_blocks;
    parallel::for_each(local_blocks_, [&](std::size_t begin, std::size_t end) {
      const parallel::Sums<K> sum = add_block(begin, end);
      std::copy_n(sum.of.data(), K, of_blocks.data() + local_blocks_.index(begin) * K);
    });
    space_.for_other_rows(backward_blocks_, evaluate_only);
    std::array<double, K> total{};
    add_buffers(buffers, g, total_weight(), of_blocks, total);
    return total;
  }

  /// x = sum_i r_i sign_i a_i.
  void combine_rows(std::span<const double> r, std::span<double> x, std::span<double> buffers) const;

  /// h.matrix = 1/W sum_i h.curvatures_i a_i a_i' + lambda I. With `free_intercept` it is the
  /// Hessian of min_b f(w, b), where b times the sign of a row is added to its image.
  void hessian(double lambda, bool free_intercept, Hessian& h) const;
  Hessian hessian_memory(bool free_intercept) const;

  /// Depths of additions, for bounds on rounding in units of 2^-53.
  double forward_depth() const;   ///< of one entry of the image
  double backward_depth() const;  ///< of one entry of the gradient
  double sum_depth() const;       ///< of a sum over rows
  /// sqrt of the (weighted) mean of |a_i|^2.
  double row_norm() const { return whole_.row_norm; }

 private:
  RiskOperator(const Dataset& data, std::vector<std::int8_t> signs, const RowSpace& rows, std::size_t outputs);
  std::span<double> cleared_buffer(std::span<double> buffers, std::size_t block) const;
  void backward_rows(std::size_t begin, std::size_t end, std::span<double> slopes, std::span<double> buffer) const;
  /// g = the sum of the buffers of all blocks, divided; totals = the sum of other numbers of all
  /// blocks. One round.
  void add_buffers(std::span<double> buffers, std::span<double> g, double divisor,
                   std::span<const double> of_blocks = {}, std::span<double> totals = {}) const;
  const std::int8_t* signs_here() const { return signs_.data() + (images_of_all_ ? space_.first() : 0); }
  /// g = 1/divisor sum_i s_i sign_i a_i by ColumnParts. Multiplies s by the signs.
  void add_parts(std::span<double> s, std::span<double> g, double divisor) const;
  double sum_of_curvatures(const Hessian& h) const;
  double add_hessians_of_ranks(const parallel::Blocks& blocks, bool free_intercept, Hessian& h) const;
  void eliminate_intercept(double curvature, Hessian& h) const;

  std::shared_ptr<const RowMatrix> matrix_;
  std::size_t outputs_;
  std::vector<std::int8_t> signs_;  // of the rows of an image; empty: all +1
  WholeMatrix whole_;
  parallel::Blocks forward_blocks_;   // of the rows here
  parallel::Blocks backward_blocks_;  // of all rows
  parallel::Blocks local_blocks_;     // of these the ones that are summed here
  RowSpace space_;                    // of the rows of the matrix
  bool images_of_all_ = false;
  bool has_hessian_ = false;
  std::shared_ptr<const ColumnParts> parts_;  // null if blocks of rows are faster
};

}  // namespace geodescent
