#include "data/assemble/row_weights.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/exact_sum.hpp"
#include "base/text/counted.hpp"
#include "data/assemble/chosen_rows.hpp"
#include "data/assemble/chunk_reader.hpp"
#include "data/binary/binary_reader.hpp"
#include "data/io/data_source.hpp"
#include "data/text/number_lines.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

/// Multiplies the weights of the rows from first_row on by the numbers of a file, which has one for
/// each of all rows.
void apply_file(const std::string& path, const std::string& data, std::size_t first_row, std::size_t all_rows,
                Vector& weights) {
  const Vector numbers = read_number_lines(path);
  if (numbers.size() != all_rows)
    throw InputError(fmt::format("{}: {}, but {} has {}; give one weight for each row, one a line", path,
                                 counted(numbers.size(), "weight"), data, counted(all_rows, "row")));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!is_weight(numbers[i])) refuse_weight(numbers[i], fmt::format("{}: row {}", path, i + 1));
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= numbers[first_row + i];
}

void require_label(double label, const Vector& targets, const std::string& name, const Agreement& ranks) {
  if (!ranks.any(std::find(targets.begin(), targets.end(), label) != targets.end()))
    throw InputError(fmt::format("{}: no row has the label {}, for which a weight is given", name, label));
}

/// The weights before rows are chosen. With a weight feature these are the numbers of the file
/// alone, because class weights are the last factor.
Vector weights_of(const Vector& targets, const std::string& name, const DatasetOptions& o,
                  std::span<const ClassWeight> of_classes, const Agreement& ranks) {
  Vector weights(targets.size(), 1);
  if (!o.row_weights.empty()) {
    const std::size_t first_row = ranks.sum_before(weights.size()), all_rows = ranks.sum(weights.size());
    ranks.together([&] { apply_file(o.row_weights, name, first_row, all_rows, weights); });
  }
  for (const ClassWeight& one : of_classes) require_label(one.label, targets, name, ranks);
  if (!o.weight_feature && !of_classes.empty())
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= weight_of_class(targets[i], of_classes);
  return weights;
}

/// Whether the matrix has fewer rows or columns than the file.
bool changes_rows(const DatasetOptions& o, const Vector& weights, const Agreement& ranks) {
  return ranks.any(o.weight_feature || std::find(weights.begin(), weights.end(), 0.0) != weights.end());
}

/// The column of the feature with the weights.
std::optional<std::uint32_t> weight_column(const ChunkedRows& rows, const std::string& name, const DatasetOptions& o) {
  if (!o.weight_feature) return std::nullopt;
  const std::uint32_t first = rows.zero_based ? 0 : 1;
  if (*o.weight_feature >= first && *o.weight_feature - first < rows.columns) return *o.weight_feature - first;
  const std::string there = rows.columns == 0 ? "there are no features at all"
                                              : fmt::format("features are {} to {}", first, rows.columns + first - 1);
  throw InputError(fmt::format("{}: no feature {} for the weights; {}", name, *o.weight_feature, there));
}

/// The distinct labels of all ranks, in increasing order.
std::vector<double> all_labels(const Dataset& data, const Agreement& ranks) {
  std::vector<double> labels;
  for (const ClassRows& one : class_rows(data)) labels.push_back(one.label);
  if (ranks.alone()) return labels;
  labels = ranks.gather(labels);
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

/// The sum of these numbers on all ranks, rounded once.
double exact_sum_of_all(const Vector& numbers, const Agreement& ranks) {
  return ranks.alone() ? exact_sum(numbers) : exact_sum(ranks.gather(exact_parts(numbers)));
}

/// Class weights that give each class the same part of the total weight.
std::vector<ClassWeight> balanced(const Dataset& data, const Vector& weights, const Agreement& ranks) {
  const std::vector<double> classes = all_labels(data, ranks);
  if (classes.size() < 2 || classes.size() > most_class_weights)
    throw InputError(fmt::format("{}: {}; balanced class weights are for 2 to {}{}", data.name,
                                 counted(classes.size(), "label"), most_class_weights,
                                 classes.size() == 1 ? "" : "; give rows weights of their own (--row-weights)"));
  std::vector<Vector> of_classes(classes.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto found = std::ranges::lower_bound(classes, data.targets[i]);
    of_classes[static_cast<std::size_t>(found - classes.begin())].push_back(weights[i]);
  }
  const double total = exact_sum_of_all(weights, ranks), count = static_cast<double>(classes.size());
  std::vector<ClassWeight> all;
  for (std::size_t k = 0; k < classes.size(); ++k)  // count times a sum may overflow
    all.push_back({classes[k], total / exact_sum_of_all(of_classes[k], ranks) / count});
  return all;
}

Dataset with_weights(Dataset data, Vector weights, const DatasetOptions& o, std::vector<ClassWeight> of_classes,
                     const Agreement& ranks) {
  if (ranks.sum(data.targets.size()) == 0)
    throw InputError(data.name + ": all rows have weight 0; there is nothing to train on");
  if (o.balanced_classes) {
    if (!of_classes.empty()) throw std::invalid_argument("balanced_classes excludes other class_weights");
    of_classes = balanced(data, weights, ranks);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= weight_of_class(data.targets[i], of_classes);
  }
  const bool all_one = ranks.all(std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1; }));
  if (!all_one) data.weights = std::move(weights);
  if (!std::isfinite(exact_sum_of_all(data.weights, ranks)))
    throw InputError(data.name + ": the weights add up to infinity");
  data.class_weights = std::move(of_classes);
  return data;
}

Dataset changed(ChunkedRows rows, const std::string& name, const DatasetOptions& o, Vector weights,
                std::vector<ClassWeight> of_classes, const Agreement& ranks) {
  const auto column = weight_column(rows, name, o);
  const std::span<const ClassWeight> to_come = column ? of_classes : std::span<const ClassWeight>();
  const std::size_t first_row = ranks.sum_before(weights.size());
  ChunkedRows chosen;
  ranks.together([&] { chosen = chosen_rows(std::move(rows), column, to_come, name, weights, first_row); });
  Dataset data = agreed_dataset(std::move(chosen), name, ranks);
  return with_weights(std::move(data), std::move(weights), o, std::move(of_classes), ranks);
}

}  // namespace

bool is_plain(const DatasetOptions& o) {
  return o.row_weights.empty() && !o.weight_feature && o.class_weights.empty() && !o.balanced_classes;
}

Dataset agreed_dataset(ChunkedRows rows, const std::string& name, const Agreement& ranks) {
  if (!ranks.alone() && !rows.dense)
    rows.dense = FormOfChunks::is_dense(ranks.sum(rows.form.rows()), ranks.sum(rows.form.entries()), rows.columns);
  return dataset_of(std::move(rows), name);
}

Dataset weighted(ChunkedRows rows, const std::string& name, const DatasetOptions& o, const Agreement& ranks) {
  std::vector<ClassWeight> of_classes = combined(o.class_weights);
  Vector weights = weights_of(rows.targets(), name, o, of_classes, ranks);
  if (!changes_rows(o, weights, ranks))
    return with_weights(agreed_dataset(std::move(rows), name, ranks), std::move(weights), o, std::move(of_classes),
                        ranks);
  rows.dense.reset();
  return changed(std::move(rows), name, o, std::move(weights), std::move(of_classes), ranks);
}

Dataset weighted(Dataset data, const DatasetOptions& o, const Agreement& ranks) {
  std::vector<ClassWeight> of_classes = combined(o.class_weights);
  Vector weights = weights_of(data.targets, data.name, o, of_classes, ranks);
  if (!changes_rows(o, weights, ranks))
    return with_weights(std::move(data), std::move(weights), o, std::move(of_classes), ranks);
  ChunkedRows rows = chunks_of(data);
  data.rows.reset();
  return changed(std::move(rows), data.name, o, std::move(weights), std::move(of_classes), ranks);
}

std::vector<ClassWeight> combined(std::span<const ClassWeight> given) {
  std::map<double, double> product;
  for (const ClassWeight& one : given) {
    if (!std::isfinite(one.label))
      throw InputError(fmt::format("a weight is given for the label {}; labels are finite", one.label));
    double& weight = product.emplace(one.label + 0.0, 1).first->second;  // -0 is 0
    weight *= one.weight;
    for (const double number : {one.weight, weight})
      if (!is_weight(number)) refuse_weight(number, fmt::format("the weight of class {}", one.label));
  }
  if (product.size() > most_class_weights)
    throw InputError(fmt::format("class weights for {} labels; at most {} are allowed, use row weights for more",
                                 product.size(), most_class_weights));
  std::vector<ClassWeight> all;
  for (const auto& [label, weight] : product) all.push_back({label, weight});
  return all;
}

Dataset dataset_of(LibsvmData data, std::string name, const DatasetOptions& o) {
  Dataset plain = dataset_of(std::move(data), std::move(name));
  return is_plain(o) ? plain : weighted(std::move(plain), o, Agreement(nullptr));
}

Dataset read_dataset(const std::string& path, const DatasetOptions& o) {
  if (is_plain(o)) return read_dataset(path, o.libsvm);
  const Agreement alone(nullptr);
  DataSource source(path);
  if (source.is_binary()) return weighted(dataset_of(source.binary(), source.name(), o.libsvm), o, alone);
  return weighted(read_rows(source.chunks(o.libsvm.line_limit), source.name(), o.libsvm), source.name(), o, alone);
}

}  // namespace geodescent
