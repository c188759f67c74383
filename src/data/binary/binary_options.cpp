// Applies the options of a reader to binary data.
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "data/binary/binary_reader.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

const RowMatrix& matrix_of(const BinaryData& data) {
  return *std::visit([](const auto& m) -> const RowMatrix* { return m.get(); }, data.matrix);
}

/// The requested number of columns. The numbering was decided when the text was converted.
std::size_t checked_columns(const BinaryData& data, const std::string& name, const LibsvmOptions& options) {
  const std::size_t columns = matrix_of(data).columns();
  const int base = data.zero_based ? 0 : 1, wanted = options.index_base == IndexBase::zero ? 0 : 1;
  if (options.index_base != IndexBase::automatic && wanted != base)
    throw InputError(
        fmt::format("{}: the features were numbered from {} when the text was converted, but from {} is "
                    "asked for; {}",
                    name, base, wanted,
                    options.index_advice.empty() ? fmt::format("convert the text with --index-base {}", wanted)
                                                 : options.index_advice));
  if (options.features && *options.features < columns)
    throw InputError(fmt::format(
        "{}: {} features, over the limit of {}; {}", name, columns, *options.features,
        options.index_advice.empty() ? "raise the number of features or check the file" : options.index_advice));
  return options.features.value_or(columns);
}

/// Keeps zeros as entries only if the text had all of them: otherwise it is unknown which ones it
/// had.
SparseRows sparse_of(const DenseRows& matrix, std::size_t columns, bool with_zeros) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices, row_indices;
  std::vector<double> values, row_values;
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    matrix.copy_row(i, row_indices, row_values);
    if (with_zeros) {
      row_values = matrix.row(i);
      row_indices.resize(row_values.size());
      std::iota(row_indices.begin(), row_indices.end(), 0U);
    }
    indices.insert(indices.end(), row_indices.begin(), row_indices.end());
    values.insert(values.end(), row_values.begin(), row_values.end());
    offsets.push_back(values.size());
  }
  return {std::move(offsets), std::move(indices), std::move(values), columns};
}

SparseRows sparse_of(const BinaryData& data, std::size_t columns) {
  if (const auto* const dense = std::get_if<std::shared_ptr<const DenseRows>>(&data.matrix))
    return sparse_of(**dense, columns, data.nonzeros == (*dense)->nonzeros());
  const SparseRows& sparse = *std::get<std::shared_ptr<const SparseRows>>(data.matrix);
  if (columns == sparse.columns()) return sparse;
  SparseArrays arrays = sparse.arrays();
  arrays.columns = columns;
  return SparseRows(std::move(arrays));
}

}  // namespace

LibsvmData libsvm_of(const BinaryData& data, const std::string& name, const LibsvmOptions& options) {
  return {sparse_of(data, checked_columns(data, name, options)), data.targets, data.zero_based};
}

Dataset dataset_of(BinaryData data, const std::string& name, const LibsvmOptions& options) {
  // With another number of columns another form may be the best.
  if (checked_columns(data, name, options) != matrix_of(data).columns()) {
    Dataset wider = dataset_of(libsvm_of(data, name, options), name);
    wider.nonzeros = data.nonzeros;
    return wider;
  }
  std::shared_ptr<const RowMatrix> matrix =
      std::visit([](const auto& m) -> std::shared_ptr<const RowMatrix> { return m; }, data.matrix);
  return {name, std::move(matrix), std::move(data.targets), data.nonzeros, {}, data.zero_based};
}

void for_each_row(const BinaryData& data, const std::string& name, const LibsvmOptions& options,
                  const RowFunction& row) {
  checked_columns(data, name, options);
  const auto* const sparse = std::get_if<std::shared_ptr<const SparseRows>>(&data.matrix);
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    matrix_of(data).copy_row(i, indices, values);
    if (sparse != nullptr && indices.size() != (*sparse)->arrays().offsets[i + 1] - (*sparse)->arrays().offsets[i]) {
      indices = (*sparse)->indices(i);  // including the zeros of the text
      values = (*sparse)->values(i);
    }
    row(data.targets[i], indices, values);
  }
}

}  // namespace geodescent
