#include "certificate/proof/problem.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "certificate/numbers/self_test.hpp"
#include "certificate/proof/row_sums.hpp"
#include "geodescent/error.hpp"

namespace geodescent::proof {

Problem::Problem(const Dataset& data, const Risk& risk)
    : data_(data), risk_(risk), loss_(make_proof_loss(risk, data.name)), range_of_weight_one_(loss_->dual_range(1)) {
  if (!(risk.l2 > 0 && std::isfinite(risk.l2))) {
    throw InputError(fmt::format("{}: l2 is {}; a proof needs the strength of the regularisation, over 0",  //
                                 data.name, risk.l2));
  }
  require_sound_arithmetic();
  check_data();
  if (loss_->is_classification()) {
    const BinaryLabels labels = binary_labels(data);
    has_classes_ = true;
    positive_ = labels.positive;
    positives_ = labels.positives;
  }
  if (data.weights.empty()) {
    total_weight_ = {static_cast<Real>(rows()), 0};  // exact: there are no 2^53 rows
  } else {
    RowSum sum;
    for (const double weight : data.weights) sum.add(weight, {1, 0});
    total_weight_ = sum.result();
  }
}

void Problem::check_data() const {
  if (rows() == 0) throw InputError(fmt::format("{}: no rows; there is nothing to prove", data_.name));
  if (data_.rows->rows() != rows() || (!data_.weights.empty() && data_.weights.size() != rows())) {
    throw InputError(fmt::format("{}: {} rows, but {} targets and {} weights; there must be one of each for every row",
                                 data_.name, data_.rows->rows(), rows(), data_.weights.size()));
  }
  for_each_block(light_blocks(rows()), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (weight(i) > 0 && std::isfinite(weight(i)) && std::isfinite(target(i))) continue;
      throw InputError(
          fmt::format("{}: row {} has the weight {} and the target {}; weights must be over 0, both finite", data_.name,
                      i + 1, weight(i), target(i)));
    }
  });
}

void Problem::read(RowBatch& batch, std::size_t begin, std::size_t end) const {
  batch.read(begin, end);
  if (risk_.bias != Bias::regularized) return;
  for (std::size_t i = batch.begin(); i < batch.end(); ++i) {
    const bool there = !batch.indices(i).empty() && batch.indices(i).back() + std::size_t{1} == columns();
    const double constant = there ? batch.values(i).back() : 0;
    if (constant == risk_.constant && constant != 0) continue;
    throw InputError(fmt::format("{}: the constant feature is {} in row {} and {} in the model; it must be the same",
                                 data_.name, constant, i + 1, risk_.constant));
  }
}

Bounded Problem::combined_rows_squared(const RowFactors& factors_of) const {
  // Each block has sums of its own; 8 entries for each of them keep that cheap.
  const std::size_t affordable = data_.rows->nonzeros() / (8 * columns() + 1);
  const parallel::Blocks blocks = parallel::cut(rows(), 256, std::clamp<std::size_t>(affordable, 1, 8));
  std::vector<std::vector<ProductSum>> sums(blocks.count);
  for_each_block(blocks, [&](std::size_t block, std::size_t begin, std::size_t end) {
    std::vector<ProductSum>& of_block = sums[block];
    of_block.resize(columns());
    RowBatch batch(matrix());
    Vector factors;
    for (std::size_t i = begin; i < end; i = batch.end()) {
      read(batch, i, end);
      factors.resize(batch.size());
      factors_of(i, factors);
      add_multiples(factors, batch, of_block);
    }
  });
  return sum_over<BoundedSum>(columns(), [&](std::size_t begin, std::size_t end, BoundedSum& squares) {
    for (std::size_t j = begin; j < end; ++j) {
      BoundedSum column;
      for (const auto& of_block : sums) column.add(bounded(of_block[j], blocks.length));
      const Bounded total = column.result();
      squares.add(total * total);
    }
  });
}

Predictor::Predictor(const Problem& problem, const LinearModel& model) : problem_(problem), weights_(model.weights) {
  const Risk& risk = problem.risk();
  if (risk.bias == Bias::regularized) weights_.push_back(model.bias_weight);
  if (risk.bias == Bias::free) intercept_ = product_of(risk.constant, model.bias_weight);
  if (weights_.size() != problem.columns()) {
    throw InputError(fmt::format("{}: {} columns, but the model has {} weights; take the model of these data",
                                 problem.name(), problem.columns(), weights_.size()));
  }
  const bool finite = std::all_of(weights_.begin(), weights_.end(), [](double w) { return std::isfinite(w); });
  if (!finite || !std::isfinite(intercept_.rounded)) {
    throw InputError(fmt::format("{}: the model has a weight that is not finite; train it again", problem.name()));
  }
}

void Predictor::operator()(std::size_t begin, std::size_t end, PredictedRows& batch) const {
  problem_.read(batch.rows, begin, end);
  batch.predictions.resize(batch.rows.size());
  // Subtracted before anything is rounded: targets may be much larger than residuals.
  std::span<const double> subtracted;
  if (!problem_.loss().is_classification()) subtracted = problem_.targets().subspan(begin, batch.rows.size());
  products(batch.rows, weights_, intercept_, subtracted, batch.predictions);
}

}  // namespace geodescent::proof
