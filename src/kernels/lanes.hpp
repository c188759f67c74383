// Eight doubles at once, in registers of the width of this compilation. All operations are lane by
// lane, so results do not depend on the width.
//
// Only the source of an instruction set may include this, and nothing here has external linkage: a
// function that the linker shares with the rest of the program could contain instructions that the
// processor does not have.
#pragma once

#include <cstddef>

#include "geodescent/detail/elementary.hpp"

#ifndef GEODESCENT_VECTOR_WIDTH
#error "include this only from the source of an instruction set"
#endif

namespace geodescent {
namespace {

constexpr std::size_t lanes = 8;
constexpr std::size_t register_width = GEODESCENT_VECTOR_WIDTH;  // doubles in a register
constexpr std::size_t parts = lanes / register_width;

typedef double Register __attribute__((vector_size(8 * GEODESCENT_VECTOR_WIDTH)));

struct Lanes {
  Register part[parts];
};

GEODESCENT_ALWAYS_INLINE Lanes zeros() {
  Lanes r;
  for (std::size_t p = 0; p < parts; ++p) r.part[p] = Register{};
  return r;
}

GEODESCENT_ALWAYS_INLINE Lanes load(const double* from) {
  Lanes r;
  for (std::size_t p = 0; p < parts; ++p) __builtin_memcpy(&r.part[p], from + p * register_width, sizeof(Register));
  return r;
}

GEODESCENT_ALWAYS_INLINE Lanes load(const float* from) {
  typedef float Narrow __attribute__((vector_size(4 * GEODESCENT_VECTOR_WIDTH)));
  Lanes r;
  for (std::size_t p = 0; p < parts; ++p) {
    Narrow n;
    __builtin_memcpy(&n, from + p * register_width, sizeof n);
    r.part[p] = __builtin_convertvector(n, Register);
  }
  return r;
}

GEODESCENT_ALWAYS_INLINE void store(double* to, const Lanes& a) {
  for (std::size_t p = 0; p < parts; ++p) __builtin_memcpy(to + p * register_width, &a.part[p], sizeof(Register));
}

GEODESCENT_ALWAYS_INLINE Lanes operator+(const Lanes& a, const Lanes& b) {
  Lanes r;
  for (std::size_t p = 0; p < parts; ++p) r.part[p] = a.part[p] + b.part[p];
  return r;
}

GEODESCENT_ALWAYS_INLINE Lanes operator*(const Lanes& a, const Lanes& b) {
  Lanes r;
  for (std::size_t p = 0; p < parts; ++p) r.part[p] = a.part[p] * b.part[p];
  return r;
}

GEODESCENT_ALWAYS_INLINE Lanes operator*(double s, const Lanes& a) {
  Lanes r;
  for (std::size_t p = 0; p < parts; ++p) r.part[p] = s * a.part[p];
  return r;
}

GEODESCENT_ALWAYS_INLINE Lanes absolute(const Lanes& a) {
  typedef long long Bits __attribute__((vector_size(8 * GEODESCENT_VECTOR_WIDTH)));
  Lanes r;
  for (std::size_t p = 0; p < parts; ++p) {
    Bits bits;
    __builtin_memcpy(&bits, &a.part[p], sizeof bits);
    bits &= 0x7fffffffffffffff;
    __builtin_memcpy(&r.part[p], &bits, sizeof bits);
  }
  return r;
}

/// The sum of the eight lanes and the rest, in the order that all kernels use.
GEODESCENT_ALWAYS_INLINE double total(const Lanes& a, double rest) {
  double s[lanes];
  store(s, a);
  s[0] += rest;
  return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
}

}  // namespace
}  // namespace geodescent
