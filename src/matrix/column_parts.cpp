#include "matrix/column_parts.hpp"

#include <algorithm>
#include <cassert>

#include "base/parallel.hpp"
#include "geodescent/threads.hpp"
#include "kernels/kernels.hpp"
#include "matrix/sparse_view.hpp"

namespace geodescent {
namespace {

/// A part for each thread: with more of them the loops over the entries of a row are shorter.
constexpr std::size_t most_parts = 8;
/// With more entries for each column, blocks of rows pay.
constexpr std::size_t entries_per_column = 128;
/// With fewer entries, a product takes no longer than to wake a thread and to look up the rows.
constexpr std::size_t fewest_entries = std::size_t{1} << 20;
/// Rows whose columns show where the entries lie.
constexpr std::size_t sampled_rows = 1024;

/// First columns of parts with about as many entries each.
template <class Index>
std::vector<std::size_t> equal_parts(const SparseArrays& arrays, const Index* indices, std::size_t parts) {
  const std::size_t rows = arrays.offsets.size() - 1;
  std::vector<Index> sample;
  for (std::size_t k = 0; k < std::min(rows, sampled_rows); ++k) {
    const std::size_t row = k * rows / std::min(rows, sampled_rows);
    sample.insert(sample.end(), indices + arrays.offsets[row], indices + arrays.offsets[row + 1]);
  }
  std::sort(sample.begin(), sample.end());
  std::vector<std::size_t> columns{0};
  for (std::size_t part = 1; part < parts; ++part)
    columns.push_back(sample.empty() ? 0 : sample[part * sample.size() / parts]);
  columns.push_back(arrays.columns);
  return columns;
}

std::size_t parts_for_threads() { return std::clamp<std::size_t>(static_cast<std::size_t>(threads()), 1, most_parts); }

/// Null where blocks of rows are better. Does not ask for the number of threads, so that bits do not depend on it.
const SparseRows* wide_rows(const RowMatrix& matrix) {
  const auto* const sparse = dynamic_cast<const SparseRows*>(&matrix);
  const bool is_wide =
      sparse && sparse->nonzeros() >= fewest_entries && sparse->nonzeros() / sparse->columns() < entries_per_column;
  return is_wide ? sparse : nullptr;
}

}  // namespace

std::unique_ptr<const ColumnParts> ColumnParts::of(std::shared_ptr<const RowMatrix> matrix) {
  const SparseRows* const sparse = wide_rows(*matrix);
  if (!sparse) return nullptr;
  return std::unique_ptr<const ColumnParts>(new ColumnParts(std::move(matrix), sparse->arrays()));
}

double ColumnParts::planned_bytes(const RowMatrix& matrix) {
  if (!wide_rows(matrix)) return 0;
  return static_cast<double>(sizeof(std::uint64_t) * (parts_for_threads() - 1) * matrix.rows());
}

ColumnParts::ColumnParts(std::shared_ptr<const RowMatrix> matrix, const SparseArrays& arrays)
    : matrix_(std::move(matrix)), arrays_(arrays) {
  const std::size_t parts = parts_for_threads();
  borders_.resize((parts - 1) * matrix_->rows());
  std::visit(
      [&](const auto& indices) {
        columns_ = equal_parts(arrays_, indices.data(), parts);
        parallel::for_each(parallel::cut(matrix_->rows()), [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const auto* from = indices.data() + arrays_.offsets[i];
            const auto* const last = indices.data() + arrays_.offsets[i + 1];
            for (std::size_t part = 1; part < parts; ++part) {
              from = std::lower_bound(from, last, columns_[part]);
              borders_[(part - 1) * matrix_->rows() + i] = static_cast<std::uint64_t>(from - indices.data());
            }
          }
        });
      },
      arrays_.indices);
}

void ColumnParts::backward(std::span<const double> weight, std::span<double> sum) const {
  assert(weight.size() == matrix_->rows() && sum.size() == matrix_->columns());
  const auto product = kernels().sparse_backward[arrays_.indices.index()];
  const std::size_t n = matrix_->rows(), parts = columns_.size() - 1;
  parallel::for_each({parts, 1, parts}, [&](std::size_t part, std::size_t) {
    const bool is_last = part + 1 == parts;
    std::fill(sum.begin() + static_cast<std::ptrdiff_t>(columns_[part]),
              is_last ? sum.end() : sum.begin() + static_cast<std::ptrdiff_t>(columns_[part + 1]), 0.0);
    SparseView rows = sparse_view(arrays_, 0);
    if (part > 0) rows.offsets = borders_.data() + (part - 1) * n;
    if (!is_last) {
      rows.ends = borders_.data() + part * n;
      rows.constant = 0;  // its column is the last
    }
    product(rows, n, weight.data(), sum.data());
  });
}

}  // namespace geodescent
