// The inner loops of the library. Each is written once, in plain C++, and compiled once for every instruction set
// (portable.cpp, avx2.cpp, avx512.cpp); which table is used is decided at start.
//
// The bits of a result are the same with each of them: the order of all additions is fixed in the source (sums run in
// eight lanes), no multiplication is fused with an addition, and no function of the C library is called.
//
// Kernels know neither threads nor errors: they take ranges that their caller has checked and cut.
#pragma once

#include <cstddef>

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
};

/// Those of instruction_set().
const Kernels& kernels();

}  // namespace geodescent
