#include "matrix/column_parts.hpp"

#include <algorithm>
#include <cassert>

#include "base/parallel.hpp"
#include "geodescent/threads.hpp"
#include "matrix/sparse_view.hpp"

namespace geodescent {
namespace {

/// One part for each thread, up to this number: more parts make the loops over the entries of a row
/// short.
constexpr std::size_t most_parts = 8;
/// Over ranks there are as many for each rank, so that few ranks wait for the first and the last
/// part, up to this number in all.
constexpr std::size_t parts_of_a_rank = 2, most_parts_of_ranks = 16;
/// With more entries per column, blocks of rows are faster.
constexpr std::size_t entries_per_column = 128;
/// With fewer entries, a product takes no longer than waking a thread and looking up the rows.
constexpr std::size_t fewest_entries = std::size_t{1} << 20;
/// Number of rows whose columns are sampled to place the parts.
constexpr std::size_t sampled_rows = 256;

/// The first column of each part, chosen so that the parts have about equally many entries.
template <class Index>
std::vector<std::size_t> equal_parts(const SparseArrays& arrays, const Index* indices, std::size_t parts) {
  const std::size_t rows = arrays.offsets.size() - 1;
  std::vector<Index> sample;
  for (std::size_t k = 0; k < std::min(rows, sampled_rows); ++k) {
    const std::size_t row = k * rows / std::min(rows, sampled_rows);
    sample.insert(sample.end(), indices + arrays.offsets[row], indices + arrays.offsets[row + 1]);
  }
  std::vector<std::size_t> columns{0};
  for (std::size_t part = 1; part < parts; ++part) {
    const auto at = sample.begin() + static_cast<std::ptrdiff_t>(part * sample.size() / parts);
    std::nth_element(sample.begin(), at, sample.end());
    columns.push_back(at == sample.end() ? 0 : *at);
  }
  columns.push_back(arrays.columns);
  return columns;
}

std::vector<std::size_t> equal_parts(const SparseArrays& arrays, std::size_t parts) {
  return std::visit([&](const auto& indices) { return equal_parts(arrays, indices.data(), parts); }, arrays.indices);
}

/// `parts`, or one for each thread.
std::size_t number_of_parts(std::size_t parts) {
  return parts > 0 ? parts : std::clamp<std::size_t>(static_cast<std::size_t>(threads()), 1, most_parts);
}

/// Null where blocks of rows are faster. Does not depend on the number of threads, so that results
/// do not.
const SparseRows* wide_rows(const RowMatrix& matrix) {
  const auto* const sparse = dynamic_cast<const SparseRows*>(&matrix);
  return sparse && ColumnParts::are_faster(sparse->nonzeros(), sparse->columns()) ? sparse : nullptr;
}

}  // namespace

bool ColumnParts::are_faster(std::size_t nonzeros, std::size_t columns) {
  return nonzeros >= fewest_entries && nonzeros / columns < entries_per_column;
}

std::unique_ptr<const ColumnParts> ColumnParts::of(std::shared_ptr<const RowMatrix> matrix, std::size_t parts) {
  const SparseRows* const sparse = wide_rows(*matrix);
  if (!sparse) return nullptr;
  return std::unique_ptr<const ColumnParts>(
      new ColumnParts(std::move(matrix), sparse->arrays(), equal_parts(sparse->arrays(), number_of_parts(parts))));
}

std::unique_ptr<const ColumnParts> ColumnParts::of_ranks(std::shared_ptr<const RowMatrix> matrix, std::size_t nonzeros,
                                                         const RowSpace& rows) {
  const auto* const sparse = dynamic_cast<const SparseRows*>(matrix.get());
  if (!sparse || !are_faster(nonzeros, sparse->columns())) return nullptr;
  // What the first rank chooses: the parts, and how many are added to at once. The result does not
  // depend on it.
  const std::size_t wanted =
      std::min(number_of_parts(0) * parts_of_a_rank * rows.ranks()->ranks(), most_parts_of_ranks);
  const std::vector<std::size_t> columns = equal_parts(sparse->arrays(), wanted);
  std::vector<double> all(columns.begin(), columns.end());
  all.resize(most_parts_of_ranks + 1, all.back());
  all.push_back(static_cast<double>(number_of_parts(0)));
  rows.take_from_first(all);
  const auto at_once = static_cast<std::size_t>(all.back());
  all.pop_back();
  while (all[all.size() - 2] == all.back()) all.pop_back();
  std::unique_ptr<ColumnParts> parts(new ColumnParts(std::move(matrix), sparse->arrays(), {all.begin(), all.end()}));
  parts->at_once_ = at_once;
  return parts;
}

double ColumnParts::planned_bytes(const RowMatrix& matrix, std::size_t parts) {
  if (!wide_rows(matrix)) return 0;
  return static_cast<double>(sizeof(std::uint64_t) * (number_of_parts(parts) - 1) * matrix.rows());
}

ColumnParts::ColumnParts(std::shared_ptr<const RowMatrix> matrix, const SparseArrays& arrays,
                         std::vector<std::size_t> columns)
    : matrix_(std::move(matrix)), arrays_(arrays), columns_(std::move(columns)) {
  const std::size_t parts = count();
  borders_.resize((parts - 1) * matrix_->rows());
  std::visit(
      [&](const auto& indices) {
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

/// The entries of this part in the rows from `row` on.
SparseView ColumnParts::view(std::size_t part, std::size_t row) const {
  const std::size_t n = matrix_->rows();
  SparseView rows = sparse_view(arrays_, row);
  if (part > 0) rows.offsets = borders_.data() + (part - 1) * n + row;
  if (part + 1 < count()) {
    rows.ends = borders_.data() + part * n + row;
    rows.constant = 0;  // the constant column belongs to the last part
  }
  return rows;
}

void ColumnParts::forward_part(std::size_t part, std::size_t begin, std::size_t end, std::span<const double> x,
                               std::span<double> out) const {
  assert(begin <= end && end <= matrix_->rows() && x.size() == matrix_->columns() && out.size() >= end - begin);
  kernels().sparse_forward[arrays_.indices.index()](view(part, begin), end - begin, x.data(), out.data());
}

void ColumnParts::add_part(std::size_t part, std::size_t begin, std::size_t end, std::span<const double> weight,
                           std::span<double> sum) const {
  assert(begin <= end && end <= matrix_->rows() && sum.size() == matrix_->columns() && weight.size() >= end - begin);
  kernels().sparse_backward[arrays_.indices.index()](view(part, begin), end - begin, weight.data(), sum.data());
}

void ColumnParts::backward(std::span<const double> weight, std::span<double> sum, std::size_t outputs) const {
  assert(weight.size() == matrix_->rows() * outputs && sum.size() == matrix_->columns() * outputs);
  parallel::for_each({count(), 1, count()}, [&](std::size_t part, std::size_t) {
    const std::size_t first = columns_[part] * outputs;  // the last part has the constant column, too
    const std::size_t end = part + 1 < count() ? columns_[part + 1] * outputs : sum.size();
    std::fill(sum.begin() + static_cast<std::ptrdiff_t>(first), sum.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    add_part(part, {0, matrix_->rows()}, weight, sum, outputs);
  });
}

void ColumnParts::backward(const RowSpace& rows, std::span<const double> weight, std::span<double> sum,
                           std::size_t outputs) const {
  if (rows.alone()) return backward(weight, sum, outputs);
  std::fill(sum.begin(), sum.end(), 0.0);
  std::vector<std::size_t> borders;
  for (std::size_t part = at_once_; part < count(); part += at_once_) borders.push_back(columns_[part] * outputs);
  std::size_t part = 0;
  rows.add_in_order(sum, borders, [&](std::size_t, std::size_t) {
    const std::size_t end = std::min(count(), part + at_once_);
    parallel::for_each({end - part, 1, end - part}, [&](std::size_t of_these, std::size_t) {
      add_part(part + of_these, rows.share(), weight, sum, outputs);
    });
    part = end;
  });
}

void ColumnParts::add_part(std::size_t part, const RowRange& rows, std::span<const double> weight,
                           std::span<double> sum, std::size_t outputs) const {
  const std::span<const double> of_rows = weight.subspan(rows.begin * outputs, rows.size() * outputs);
  if (outputs == 1) return add_part(part, rows.begin, rows.end, of_rows, sum);
  const auto product = kernels().sparse_multi_backward[arrays_.indices.index()];
  product(view(part, rows.begin), rows.size(), outputs, of_rows.data(), sum.data());
}

}  // namespace geodescent
