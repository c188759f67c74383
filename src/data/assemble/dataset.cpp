// Builds data sets, and finds the two classes of a binary problem among the targets.
#include "geodescent/data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "base/exact_sum.hpp"
#include "base/text/counted.hpp"
#include "data/assemble/checked.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

constexpr std::size_t shown_labels = 5;

/// The first two distinct targets, if there are no others. Counting them is faster than mapping
/// each target.
std::optional<BinaryLabels> first_two(const Vector& targets) {
  const auto other = std::find_if(targets.begin(), targets.end(), [&](double t) { return t != targets.front(); });
  if (other == targets.end()) return std::nullopt;
  const auto rows_of = [&](double label) {
    return static_cast<std::size_t>(std::count(targets.begin(), targets.end(), label));
  };
  BinaryLabels labels;
  std::tie(labels.negative, labels.positive) = std::minmax(targets.front(), *other);
  labels.negatives = rows_of(labels.negative);
  labels.positives = rows_of(labels.positive);
  return labels.negatives + labels.positives == targets.size() ? std::optional(labels) : std::nullopt;
}

/// The distinct targets in order of first occurrence, up to the number that a message shows.
Vector first_distinct(const Vector& targets) {
  Vector found;
  for (const double target : targets) {
    if (std::find(found.begin(), found.end(), target) != found.end()) continue;
    found.push_back(target);
    if (found.size() > shown_labels) break;
  }
  return found;
}

[[noreturn]] void throw_too_many(const std::string& name, const Vector& labels) {
  const std::size_t shown = std::min(labels.size(), shown_labels);
  std::string list;
  for (std::size_t i = 0; i < shown; ++i) list += fmt::format("{}{}", i == 0 ? "" : ", ", labels[i]);
  const bool more = labels.size() > shown_labels;
  const bool whole = std::ranges::all_of(labels, [](double label) { return label == std::floor(label); });
  throw InputError(fmt::format(
      "{}: {} {} classes (labels {}{}); {}", name, more ? "more than" : "there are", shown, list, more ? ", ..." : "",
      whole ? "this problem has two classes: keep the rows of two of them, or train with the loss softmax"
            : "this problem has two classes; if the labels are quantities to predict, use the loss squared or huber"));
}

void require_one_each(std::size_t numbers, const char* what, std::size_t rows) {
  if (numbers != rows)
    throw std::invalid_argument(fmt::format("{} for {}", counted(numbers, what), counted(rows, "row")));
}

void require_matrix(const Dataset& data) {
  if (!data.rows) throw std::invalid_argument("a data set needs a matrix");
}

}  // namespace

const Dataset& checked(const Dataset& data) {
  require_matrix(data);
  const std::size_t rows = data.rows->rows();
  require_one_each(data.targets.size(), "target", rows);
  if (!data.weights.empty()) require_one_each(data.weights.size(), "sample weight", rows);
  for (std::size_t i = 0; i < rows; ++i)
    if (!std::isfinite(data.targets[i]))
      throw std::invalid_argument(fmt::format("row {}: the target {} is not finite", i, data.targets[i]));
  for (std::size_t i = 0; i < data.weights.size(); ++i)
    if (!(data.weights[i] > 0 && std::isfinite(data.weights[i])))
      throw std::invalid_argument(
          fmt::format("row {}: the sample weight {} is not positive and finite", i, data.weights[i]));
  if (!std::isfinite(total_weight(data))) throw std::invalid_argument("the sample weights add up to infinity");
  return data;
}

Dataset dataset(std::shared_ptr<const RowMatrix> matrix, Vector targets, Vector sample_weights) {
  Dataset data;
  data.name = "data";
  data.rows = std::move(matrix);
  data.targets = std::move(targets);
  data.weights = std::move(sample_weights);
  data.nonzeros = checked(data).rows->nonzeros();
  return data;
}

Dataset with_constant(Dataset data, double constant) {
  require_matrix(data);
  data.rows = data.rows->with_constant(constant);
  data.nonzeros += data.rows->rows();
  data.constant = constant;
  return data;
}

BinaryLabels binary_labels(const Dataset& data) {
  if (const auto labels = first_two(data.targets)) return *labels;
  const Vector labels = first_distinct(data.targets);
  if (labels.empty()) throw InputError(fmt::format("{}: no rows; this loss needs rows of two classes", data.name));
  if (labels.size() == 1) {
    throw InputError(fmt::format("{}: only one class ({} with the label {}); this loss needs two", data.name,
                                 counted(data.targets.size(), "row"), labels[0]));
  }
  if (labels.size() > 2) throw_too_many(data.name, labels);
  BinaryLabels result;
  result.negative = std::min(labels[0], labels[1]);
  result.positive = std::max(labels[0], labels[1]);
  result.positives = static_cast<std::size_t>(std::count(data.targets.begin(), data.targets.end(), result.positive));
  result.negatives = data.targets.size() - result.positives;
  return result;
}

std::vector<ClassRows> class_rows(const Dataset& data) {
  Vector sorted = data.targets;
  std::sort(sorted.begin(), sorted.end());
  std::vector<ClassRows> classes;
  for (const double label : sorted) {
    if (classes.empty() || classes.back().label != label) classes.push_back({label, 0});
    ++classes.back().rows;
  }
  return classes;
}

double total_weight(const Dataset& data) {
  if (data.weights.empty()) return static_cast<double>(data.targets.size());
  return exact_sum(data.weights);
}

std::string_view to_string(Bias bias) {
  switch (bias) {
    case Bias::none:
      return "none";
    case Bias::free:
      return "free";
    case Bias::regularized:
      return "regularized";
  }
  return "unknown";
}

}  // namespace geodescent
