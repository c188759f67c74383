#include "certificate/proof/problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "certificate/numbers/self_test.hpp"
#include "certificate/rows/row_sums.hpp"
#include "geodescent/error.hpp"

namespace geodescent::proof {

ProblemData::ProblemData(const Dataset& data, const Risk& risk) : data_(data), all_(data), risk_(risk) {
  if (!(risk.l2 > 0 && std::isfinite(risk.l2))) {
    throw InputError(fmt::format("{}: l2 is {}; a proof needs the strength of the regularisation, over 0",  //
                                 data.name, risk.l2));
  }
  require_sound_arithmetic();
  check_data();
  if (const auto* const rows = dynamic_cast<const DenseRows*>(data.rows.get())) dense_ = &rows->arrays();
  if (data.weights.empty()) {
    total_weight_ = {static_cast<Real>(all_.size()), 0};  // exact: there are fewer than 2^53 rows
  } else {
    RowSum sum;
    all_.add_in_order(std::span(&sum, 1), [&](std::size_t begin, std::size_t end, std::span<RowSum> to) {
      for (std::size_t i = begin; i < end; ++i) to[0].add(weight(i), {1, 0});
    });
    total_weight_ = sum.result();
  }
}

Problem::Problem(const Dataset& data, const Risk& risk)
    : ProblemData(data, risk), loss_(make_proof_loss(risk, data.name)), range_of_weight_one_(loss_->dual_range(1)) {
  if (!loss_->is_classification()) return;
  const BinaryLabels labels = binary_labels(data);
  has_classes_ = true;
  positive_ = labels.positive;
  positives_ = labels.positives;
}

void ProblemData::check_data() const {
  if (all_.size() == 0) throw InputError(fmt::format("{}: no rows; there is nothing to prove", data_.name));
  if (!data_.rows) throw InputError(fmt::format("{}: targets without a matrix; there is nothing to prove", data_.name));
  all_.together([&] {
    if (data_.rows->rows() == rows() && (data_.weights.empty() || data_.weights.size() == rows())) return;
    throw InputError(fmt::format("{}: {} rows, but {} targets and {} weights; there must be one of each for every row",
                                 data_.name, data_.rows->rows(), rows(), data_.weights.size()));
  });
  all_.for_rows_here(light_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (weight(i) > 0 && std::isfinite(weight(i)) && std::isfinite(target(i))) continue;
      throw InputError(
          fmt::format("{}: row {} has the weight {} and the target {}; weights must be over 0, both finite", data_.name,
                      all_.number(i), weight(i), target(i)));
    }
  });
}

void ProblemData::check_constant(std::size_t i, double constant) const {
  if (constant == risk_.constant && constant != 0) return;
  throw InputError(fmt::format("{}: the constant feature is {} in row {} and {} in the model; it must be the same",
                               data_.name, constant, all_.number(i), risk_.constant));
}

void ProblemData::read(RowBatch& batch, std::size_t begin, std::size_t end) const {
  batch.read(begin, end);
  if (risk_.bias != Bias::regularized) return;
  for (std::size_t i = batch.begin(); i < batch.end(); ++i) {
    const bool there = !batch.indices(i).empty() && batch.indices(i).back() + std::size_t{1} == columns();
    check_constant(i, there ? batch.values(i).back() : 0);
  }
}

void ProblemData::read(PredictedRows& batch, std::size_t begin, std::size_t end) const {
  batch.begin = begin;
  if (dense_ != nullptr) {
    batch.end = next_dense_rows(begin, end);
  } else {
    read(batch.rows, begin, end);
    batch.end = batch.rows.end();
  }
}

std::size_t ProblemData::next_dense_rows(std::size_t begin, std::size_t end) const {
  end = std::min(end, begin + rows_at_a_time(*dense_));
  if (risk_.bias != Bias::regularized) return end;
  std::visit(
      [&](const auto& entries) {
        const bool stored = dense_->constant == 0 && dense_->columns > 0;
        const std::size_t last = stored ? (dense_->columns - 1) * dense_->column_stride : 0;
        for (std::size_t i = begin; i < end; ++i)
          check_constant(i, stored ? double{entries[i * dense_->row_stride + last]} : dense_->constant);
      },
      dense_->entries);
  return end;
}

namespace {

/// Empty if they are those of the model.
Vector weights_with_constant(const Problem& problem, const LinearModel& model) {
  if (problem.risk().bias != Bias::regularized) return {};
  Vector weights = model.weights;
  weights.push_back(model.bias_weight());
  return weights;
}

Product intercept_of(const Problem& problem, const LinearModel& model) {
  const Risk& risk = problem.risk();
  return risk.bias == Bias::free ? product_of(risk.constant, model.bias_weight()) : Product{};
}

/// Subtracted before rounding, because targets may be much larger than residuals.
std::span<const double> subtracted_targets(const Problem& problem) {
  return problem.loss().is_classification() ? std::span<const double>() : problem.targets();
}

}  // namespace

Predictor::Predictor(const Problem& problem, const LinearModel& model)
    : problem_(problem),
      own_weights_(weights_with_constant(problem, model)),
      weights_(own_weights_.empty() ? model.weights : own_weights_),
      intercept_(intercept_of(problem, model)),
      subtracted_(subtracted_targets(problem)) {
  check_weights();
}

Predictor::Predictor(const ProblemData& problem, Vector weights, const Product& intercept,
                     std::span<const double> subtracted)
    : problem_(problem),
      own_weights_(std::move(weights)),
      weights_(own_weights_),
      intercept_(intercept),
      subtracted_(subtracted) {
  check_weights();
}

void Predictor::check_weights() const {
  if (weights_.size() != problem_.columns()) {
    throw InputError(fmt::format("{}: {} columns, but the model has {} weights; take the model of these data",
                                 problem_.name(), problem_.columns(), weights_.size()));
  }
  const bool finite = std::all_of(weights_.begin(), weights_.end(), [](double w) { return std::isfinite(w); });
  if (!finite || !std::isfinite(intercept_.rounded)) {
    throw InputError(fmt::format("{}: the model has a weight that is not finite; train it again", problem_.name()));
  }
}

void Predictor::predict(PredictedRows& batch) const {
  const DenseArrays* const dense = problem_.dense();
  const std::size_t begin = batch.begin, end = batch.end;
  batch.predictions.resize(end - begin);
  std::span<const double> subtracted;
  if (!subtracted_.empty()) subtracted = subtracted_.subspan(begin, end - begin);
  if (dense != nullptr)
    products(*dense, begin, end, weights_, intercept_, subtracted, batch.sums, batch.predictions);
  else
    products(batch.rows, weights_, intercept_, subtracted, batch.predictions);
}

}  // namespace geodescent::proof
