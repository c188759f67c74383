// What rows count: a data set with weights, and without the rows whose weight is 0.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "data/number_lines.hpp"
#include "geodescent/error.hpp"
#include "geodescent/libsvm.hpp"

namespace geodescent {
namespace {

void require_weight(double weight, const std::string& place) {
  if (weight >= 0 && std::isfinite(weight)) return;
  throw InputError(fmt::format("{}: {} is no weight; weights are finite and not negative", place, weight));
}

/// Multiplies by the numbers of a file.
void apply_file(const std::string& path, const std::string& data, Vector& weights) {
  const Vector numbers = read_number_lines(path);
  if (numbers.size() != weights.size())
    throw InputError(fmt::format("{}: {} weights, but {} has {} rows; give one weight a row, each on its line", path,
                                 numbers.size(), data, weights.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    require_weight(numbers[i], fmt::format("{}: row {}", path, i + 1));
    weights[i] *= numbers[i];
  }
}

/// Multiplies by the values of a feature, which is 0 where a row does not mention it.
void apply_feature(std::uint32_t column, const Dataset& data, Vector& weights) {
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    data.rows->copy_row(i, indices, values);
    const auto found = std::lower_bound(indices.begin(), indices.end(), column);
    const bool there = found != indices.end() && *found == column;
    const double weight = there ? values[static_cast<std::size_t>(found - indices.begin())] : 0;
    require_weight(weight, fmt::format("{}: row {}", data.name, i + 1));
    weights[i] *= weight;
  }
}

void apply_class(const ClassWeight& of, const Dataset& data, Vector& weights) {
  require_weight(of.weight, fmt::format("the weight of class {}", of.label));
  if (std::find(data.targets.begin(), data.targets.end(), of.label) == data.targets.end())
    throw InputError(fmt::format("{}: no row has the label {}, for which a weight is given", data.name, of.label));
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (data.targets[i] == of.label) weights[i] *= of.weight;
}

/// The column of the feature that holds the weights.
std::optional<std::uint32_t> weight_column(const Dataset& data, const DatasetOptions& o) {
  if (!o.weight_feature) return std::nullopt;
  const std::uint32_t first = data.zero_based ? 0 : 1;
  if (*o.weight_feature < first || *o.weight_feature - first >= data.rows->columns())
    throw InputError(fmt::format("{}: there is no feature {} to hold the weights; features are {} to {}", data.name,
                                 *o.weight_feature, first, data.rows->columns() + first - 1));
  return *o.weight_feature - first;
}

/// The rows that count, without the entries in the column of weights and with a constant one.
SparseRows chosen_rows(const RowMatrix& rows, const Vector& weights, std::optional<std::uint32_t> without,
                       double constant) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices, row_indices;
  std::vector<double> values, row_values;
  const std::size_t columns = rows.columns() + (constant != 0 ? 1 : 0);
  indices.reserve(rows.nonzeros() + (constant != 0 ? rows.rows() : 0));
  values.reserve(indices.capacity());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (weights[i] == 0) continue;
    rows.copy_row(i, row_indices, row_values);
    for (std::size_t k = 0; k < row_indices.size(); ++k) {
      if (without && row_indices[k] == *without) continue;
      indices.push_back(row_indices[k]);
      values.push_back(row_values[k]);
    }
    if (constant != 0) {
      indices.push_back(static_cast<std::uint32_t>(columns - 1));
      values.push_back(constant);
    }
    offsets.push_back(values.size());
  }
  return {std::move(offsets), std::move(indices), std::move(values), columns};
}

/// Those of `all` whose weight is not 0.
Vector chosen(const Vector& all, const Vector& weights) {
  Vector result;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (weights[i] != 0) result.push_back(all[i]);
  return result;
}

/// The matrix is copied only where it has other rows or columns than the file.
Dataset weighted(Dataset data, const DatasetOptions& o) {
  Vector weights(data.targets.size(), 1);
  const std::optional<std::uint32_t> column = weight_column(data, o);
  if (!o.row_weights.empty()) apply_file(o.row_weights, data.name, weights);
  if (column) apply_feature(*column, data, weights);
  for (const ClassWeight& one : o.class_weights) apply_class(one, data, weights);

  const bool all_count = std::find(weights.begin(), weights.end(), 0.0) == weights.end();
  if (!all_count || column || o.constant != 0) {
    SparseRows rows = chosen_rows(*data.rows, weights, column, o.constant);
    // Entries count as the file has written them, also zeros, of which a dense matrix knows nothing.
    data.nonzeros = all_count && !column ? data.nonzeros + data.targets.size() : rows.nonzeros();
    data.rows = in_best_form(std::move(rows));
    data.targets = chosen(data.targets, weights);
    std::erase(weights, 0.0);
  }
  if (data.targets.empty()) throw InputError(data.name + ": all rows have weight 0; there is nothing to train on");
  const bool all_one = std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1; });
  if (!all_one) data.weights = std::move(weights);
  if (!std::isfinite(total_weight(data))) throw InputError(data.name + ": the weights add up to infinity");
  return data;
}

/// The data set is what the file says.
bool is_plain(const DatasetOptions& o) {
  return o.row_weights.empty() && !o.weight_feature && o.class_weights.empty() && o.constant == 0;
}

}  // namespace

Dataset dataset_of(LibsvmData data, std::string name, const DatasetOptions& o) {
  Dataset plain = dataset_of(std::move(data), std::move(name));
  if (is_plain(o)) return plain;
  return weighted(std::move(plain), o);
}

Dataset read_dataset(const std::string& path, const DatasetOptions& o) {
  Dataset plain = read_dataset(path, o.libsvm);
  if (is_plain(o)) return plain;
  return weighted(std::move(plain), o);
}

}  // namespace geodescent
