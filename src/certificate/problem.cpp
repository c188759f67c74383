#include "certificate/problem.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "certificate/row_sums.hpp"
#include "geodescent/error.hpp"

namespace geodescent::proof {

Problem::Problem(const Dataset& data, const Risk& risk) : data_(data), risk_(risk), loss_(risk, data.name) {
  if (!(risk.l2 > 0 && std::isfinite(risk.l2))) {
    throw InputError(fmt::format("{}: l2 is {}; a proof needs the strength of the regularisation, over 0",  //
                                 data.name, risk.l2));
  }
  check_data();
  if (loss_.is_classification()) positive_ = binary_labels(data).positive;
  BoundedSum sum;
  for (std::size_t i = 0; i < rows(); ++i) sum.add({static_cast<Real>(weight(i)), 0});
  total_weight_ = sum.result();
}

void Problem::check_data() const {
  if (rows() == 0) throw InputError(fmt::format("{}: no rows; there is nothing to prove", data_.name));
  if (data_.rows->rows() != rows() || (!data_.weights.empty() && data_.weights.size() != rows())) {
    throw InputError(fmt::format("{}: {} rows, but {} targets and {} weights; there must be one of each for every row",
                                 data_.name, data_.rows->rows(), rows(), data_.weights.size()));
  }
  for (std::size_t i = 0; i < rows(); ++i) {
    if (weight(i) > 0 && std::isfinite(weight(i)) && std::isfinite(target(i))) continue;
    throw InputError(fmt::format("{}: row {} has the weight {} and the target {}; weights must be over 0, both finite",
                                 data_.name, i + 1, weight(i), target(i)));
  }
}

void Problem::copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const {
  data_.rows->copy_row(i, indices, values);
  if (risk_.bias != Bias::regularized) return;
  const bool there = !indices.empty() && indices.back() + std::size_t{1} == columns();
  const double constant = there ? values.back() : 0;
  if (constant == risk_.constant && constant != 0) return;
  throw InputError(fmt::format("{}: the constant feature is {} in row {} and {} in the model; it must be the same",
                               data_.name, constant, i + 1, risk_.constant));
}

std::vector<Bounded> Problem::combined_rows(std::span<const double> factors) const {
  // Each block has sums of its own; 8 entries for each of them keep that cheap.
  const std::size_t affordable = data_.rows->nonzeros() / (8 * columns() + 1);
  const parallel::Blocks blocks = parallel::cut(rows(), 256, std::clamp<std::size_t>(affordable, 1, 8));
  std::vector<std::vector<LongSum>> sums(blocks.count, std::vector<LongSum>(columns()));
  for_each_block(blocks, [&](std::size_t block, std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    for (std::size_t i = begin; i < end; ++i) {
      if (factors[i] == 0) continue;
      copy_row(i, indices, values);
      const Real factor = factors[i];
      for (std::size_t k = 0; k < indices.size(); ++k) sums[block][indices[k]].add(factor * values[k]);
    }
  });
  std::vector<Bounded> total(columns());
  for (std::size_t j = 0; j < columns(); ++j) {
    BoundedSum sum;
    for (const auto& of_block : sums) sum.add(of_block[j].result(blocks.length));
    total[j] = sum.result();
  }
  return total;
}

Predictor::Predictor(const Problem& problem, const LinearModel& model) : problem_(problem), weights_(model.weights) {
  const Risk& risk = problem.risk();
  if (risk.bias == Bias::regularized) weights_.push_back(model.bias_weight);
  if (risk.bias == Bias::free) intercept_ = static_cast<Real>(risk.constant) * model.bias_weight;
  if (weights_.size() != problem.columns()) {
    throw InputError(fmt::format("{}: {} columns, but the model has {} weights; take the model of these data",
                                 problem.name(), problem.columns(), weights_.size()));
  }
  const bool finite = std::all_of(weights_.begin(), weights_.end(), [](double w) { return std::isfinite(w); });
  if (!finite || !std::isfinite(intercept_)) {
    throw InputError(fmt::format("{}: the model has a weight that is not finite; train it again", problem.name()));
  }
}

Bounded Predictor::operator()(std::size_t i) {
  problem_.copy_row(i, indices_, values_);
  LongSum sum;
  for (std::size_t k = 0; k < indices_.size(); ++k) sum.add(static_cast<Real>(values_[k]) * weights_[indices_[k]]);
  sum.add(intercept_);
  return sum.result(indices_.size() + 1);
}

}  // namespace geodescent::proof
