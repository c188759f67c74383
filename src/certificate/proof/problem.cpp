#include "certificate/proof/problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "certificate/numbers/self_test.hpp"
#include "certificate/rows/row_sums.hpp"
#include "data/ranks/rank_messages.hpp"
#include "geodescent/error.hpp"

namespace geodescent::proof {

ProblemData::ProblemData(const Dataset& data, const Risk& risk) : data_(data), risk_(risk) {
  require_one_process(data, "a proof");
  if (!(risk.l2 > 0 && std::isfinite(risk.l2))) {
    throw InputError(fmt::format("{}: l2 is {}; a proof needs the strength of the regularisation, over 0",  //
                                 data.name, risk.l2));
  }
  require_sound_arithmetic();
  check_data();
  if (const auto* const rows = dynamic_cast<const DenseRows*>(data.rows.get())) dense_ = &rows->arrays();
  if (data.weights.empty()) {
    total_weight_ = {static_cast<Real>(rows()), 0};  // exact: there are fewer than 2^53 rows
  } else {
    RowSum sum;
    for (const double weight : data.weights) sum.add(weight, {1, 0});
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
  if (rows() == 0) throw InputError(fmt::format("{}: no rows; there is nothing to prove", data_.name));
  if (!data_.rows) throw InputError(fmt::format("{}: targets without a matrix; there is nothing to prove", data_.name));
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

void ProblemData::check_constant(std::size_t i, double constant) const {
  if (constant == risk_.constant && constant != 0) return;
  throw InputError(fmt::format("{}: the constant feature is {} in row {} and {} in the model; it must be the same",
                               data_.name, constant, i + 1, risk_.constant));
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

/// Blocks of rows that have sums of their own.
constexpr std::size_t most_blocks = 8;
/// Entries to read per sum that make this cheap.
constexpr std::size_t entries_per_sum = 8;
/// Parts of the columns that have threads of their own.
constexpr std::size_t most_parts = 8;
constexpr std::size_t entries_of_part = 1 << 14;
constexpr std::size_t sampled_rows = 256;

/// The first column of each part, so that the parts have about equally many entries.
std::vector<std::size_t> first_columns(const RowMatrix& matrix, std::size_t parts) {
  std::vector<std::uint32_t> sample, indices;
  Vector values;
  const std::size_t rows = std::min(matrix.rows(), sampled_rows);
  for (std::size_t k = 0; k < rows; ++k) {
    matrix.copy_row(k * matrix.rows() / rows, indices, values);
    sample.insert(sample.end(), indices.begin(), indices.end());
  }
  std::vector<std::size_t> first{0};
  for (std::size_t part = 1; part < parts; ++part) {
    const auto at = sample.begin() + static_cast<std::ptrdiff_t>(part * sample.size() / parts);
    std::nth_element(sample.begin(), at, sample.end());
    first.push_back(at == sample.end() ? 0 : *at);
  }
  return first;
}

}  // namespace

/// Whether sums of all columns for each block of rows would cost more than the entries.
bool ProblemData::is_wide() const {
  return dense_ == nullptr && data_.rows->nonzeros() / (most_blocks * entries_per_sum) < columns();
}

/// For wide rows: each thread takes all rows, but only some of the columns. A sum adds its products
/// in the order of the rows, so the bits do not depend on the number of parts.
Bounded ProblemData::wide_squared_sums(const RowFactors& factors_of) const {
  const std::size_t useful = std::min(most_parts, data_.rows->nonzeros() / entries_of_part + 1);
  const std::size_t parts = std::min(useful, static_cast<std::size_t>(threads()));
  const std::vector<std::size_t> first = first_columns(matrix(), parts);
  std::vector<ColumnSums> sums;
  for (std::size_t part = 0; part < parts; ++part)
    sums.emplace_back(first[part], part + 1 < parts ? first[part + 1] : columns(), matrix());
  for_each_block({parts, 1, parts}, [&](std::size_t part, std::size_t, std::size_t) {
    RowBatch batch(matrix());
    Vector factors;
    for (std::size_t i = 0; i < rows(); i = batch.end()) {
      read(batch, i, rows());
      factors.resize(batch.size());
      factors_of(i, factors);
      sums[part].add_multiples(factors, batch);
    }
  });
  return sum_over<RowSum>(columns(), [&](std::size_t begin, std::size_t end, RowSum& squares) {
    auto part = sums.begin();
    for (std::size_t j = begin; j < end; ++j) {
      while (j >= part->end()) ++part;
      if (const ProductSum* const column = part->of(j)) squares.add_square(*column, rows());
    }
  });
}

/// The sum of the squares of the columns. add(begin, end, sums) adds a block of rows to sums of its
/// own, one for each column.
template <class Sums, class Add>
Bounded ProblemData::squared_sums(const Add& add) const {
  const std::size_t affordable = data_.rows->nonzeros() / (entries_per_sum * columns() + 1);
  const parallel::Blocks blocks = parallel::cut(rows(), 256, std::clamp<std::size_t>(affordable, 1, most_blocks));
  std::vector<Sums> sums(blocks.count);
  for_each_block(blocks, [&](std::size_t block, std::size_t begin, std::size_t end) { add(begin, end, sums[block]); });
  return sum_over<RowSum>(columns(), [&](std::size_t begin, std::size_t end, RowSum& squares) {
    for (std::size_t j = begin; j < end; ++j) {
      ProductSum column = sums[0][j];
      for (std::size_t block = 1; block < blocks.count; ++block) column.add(sums[block][j]);
      squares.add_square(column, blocks.length + blocks.count);
    }
  });
}

Bounded ProblemData::combined_rows_squared(const RowFactors& factors_of) const {
  if (dense_ != nullptr) {
    return squared_sums<ProductSums>([&](std::size_t begin, std::size_t end, ProductSums& sums) {
      sums.start(columns());
      Vector factors;
      for (std::size_t i = begin; i < end;) {
        const std::size_t next = next_dense_rows(i, end);
        factors.resize(next - i);
        factors_of(i, factors);
        add_multiples(*dense_, i, next, factors, sums);
        i = next;
      }
    });
  }
  if (is_wide()) return wide_squared_sums(factors_of);
  return squared_sums<std::vector<ProductSum>>([&](std::size_t begin, std::size_t end, std::vector<ProductSum>& sums) {
    sums.resize(columns());
    RowBatch batch(matrix());
    Vector factors;
    for (std::size_t i = begin; i < end; i = batch.end()) {
      read(batch, i, end);
      factors.resize(batch.size());
      factors_of(i, factors);
      add_multiples(factors, batch, sums);
    }
  });
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
