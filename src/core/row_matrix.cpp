// The two products with the data matrix. Row sums use several accumulators, so that additions do not wait for each
// other, and combine them in one fixed order, so that a row's product has the same bits in every run and in every form
// of storage.
#include "geodescent/row_matrix.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace geodescent {
namespace {

constexpr std::size_t gram_tile = 32;

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

/// One number for all entries, read like an array.
struct Repeated {
  double number;
  double operator[](std::size_t) const { return number; }
  Repeated operator+(std::size_t) const { return *this; }
};

inline Repeated reader(double number) { return {number}; }
template <class T>
const T* reader(const SharedArray<T>& numbers) {
  return numbers.data();
}

/// body(indices, values) with what reads the two arrays in the form they have.
template <class Body>
void with_form(const SparseArrays& arrays, const Body& body) {
  std::visit([&](const auto& indices, const auto& values) { body(indices.data(), reader(values)); }, arrays.indices,
             arrays.values);
}

template <class Index, class Values>
double sparse_dot(const Index* indices, Values values, std::size_t count, const double* x) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    s0 += values[k] * x[indices[k]];
    s1 += values[k + 1] * x[indices[k + 1]];
    s2 += values[k + 2] * x[indices[k + 2]];
    s3 += values[k + 3] * x[indices[k + 3]];
  }
  double rest = 0;
  for (; k < count; ++k) rest += values[k] * x[indices[k]];
  return ((s0 + s1) + (s2 + s3)) + rest;
}

template <class A, class X>
double dense_dot(const A* a, const X* x, std::size_t count) {
  std::array<double, 8> s{};
  std::size_t k = 0;
  for (; k + 8 <= count; k += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane)
      s[lane] += static_cast<double>(a[k + lane]) * static_cast<double>(x[k + lane]);
  }
  double rest = 0;
  for (; k < count; ++k) rest += static_cast<double>(a[k]) * static_cast<double>(x[k]);
  return (((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))) + rest;
}

}  // namespace

double SparseArrays::bytes() const {
  const double index = std::holds_alternative<SharedArray<std::uint16_t>>(indices) ? 2 : 4;
  const double value = 4 * static_cast<double>(values.index());
  return 8 * static_cast<double>(offsets.size()) +
         (index + value) * static_cast<double>(offsets.size() > 0 ? offsets[offsets.size() - 1] : 0);
}

SparseRows::SparseRows(std::vector<std::uint64_t> offsets, std::vector<std::uint32_t> indices,
                       std::vector<double> values, std::size_t columns)
    : SparseRows(SparseArrays{SharedArray(std::move(offsets)), SharedArray(std::move(indices)),
                              SharedArray(std::move(values)), columns}) {}

// A wrong index would read or write foreign memory in every pass, so it is looked for once, here.
SparseRows::SparseRows(SparseArrays arrays) : arrays_(std::move(arrays)) {
  const auto offsets = arrays_.offsets.span();
  require(!offsets.empty() && offsets.front() == 0, "the offsets of sparse rows must begin at 0");
  require(std::is_sorted(offsets.begin(), offsets.end()), "the offsets of sparse rows must not decrease");
  const std::size_t entries = offsets.back();
  const bool fits = std::visit([=](const auto& of) { return of.size() == entries; }, arrays_.indices);
  const auto* repeated = std::get_if<double>(&arrays_.values);
  const auto* floats = std::get_if<SharedArray<float>>(&arrays_.values);
  const auto* doubles = std::get_if<SharedArray<double>>(&arrays_.values);
  require(fits && (repeated || (floats && floats->size() == entries) || (doubles && doubles->size() == entries)),
          "the offsets of sparse rows must end at the number of entries");
  with_form(arrays_, [&](const auto* indices, auto values) {
    for (std::size_t i = 0; i < rows(); ++i) {
      double row_sum = 0, squares = 0;
      for (std::uint64_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        require(k == offsets[i] || indices[k - 1] < indices[k], "the indices of a sparse row must increase");
        const double value = values[k];
        row_sum += std::abs(value);
        squares += value * value;
      }
      require(offsets[i] == offsets[i + 1] || indices[offsets[i + 1] - 1] < columns(),
              "an index of a sparse row is beyond the number of columns");
      const std::size_t length = offsets[i + 1] - offsets[i];
      longest_row_ = std::max(longest_row_, length);
      gram_products_ += 0.5 * static_cast<double>(length) * static_cast<double>(length + 1);
      largest_row_sum_ = std::max(largest_row_sum_, row_sum);
      squared_norm_ += squares;
    }
  });
}

void SparseRows::forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const {
  assert(begin <= end && end <= rows() && x.size() == columns() && out.size() >= end - begin);
  const std::uint64_t* const offsets = arrays_.offsets.data();
  with_form(arrays_, [&](const auto* indices, auto values) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t first = offsets[i];
      out[i - begin] = sparse_dot(indices + first, values + first, offsets[i + 1] - first, x.data());
    }
  });
}

void SparseRows::backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                          std::span<double> sum) const {
  assert(begin <= end && end <= rows() && weight.size() >= end - begin && sum.size() == columns());
  const std::uint64_t* const offsets = arrays_.offsets.data();
  double* const out = sum.data();
  with_form(arrays_, [&](const auto* indices, auto values) {
    for (std::size_t i = begin; i < end; ++i) {
      const double w = weight[i - begin];
      const std::uint64_t last = offsets[i + 1];
      for (std::uint64_t k = offsets[i]; k < last; ++k) out[indices[k]] += w * values[k];
    }
  });
}

void SparseRows::add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                          std::span<double>) const {
  assert(begin <= end && end <= rows() && weight.size() >= end - begin && sum.size() == columns() * columns());
  const std::uint64_t* const offsets = arrays_.offsets.data();
  with_form(arrays_, [&](const auto* indices, auto values) {
    for (std::size_t i = begin; i < end; ++i) {
      if (weight[i - begin] == 0) continue;  // most rows, with a hinge
      const std::uint64_t last = offsets[i + 1];
      for (std::uint64_t j = offsets[i]; j < last; ++j) {
        const double w = weight[i - begin] * values[j];
        double* const column = sum.data() + indices[j] * columns();
        for (std::uint64_t k = j; k < last; ++k) column[indices[k]] += w * values[k];
      }
    }
  });
}

std::vector<std::uint32_t> SparseRows::indices(std::size_t row) const {
  assert(row < rows());
  std::vector<std::uint32_t> copy;
  with_form(arrays_, [&](const auto* indices, auto) {
    copy.assign(indices + arrays_.offsets[row], indices + arrays_.offsets[row + 1]);
  });
  return copy;
}

std::vector<double> SparseRows::values(std::size_t row) const {
  assert(row < rows());
  std::vector<double> copy;
  with_form(arrays_, [&](const auto*, auto values) {
    for (std::uint64_t k = arrays_.offsets[row]; k < arrays_.offsets[row + 1]; ++k) copy.push_back(values[k]);
  });
  return copy;
}

void SparseRows::copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const {
  indices.clear();
  values.clear();
  with_form(arrays_, [&](const auto* all_indices, auto all_values) {
    for (std::uint64_t k = arrays_.offsets[i]; k < arrays_.offsets[i + 1]; ++k) {
      if (all_values[k] == 0) continue;
      indices.push_back(all_indices[k]);
      values.push_back(all_values[k]);
    }
  });
}

DenseRows::DenseRows(Vector entries, std::size_t columns)
    : DenseRows(DenseArray(SharedArray(std::move(entries))), columns) {}

DenseRows::DenseRows(DenseArray entries, std::size_t columns) : entries_(std::move(entries)), columns_(columns) {
  const std::size_t size = std::visit([](const auto& of) { return of.size(); }, entries_);
  rows_ = columns == 0 ? 0 : size / columns;
  require(size == rows_ * columns_, "dense rows must all have the same length");
  std::visit(
      [&](const auto& of) {
        for (std::size_t i = 0; i < rows_; ++i) {
          double row_sum = 0;
          for (std::size_t j = 0; j < columns_; ++j) row_sum += std::abs(static_cast<double>(of[i * columns_ + j]));
          largest_row_sum_ = std::max(largest_row_sum_, row_sum);
        }
        squared_norm_ = dense_dot(of.data(), of.data(), of.size());
      },
      entries_);
}

double DenseRows::bytes() const {
  return static_cast<double>(rows_ * columns_) * (std::holds_alternative<SharedArray<float>>(entries_) ? 4 : 8);
}

void DenseRows::forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const {
  assert(begin <= end && end <= rows_ && x.size() == columns_ && out.size() >= end - begin);
  std::visit(
      [&](const auto& of) {
        for (std::size_t i = begin; i < end; ++i)
          out[i - begin] = dense_dot(of.data() + i * columns_, x.data(), columns_);
      },
      entries_);
}

void DenseRows::backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                         std::span<double> sum) const {
  assert(begin <= end && end <= rows_ && weight.size() >= end - begin && sum.size() == columns_);
  double* const out = sum.data();
  std::visit(
      [&](const auto& of) {
        for (std::size_t i = begin; i < end; ++i) {
          const double w = weight[i - begin];
          const auto* const a = of.data() + i * columns_;
          for (std::size_t j = 0; j < columns_; ++j) out[j] += w * static_cast<double>(a[j]);
        }
      },
      entries_);
}

// Rows are gathered until a matrix product pays.
void DenseRows::add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                         std::span<double> scratch) const {
  assert(begin <= end && end <= rows_ && weight.size() >= end - begin && sum.size() == columns_ * columns_);
  const auto d = static_cast<Eigen::Index>(columns_);
  Eigen::Map<Eigen::MatrixXd> total(sum.data(), d, d);
  Eigen::Map<Eigen::MatrixXd> gathered(scratch.data(), d, static_cast<Eigen::Index>(gram_tile));
  Eigen::Index count = 0;
  const auto flush = [&] {
    total.selfadjointView<Eigen::Lower>().rankUpdate(gathered.leftCols(count));
    count = 0;
  };
  std::visit(
      [&](const auto& of) {
        for (std::size_t i = begin; i < end; ++i) {
          if (weight[i - begin] == 0) continue;
          const double root = std::sqrt(weight[i - begin]);
          double* const column = gathered.col(count).data();
          for (std::size_t j = 0; j < columns_; ++j) column[j] = root * static_cast<double>(of[i * columns_ + j]);
          if (++count == gathered.cols()) flush();
        }
      },
      entries_);
  if (count > 0) flush();
}

std::size_t DenseRows::gram_scratch() const { return gram_tile * columns_; }

double DenseRows::gram_products() const {
  const double d = static_cast<double>(columns_);
  return 0.5 * static_cast<double>(rows_) * d * (d + 1);
}

Vector DenseRows::row(std::size_t i) const {
  assert(i < rows_);
  return std::visit([&](const auto& of) { return Vector(of.data() + i * columns_, of.data() + (i + 1) * columns_); },
                    entries_);
}

void DenseRows::copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const {
  indices.clear();
  values.clear();
  std::visit(
      [&](const auto& of) {
        for (std::size_t j = 0; j < columns_; ++j) {
          const double value = of[i * columns_ + j];
          if (value == 0) continue;
          indices.push_back(static_cast<std::uint32_t>(j));
          values.push_back(value);
        }
      },
      entries_);
}

}  // namespace geodescent
