// The inner loops of the library. Each is written once, in plain C++, and compiled for every
// instruction set (portable.cpp, avx2.cpp, avx512.cpp). The table is chosen at start.
//
// All tables give the same bits. The source fixes the order of all additions (sums run in eight
// lanes), no multiplication is fused with an addition, and no function of the C library is called.
//
// Kernels use no threads and check nothing: the caller passes valid ranges.
#pragma once

#include <cstddef>
#include <cstdint>

#include "geodescent/learn/loss.hpp"

namespace geodescent {

/// Compressed rows as in SparseArrays, from some row on. Offsets count from the start of the whole
/// matrix. Row i has the entries from offsets[i] to ends[i]. `ends` is offsets + 1 for whole rows.
struct SparseView {
  const std::uint64_t* offsets;
  const std::uint64_t* ends;
  /// The order in which rows are processed, as indices from the first row; null for the natural
  /// order. When rows of equal length follow each other, branch prediction finds the end of the
  /// loops.
  const std::uint16_t* order;
  const void* indices;          // std::uint16_t, std::uint32_t or std::uint64_t
  const float* floats;          // the values; if null,
  const double* doubles;        // these; if both are null,
  double repeated;              // this value for all entries
  double constant;              // if not 0, one more entry at the end of every row,
  std::size_t constant_column;  // in this column
};

/// Entry j of row i is entries[i * row_stride + j * column_stride]. A constant that is not 0 is one
/// more column at the end, with this value in every row.
template <class T>
struct DenseView {
  const T* entries;
  std::size_t row_stride;
  std::size_t column_stride;
  double constant;
};

// Rows that a kernel of Gram matrices processes together, and the scratch memory that it needs.
inline constexpr std::size_t gram_panel = 64, columns_panel = 512;
constexpr std::size_t dense_gram_scratch(std::size_t columns) { return 2 * ((columns + 7) / 8) * 8 * (gram_panel + 1); }
constexpr std::size_t columns_gram_scratch(std::size_t columns) { return (columns + 5) * (columns_panel + 8); }
constexpr std::size_t packed_panel_size(std::size_t rows) { return (rows + 7) / 8 * 8 * (gram_panel + 1); }

/// `loss` points to the solver's loss that the function is made for. y is null for classification.
using LossRows = void (*)(const void* loss, const double* z, const double* y, std::size_t n, const LossArrays& to);

/// Maps the product of row i with x to the multiple of the row that is added to x.
using SweepStep = double (*)(void* context, std::size_t i, double product);

/// Those for dense matrices of n rows and d columns, where a constant column is not counted; see
/// Kernels.
template <class T>
struct DenseKernels {
  void (*forward)(const DenseView<T>& a, std::size_t n, std::size_t d, const double* x, double* out);
  void (*backward)(const DenseView<T>& a, std::size_t n, std::size_t d, const double* w, double* sum);
  void (*multi_forward)(const DenseView<T>& a, std::size_t n, std::size_t d, std::size_t outputs, const double* x,
                        double* out);
  void (*multi_backward)(const DenseView<T>& a, std::size_t n, std::size_t d, std::size_t outputs, const double* w,
                         double* sum);
  void (*gram)(const DenseView<T>& a, std::size_t n, std::size_t d, const double* w, double* sum, double* scratch);
  void (*multi_gram)(const DenseView<T>& a, std::size_t n, std::size_t d, std::size_t outputs, const double* w,
                     double* sum, double* scratch);
};

struct Kernels {
  // Vectors. A sum of n terms is at most n / 8 + 10 roundings deep.

  /// a.b.
  double (*dot)(const double* a, const double* b, std::size_t n);
  /// out = s a + t b, where out may be a or b.
  void (*axpby)(double* out, double s, const double* a, double t, const double* b, std::size_t n);
  /// out[k] = v_k.x for `count` vectors of length n, `stride` apart. Each result has the bits of
  /// `dot`.
  void (*multi_dot)(const double* vectors, std::size_t stride, std::size_t count, const double* x, std::size_t n,
                    double* out);
  /// y += c_0 v_0 + c_1 v_1 + ..., added in this order to each entry of y. y is not one of the v_k.
  void (*multi_axpy)(double* y, const double* c, const double* vectors, std::size_t stride, std::size_t count,
                     std::size_t n);
  double (*sum)(const double* a, std::size_t n);
  /// out = s a, and the elementwise product of a and b; out may be a or b.
  void (*scale)(double* out, double s, const double* a, std::size_t n);
  void (*multiply)(double* out, const double* a, const double* b, std::size_t n);
  void (*widen)(double* out, const std::int8_t* signs, std::size_t n);
  void (*apply_signs)(double* x, const std::int8_t* signs, std::size_t n);

  // Losses phi of n rows, in the arrays of LossArrays.

  /// phi of each row; one function for each loss of the table.
  const LossRows* losses;
  /// The loss log sum_k exp(z_k) - z_y of n rows with K = `outputs` predictions each. z: in,
  /// predictions; out, less the largest of the row. value: null to skip it. slope: the derivatives,
  /// p_k - [k = y] with p the probabilities.
  void (*softmax)(double* z, const std::uint32_t* y, std::size_t n, std::size_t outputs, double* value, double* slope);
  /// Sums of phi, phi' d, phi'' d^2: the loss and its derivatives along a line whose images change
  /// by d.
  void (*line_sums)(const LossArrays& phi, const double* d, std::size_t n, double* out);
  /// Sums of phi' s, phi'', |phi'|: the derivatives with respect to an intercept b that adds b s to
  /// the images, and the magnitude of the first sum.
  void (*shift_sums)(const LossArrays& phi, const double* sign, std::size_t n, double* out);
  /// The three sums of shift_sums, the three of line_sums, and the sum of phi'' d s.
  void (*shifted_line_sums)(const LossArrays& phi, const double* d, const double* sign, std::size_t n, double* out);
  /// Weighted sums of phi, uz, |uz|, |u|, u^2, us with u = phi': a lower model and its rounding
  /// bound.
  void (*dual_sums)(const double* value, const double* slope, const double* z, const double* sign, const double* weight,
                    std::size_t n, double* out);
  /// The mean of phi'' over [z - width, z + width], from phi' at both ends.
  void (*mean_curvatures)(double* curvature, const double* z, const double* above, const double* below, double width,
                          std::size_t n);

  // Matrices of n rows and d columns, not counting a constant column. `backward` and the Gram
  // matrices add to the output. Sparse kernels are indexed by the index type: 16, 32 or 64 bits.

  DenseKernels<float> dense_float;
  DenseKernels<double> dense_double;
  /// out_i = a_i.x.
  void (*sparse_forward[3])(const SparseView& a, std::size_t n, const double* x, double* out);
  /// sum += w_0 a_0 + w_1 a_1 + ...
  void (*sparse_backward[3])(const SparseView& a, std::size_t n, const double* w, double* sum);
  /// The same with K = `outputs` vectors at once: x and the sum have K neighbours for each column,
  /// out and w for each row. An entry of out is longest / 2 + 2 roundings deep at most, with
  /// `longest` the length of the longest row.
  void (*sparse_multi_forward[3])(const SparseView& a, std::size_t n, std::size_t outputs, const double* x,
                                  double* out);
  void (*sparse_multi_backward[3])(const SparseView& a, std::size_t n, std::size_t outputs, const double* w,
                                   double* sum);
  /// For each row in turn: x += step(context, i, a_i.x) a_i.
  void (*sparse_sweep[3])(const SparseView& a, std::size_t n, double* x, SweepStep step, void* context);
  /// sum += w_0 a_0 a_0' + w_1 a_1 a_1' + ..., the lower triangle, column by column. `stride` is
  /// the number of columns, with the constant; scratch has dense_gram_scratch() numbers for it.
  void (*sparse_gram[3])(const SparseView& a, std::size_t n, std::size_t stride, const double* w, double* sum);
  /// The same with K = `outputs` weights for each row. The sum has K neighbours for each entry of
  /// the lower triangle of a matrix of d columns, with the constant, column by column without gaps.
  void (*sparse_multi_gram[3])(const SparseView& a, std::size_t n, std::size_t d, std::size_t outputs, const double* w,
                               double* sum);
  /// The same for m columns of length n, `stride` apart; the columns of the sum are `sum_stride`
  /// apart.
  void (*columns_gram)(const double* columns, std::size_t stride, std::size_t m, std::size_t n, const double* w,
                       double* sum, std::size_t sum_stride, double* scratch);

  /// Packs a panel P of gram_panel columns, `stride` apart, for the next kernel:
  /// packed_panel_size(rows) numbers. Rows from row r on, a multiple of eight, are packed at
  /// packed_panel_size(r).
  void (*pack_panel)(const double* panel, std::size_t stride, std::size_t rows, double* packed);
  /// `rest` -= P P' in the columns from `first` to `last` of the lower triangle. Both are multiples
  /// of eight, except `last` at the end of the matrix. Each entry subtracts a sum over the columns
  /// of P, in order.
  void (*subtract_panel_gram)(const double* packed, std::size_t rows, std::size_t first, std::size_t last, double* rest,
                              std::size_t stride);
};

/// The table of instruction_set().
const Kernels& kernels();

}  // namespace geodescent
