// Builds data sets, and finds the two classes of a binary problem among the targets.
#include "geodescent/data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "base/exact_sum.hpp"
#include "base/text/counted.hpp"
#include "data/assemble/checked.hpp"
#include "data/ranks/rank_messages.hpp"
#include "data/ranks/shared_rows.hpp"
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
Vector first_distinct(std::span<const double> targets) {
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

namespace {

void check_rows(const Dataset& data) {
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
}

}  // namespace

const Dataset& checked(const Dataset& data) {
  on_all_ranks(data, [&] { check_rows(data); });
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
  if (const auto ranks = data.ranks) return ranks->with_constant(std::move(data), constant);
  data.rows = data.rows->with_constant(constant);
  data.nonzeros += data.rows->rows();
  data.constant = constant;
  return data;
}

namespace {

/// The targets that only this process counts.
std::span<const double> own_targets(const Dataset& data) {
  if (!data.ranks) return data.targets;
  return std::span(data.targets).subspan(data.ranks->share().begin, data.ranks->share().size());
}

/// The numbers of rows of both classes; `labels` are those of all rows.
void count(const Dataset& data, BinaryLabels& labels) {
  const std::span<const double> targets = own_targets(data);
  double positives = static_cast<double>(std::ranges::count(targets, labels.positive));
  if (data.ranks) {
    const std::vector<double> of_ranks = gather_all(*data.ranks->ranks, {&positives, 1});
    positives = std::accumulate(of_ranks.begin(), of_ranks.end(), 0.0);
  }
  labels.positives = static_cast<std::size_t>(positives);
  labels.negatives = number_of_rows(data) - labels.positives;
}

}  // namespace

std::size_t number_of_rows(const Dataset& data) { return data.ranks ? data.ranks->rows : data.targets.size(); }

BinaryLabels binary_labels(const Dataset& data) {
  if (!data.ranks)
    if (const auto labels = first_two(data.targets)) return *labels;
  Vector labels = first_distinct(own_targets(data));
  if (data.ranks) labels = first_distinct(gather_all(*data.ranks->ranks, labels));
  if (labels.empty()) throw InputError(fmt::format("{}: no rows; this loss needs rows of two classes", data.name));
  if (labels.size() == 1) {
    throw InputError(fmt::format("{}: only one class ({} with the label {}); this loss needs two", data.name,
                                 counted(number_of_rows(data), "row"), labels[0]));
  }
  if (labels.size() > 2) throw_too_many(data.name, labels);
  BinaryLabels result;
  result.negative = std::min(labels[0], labels[1]);
  result.positive = std::max(labels[0], labels[1]);
  count(data, result);
  return result;
}

std::vector<ClassRows> class_rows(const Dataset& data) {
  const std::span<const double> targets = own_targets(data);
  Vector sorted(targets.begin(), targets.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<ClassRows> classes;
  const auto add = [&](double label, std::size_t rows) {
    if (classes.empty() || classes.back().label != label) classes.push_back({label, 0});
    classes.back().rows += rows;
  };
  for (const double label : sorted) add(label, 1);
  if (!data.ranks) return classes;

  std::vector<double> message;
  for (const ClassRows& one : classes) message.insert(message.end(), {one.label, static_cast<double>(one.rows)});
  message = gather_all(*data.ranks->ranks, message);
  std::vector<ClassRows> of_ranks;
  for (std::size_t k = 0; k < message.size(); k += 2)
    of_ranks.push_back({message[k], static_cast<std::size_t>(message[k + 1])});
  std::ranges::sort(of_ranks, {}, &ClassRows::label);
  classes.clear();
  for (const ClassRows& one : of_ranks) add(one.label, one.rows);
  return classes;
}

double total_weight(const Dataset& data) {
  if (data.weights.empty()) return static_cast<double>(number_of_rows(data));
  if (!data.ranks) return exact_sum(data.weights);
  const RowRange share = data.ranks->share();
  const std::vector<double> parts = exact_parts(std::span(data.weights).subspan(share.begin, share.size()));
  return exact_sum(gather_all(*data.ranks->ranks, parts));
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
