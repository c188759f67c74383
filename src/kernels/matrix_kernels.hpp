// Products with the rows of a matrix, dense and compressed. A sum has the same bits whatever the form its numbers are
// stored in.
#pragma once

#include <cstdint>

#include "kernels/kernels.hpp"
#include "kernels/lanes.hpp"

namespace geodescent {
namespace {

// Dense rows.

template <class T>
GEODESCENT_ALWAYS_INLINE double dense_dot(const T* a, const double* x, std::size_t d) {
  Lanes sum = zeros();
  std::size_t j = 0;
  for (; j + lanes <= d; j += lanes) sum = sum + load(a + j) * load(x + j);
  double rest = 0;
  for (; j < d; ++j) rest += static_cast<double>(a[j]) * x[j];
  return total(sum, rest);
}

template <class T>
void dense_forward(const T* rows, std::size_t n, std::size_t d, const double* x, double* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = dense_dot(rows + i * d, x, d);
}

/// K rows at once: the sum is read and written once for them, and added to in their order.
template <std::size_t K, class T>
GEODESCENT_ALWAYS_INLINE void add_rows(const T* rows, std::size_t d, const double* weight, double* sum) {
  std::size_t j = 0;
  for (; j + lanes <= d; j += lanes) {
    Lanes s = load(sum + j);
    for (std::size_t k = 0; k < K; ++k) s = s + weight[k] * load(rows + k * d + j);
    store(sum + j, s);
  }
  for (; j < d; ++j)
    for (std::size_t k = 0; k < K; ++k) sum[j] += weight[k] * static_cast<double>(rows[k * d + j]);
}

template <class T>
void dense_backward(const T* rows, std::size_t n, std::size_t d, const double* weight, double* sum) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) add_rows<4>(rows + i * d, d, weight + i, sum);
  for (; i < n; ++i) add_rows<1>(rows + i * d, d, weight + i, sum);
}

// Compressed rows. Values are read by one of these.

struct Ones {
  GEODESCENT_ALWAYS_INLINE Ones at(std::uint64_t) const { return {}; }
  GEODESCENT_ALWAYS_INLINE double times(double x, std::uint64_t) const { return x; }  // as a product with 1 is
};
struct Repeated {
  double number;
  GEODESCENT_ALWAYS_INLINE Repeated at(std::uint64_t) const { return *this; }
  GEODESCENT_ALWAYS_INLINE double times(double x, std::uint64_t) const { return x * number; }
};
template <class T>
struct Stored {
  const T* numbers;
  GEODESCENT_ALWAYS_INLINE Stored at(std::uint64_t k) const { return {numbers + k}; }
  GEODESCENT_ALWAYS_INLINE double times(double x, std::uint64_t k) const { return x * static_cast<double>(numbers[k]); }
};

/// body(values, i) for each row i, with the reader of the values, in the order of the rows.
template <class Values, class Body>
GEODESCENT_ALWAYS_INLINE void in_order(const SparseView& a, std::size_t n, Values values, const Body& body) {
  if (a.order)
    for (std::size_t r = 0; r < n; ++r) body(values, a.order[r]);
  else
    for (std::size_t i = 0; i < n; ++i) body(values, i);
}

template <class Body>
GEODESCENT_ALWAYS_INLINE void with_values_and_order(const SparseView& a, std::size_t n, const Body& body) {
  if (a.floats)
    in_order(a, n, Stored<float>{a.floats}, body);
  else if (a.doubles)
    in_order(a, n, Stored<double>{a.doubles}, body);
  else if (a.repeated == 1)
    in_order(a, n, Ones{}, body);
  else
    in_order(a, n, Repeated{a.repeated}, body);
}

template <class Index, class Values>
GEODESCENT_ALWAYS_INLINE double sparse_dot(const Index* indices, Values values, std::uint64_t count, const double* x) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::uint64_t k = 0;
  for (; k + 4 <= count; k += 4) {
    s0 += values.times(x[indices[k]], k);
    s1 += values.times(x[indices[k + 1]], k + 1);
    s2 += values.times(x[indices[k + 2]], k + 2);
    s3 += values.times(x[indices[k + 3]], k + 3);
  }
  double rest = 0;
  for (; k < count; ++k) rest += values.times(x[indices[k]], k);
  return ((s0 + s1) + (s2 + s3)) + rest;
}

template <class Index>
void sparse_forward(const SparseView& a, std::size_t n, const double* x, double* out) {
  const auto* const indices = static_cast<const Index*>(a.indices);
  const std::uint64_t* const offsets = a.offsets;
  with_values_and_order(
      a, n, [=](auto values, std::size_t i) __attribute__((always_inline)) {
        const std::uint64_t first = offsets[i];
        out[i] = sparse_dot(indices + first, values.at(first), offsets[i + 1] - first, x);
      });
}

template <class Index>
void sparse_backward(const SparseView& a, std::size_t n, const double* weight, double* sum) {
  const auto* const indices = static_cast<const Index*>(a.indices);
  const std::uint64_t* const offsets = a.offsets;
  with_values_and_order(
      a, n, [=](auto values, std::size_t i) __attribute__((always_inline)) {
        const double w = weight[i];
        const std::uint64_t last = offsets[i + 1];
        for (std::uint64_t k = offsets[i]; k < last; ++k) sum[indices[k]] += values.times(w, k);
      });
}

/// The outer product of a row with itself. K columns of the matrix at once: an index is read once for them, and loops
/// are few.
template <std::size_t K, class Index, class Values>
GEODESCENT_ALWAYS_INLINE void add_columns(const Index* indices, Values values, std::uint64_t j, std::uint64_t count,
                                          double weight, double* sum, std::size_t d) {
  double w[K];
  double* column[K];
  for (std::size_t c = 0; c < K; ++c) {
    w[c] = values.times(weight, j + c);
    column[c] = sum + indices[j + c] * d;
    for (std::size_t k = 0; k <= c; ++k) column[k][indices[j + c]] += values.times(w[k], j + c);
  }
  for (std::uint64_t k = j + K; k < count; ++k) {
    const std::size_t index = indices[k];
    for (std::size_t c = 0; c < K; ++c) column[c][index] += values.times(w[c], k);
  }
}

template <class Index>
void sparse_gram(const SparseView& a, std::size_t n, std::size_t d, const double* weight, double* sum) {
  const auto* const indices = static_cast<const Index*>(a.indices);
  const std::uint64_t* const offsets = a.offsets;
  with_values_and_order(
      a, n, [=](auto values, std::size_t i) __attribute__((always_inline)) {
        if (weight[i] == 0) return;  // most rows, with a hinge
        const std::uint64_t first = offsets[i], count = offsets[i + 1] - first;
        std::uint64_t j = 0;
        for (; j + 4 <= count; j += 4) add_columns<4>(indices + first, values.at(first), j, count, weight[i], sum, d);
        for (; j < count; ++j) add_columns<1>(indices + first, values.at(first), j, count, weight[i], sum, d);
      });
}

}  // namespace
}  // namespace geodescent
