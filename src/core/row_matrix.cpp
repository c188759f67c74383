// The two products with the data matrix. Row sums use several accumulators, so that additions do not wait for each
// other, and combine them in one fixed order, so that a row's product has the same bits in every run.
#include "geodescent/row_matrix.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace geodescent {
namespace {

constexpr std::size_t gram_tile = 32;

double sparse_dot(const std::uint32_t* indices, const double* values, std::size_t count, const double* x) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    s0 += values[k] * x[indices[k]];
    s1 += values[k + 1] * x[indices[k + 1]];
    s2 += values[k + 2] * x[indices[k + 2]];
    s3 += values[k + 3] * x[indices[k + 3]];
  }
  double rest = 0;
  for (; k < count; ++k) rest += values[k] * x[indices[k]];
  return ((s0 + s1) + (s2 + s3)) + rest;
}

double dense_dot(const double* a, const double* x, std::size_t count) {
  std::array<double, 8> s{};
  std::size_t k = 0;
  for (; k + 8 <= count; k += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) s[lane] += a[k + lane] * x[k + lane];
  }
  double rest = 0;
  for (; k < count; ++k) rest += a[k] * x[k];
  return (((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))) + rest;
}

}  // namespace

SparseRows::SparseRows(std::vector<std::uint64_t> offsets, std::vector<std::uint32_t> indices,
                       std::vector<double> values, std::size_t columns)
    : offsets_(std::move(offsets)), indices_(std::move(indices)), values_(std::move(values)), columns_(columns) {
  // A wrong index would read or write foreign memory in every pass, so it is looked for once, here.
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(!offsets_.empty() && offsets_.front() == 0 && offsets_.back() == values_.size() &&
              indices_.size() == values_.size(),
          "the offsets of sparse rows must begin at 0 and end at the number of entries");
  require(std::is_sorted(offsets_.begin(), offsets_.end()), "the offsets of sparse rows must not decrease");
  for (std::size_t i = 0; i < rows(); ++i) {
    double row_sum = 0;
    for (std::uint64_t k = offsets_[i]; k < offsets_[i + 1]; ++k) {
      require(k == offsets_[i] || indices_[k - 1] < indices_[k], "the indices of a sparse row must increase");
      row_sum += std::abs(values_[k]);
    }
    require(offsets_[i] == offsets_[i + 1] || indices_[offsets_[i + 1] - 1] < columns_,
            "an index of a sparse row is beyond the number of columns");
    const std::size_t length = offsets_[i + 1] - offsets_[i];
    longest_row_ = std::max(longest_row_, length);
    gram_products_ += 0.5 * static_cast<double>(length) * static_cast<double>(length + 1);
    largest_row_sum_ = std::max(largest_row_sum_, row_sum);
  }
  squared_norm_ = dense_dot(values_.data(), values_.data(), values_.size());
}

void SparseRows::forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const {
  assert(begin <= end && end <= rows() && x.size() == columns_ && out.size() >= end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t first = offsets_[i];
    out[i - begin] = sparse_dot(indices_.data() + first, values_.data() + first, offsets_[i + 1] - first, x.data());
  }
}

void SparseRows::backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                          std::span<double> sum) const {
  assert(begin <= end && end <= rows() && weight.size() >= end - begin && sum.size() == columns_);
  const std::uint32_t* const indices = indices_.data();
  const double* const values = values_.data();
  double* const out = sum.data();
  for (std::size_t i = begin; i < end; ++i) {
    const double w = weight[i - begin];
    const std::uint64_t last = offsets_[i + 1];
    for (std::uint64_t k = offsets_[i]; k < last; ++k) out[indices[k]] += w * values[k];
  }
}

void SparseRows::add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                          std::span<double>) const {
  assert(begin <= end && end <= rows() && weight.size() >= end - begin && sum.size() == columns_ * columns_);
  for (std::size_t i = begin; i < end; ++i) {
    if (weight[i - begin] == 0) continue;  // most rows, with a hinge
    const std::uint64_t last = offsets_[i + 1];
    for (std::uint64_t j = offsets_[i]; j < last; ++j) {
      const double w = weight[i - begin] * values_[j];
      double* const column = sum.data() + indices_[j] * columns_;
      for (std::uint64_t k = j; k < last; ++k) column[indices_[k]] += w * values_[k];
    }
  }
}

std::span<const std::uint32_t> SparseRows::indices(std::size_t row) const {
  assert(row < rows());
  return std::span(indices_).subspan(offsets_[row], offsets_[row + 1] - offsets_[row]);
}

std::span<const double> SparseRows::values(std::size_t row) const {
  assert(row < rows());
  return std::span(values_).subspan(offsets_[row], offsets_[row + 1] - offsets_[row]);
}

DenseRows::DenseRows(Vector entries, std::size_t columns)
    : entries_(std::move(entries)), rows_(columns == 0 ? 0 : entries_.size() / columns), columns_(columns) {
  if (entries_.size() != rows_ * columns_) throw std::invalid_argument("dense rows must all have the same length");
  for (std::size_t i = 0; i < rows_; ++i) {
    double row_sum = 0;
    for (const double v : row(i)) row_sum += std::abs(v);
    largest_row_sum_ = std::max(largest_row_sum_, row_sum);
  }
  squared_norm_ = dense_dot(entries_.data(), entries_.data(), entries_.size());
}

void DenseRows::forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const {
  assert(begin <= end && end <= rows_ && x.size() == columns_ && out.size() >= end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    out[i - begin] = dense_dot(entries_.data() + i * columns_, x.data(), columns_);
  }
}

void DenseRows::backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                         std::span<double> sum) const {
  assert(begin <= end && end <= rows_ && weight.size() >= end - begin && sum.size() == columns_);
  double* const out = sum.data();
  for (std::size_t i = begin; i < end; ++i) {
    const double w = weight[i - begin];
    const double* const a = entries_.data() + i * columns_;
    for (std::size_t j = 0; j < columns_; ++j) out[j] += w * a[j];
  }
}

// Rows are gathered until a matrix product pays.
void DenseRows::add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                         std::span<double> scratch) const {
  assert(begin <= end && end <= rows_ && weight.size() >= end - begin && sum.size() == columns_ * columns_);
  const auto d = static_cast<Eigen::Index>(columns_);
  Eigen::Map<Eigen::MatrixXd> total(sum.data(), d, d);
  Eigen::Map<Eigen::MatrixXd> gathered(scratch.data(), d, static_cast<Eigen::Index>(gram_tile));
  Eigen::Index count = 0;
  const auto flush = [&] {
    total.selfadjointView<Eigen::Lower>().rankUpdate(gathered.leftCols(count));
    count = 0;
  };
  for (std::size_t i = begin; i < end; ++i) {
    if (weight[i - begin] == 0) continue;
    gathered.col(count) = std::sqrt(weight[i - begin]) * Eigen::Map<const Eigen::VectorXd>(row(i).data(), d);
    if (++count == gathered.cols()) flush();
  }
  if (count > 0) flush();
}

std::size_t DenseRows::gram_scratch() const { return gram_tile * columns_; }

double DenseRows::gram_products() const {
  const double d = static_cast<double>(columns_);
  return 0.5 * static_cast<double>(rows_) * d * (d + 1);
}

std::span<const double> DenseRows::row(std::size_t i) const {
  assert(i < rows_);
  return std::span(entries_).subspan(i * columns_, columns_);
}

void SparseRows::copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const {
  indices.clear();
  values.clear();
  for (std::uint64_t k = offsets_[i]; k < offsets_[i + 1]; ++k) {
    if (values_[k] == 0) continue;
    indices.push_back(indices_[k]);
    values.push_back(values_[k]);
  }
}

void DenseRows::copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const {
  indices.clear();
  values.clear();
  const std::span<const double> entries = row(i);
  for (std::size_t j = 0; j < entries.size(); ++j) {
    if (entries[j] == 0) continue;
    indices.push_back(static_cast<std::uint32_t>(j));
    values.push_back(entries[j]);
  }
}

std::shared_ptr<const RowMatrix> in_best_form(SparseRows rows) {
  // Divided rather than multiplied: rows * columns may not fit 64 bits.
  const bool half_full = rows.columns() > 0 && rows.rows() > 0 && 2 * rows.nonzeros() / rows.rows() >= rows.columns();
  if (!half_full) return std::make_shared<const SparseRows>(std::move(rows));
  Vector entries(rows.rows() * rows.columns(), 0.0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    double* const row = entries.data() + i * rows.columns();
    const auto indices = rows.indices(i);
    const auto values = rows.values(i);
    for (std::size_t k = 0; k < indices.size(); ++k) row[indices[k]] = values[k];
  }
  return std::make_shared<const DenseRows>(std::move(entries), rows.columns());
}

}  // namespace geodescent
