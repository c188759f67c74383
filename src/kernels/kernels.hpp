// The inner loops of the library. Each is written once, in plain C++, and compiled once for every instruction set
// (portable.cpp, avx2.cpp, avx512.cpp); which table is used is decided at start.
//
// The bits of a result are the same with each of them: the order of all additions is fixed in the source (sums run in
// eight lanes), no multiplication is fused with an addition, and no function of the C library is called.
//
// Kernels know neither threads nor errors: they take ranges that their caller has checked and cut.
#pragma once

#include <cstddef>
#include <cstdint>

#include "geodescent/losses.hpp"

namespace geodescent {

struct Kernels {
  // Vectors. A sum of n terms is n / 8 + 10 roundings deep at most.

  /// a.b.
  double (*dot)(const double* a, const double* b, std::size_t n);
  /// out = s a + t b, where out may be a or b.
  void (*axpby)(double* out, double s, const double* a, double t, const double* b, std::size_t n);
  /// out[k] = v_k.x for `count` vectors of length n, `stride` apart; each has the bits of `dot`.
  void (*multi_dot)(const double* vectors, std::size_t stride, std::size_t count, const double* x, std::size_t n,
                    double* out);
  /// y += c_0 v_0 + c_1 v_1 + ..., added one after the other to each entry of y; y is none of them.
  void (*multi_axpy)(double* y, const double* c, const double* vectors, std::size_t stride, std::size_t count,
                     std::size_t n);
  double (*sum)(const double* a, std::size_t n);
  /// out = s a, and the products of entries; out may be a or b.
  void (*scale)(double* out, double s, const double* a, std::size_t n);
  void (*multiply)(double* out, const double* a, const double* b, std::size_t n);
  void (*widen)(double* out, const std::int8_t* signs, std::size_t n);
  void (*apply_signs)(double* x, const std::int8_t* signs, std::size_t n);

  // Losses phi of n rows, in the arrays of LossArrays.

  /// phi of each row, for each loss of the library: `loss` points to one of its type, y is null for classification.
  void (*losses[std::tuple_size_v<Losses>])(const void* loss, const double* z, const double* y, std::size_t n,
                                            const LossArrays& to);
  /// Sums of phi, phi' d, phi'' d^2: a function and its derivatives along the line whose images change by d.
  void (*line_sums)(const LossArrays& phi, const double* d, std::size_t n, double* out);
  /// Sums of phi' s, phi'', |phi'|: what a shift of the images by b s does, and the size of what was added up.
  void (*shift_sums)(const LossArrays& phi, const double* sign, std::size_t n, double* out);
  /// Both, and the sum of phi'' d s: seven.
  void (*shifted_line_sums)(const LossArrays& phi, const double* d, const double* sign, std::size_t n, double* out);
  /// Weighted sums of phi, uz, |uz|, |u|, u^2, us with u = phi': a lower model, and the sizes its rounding depends on.
  void (*dual_sums)(const double* value, const double* slope, const double* z, const double* sign, const double* weight,
                    std::size_t n, double* out);
  /// The mean of phi'' over [z - width, z + width], from the slopes at both ends.
  void (*mean_curvatures)(double* curvature, const double* z, const double* above, const double* below, double width,
                          std::size_t n);
};

/// Those of instruction_set().
const Kernels& kernels();

}  // namespace geodescent
