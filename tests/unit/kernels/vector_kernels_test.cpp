// The kernels of vectors against sums written out, and with the same bits for every instruction
// set.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/kernels.hpp"
#include "support/instruction_sets.hpp"
#include "support/numbers.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

constexpr std::size_t vector_sizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 100, 1003};
constexpr std::size_t most_vectors = 6;  // four at once, and some that are left

TEST(InstructionSets, AreNamedAndNeverBeyondTheBest) {
  EXPECT_EQ(to_string(InstructionSet::portable), "portable");
  EXPECT_EQ(to_string(InstructionSet::avx2), "avx2");
  EXPECT_EQ(to_string(InstructionSet::avx512), "avx512");
  for (const InstructionSet set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512}) {
    const UsedInstructions used(set);
    EXPECT_EQ(instruction_set(), std::min(set, best_instruction_set()));
  }
}

TEST(VectorKernels, DotIsRightToItsRounding) {
  Random random(601);
  for (const std::size_t n : vector_sizes) {
    const Vector a = random.normal_vector(n), b = random.normal_vector(n);
    Real exact = 0, magnitude = 0;
    for (std::size_t i = 0; i < n; ++i) {
      exact += static_cast<Real>(a[i]) * b[i];
      magnitude += std::abs(static_cast<Real>(a[i]) * b[i]);
    }
    with_each_instruction_set([&] { return kernels().dot(a.data(), b.data(), n); },
                              [&](double first, double got) {
                                EXPECT_EQ(first, got) << n;
                                EXPECT_LE(std::abs(got - exact), (static_cast<Real>(n) / 8 + 10) * eps / 2 * magnitude);
                              });
  }
}

TEST(VectorKernels, ManyDotsHaveTheBitsOfEach) {
  Random random(602);
  for (const std::size_t n : vector_sizes)
    for (std::size_t count = 0; count <= most_vectors; ++count) {
      const std::size_t stride = n + 3;
      const Vector vectors = random.normal_vector(most_vectors * stride), x = random.normal_vector(n);
      with_each_instruction_set(
          [&] {
            Vector out(most_vectors, 7);
            kernels().multi_dot(vectors.data(), stride, count, x.data(), n, out.data());
            return out;
          },
          [&](const Vector& first, const Vector& got) {
            EXPECT_EQ(first, got);
            for (std::size_t k = 0; k < most_vectors; ++k)
              EXPECT_EQ(got[k], k < count ? kernels().dot(vectors.data() + k * stride, x.data(), n) : 7);
          });
    }
}

TEST(VectorKernels, CombinationsHaveTheBitsOfTheFormula) {
  Random random(603);
  for (const std::size_t n : vector_sizes) {
    const Vector a = random.normal_vector(n), b = random.normal_vector(n);
    Vector expected(n);
    for (std::size_t i = 0; i < n; ++i) {
      const volatile double left = 0.3 * a[i], right = -1.7 * b[i];  // not to be fused
      expected[i] = left + right;
    }
    with_each_instruction_set(
        [&] {
          Vector out(n), first = a, second = b;
          kernels().axpby(out.data(), 0.3, a.data(), -1.7, b.data(), n);
          kernels().axpby(first.data(), 0.3, first.data(), -1.7, b.data(), n);
          kernels().axpby(second.data(), 0.3, a.data(), -1.7, second.data(), n);
          EXPECT_EQ(out, first);
          EXPECT_EQ(out, second);
          return out;
        },
        [&](const Vector&, const Vector& got) { EXPECT_EQ(got, expected); });
  }
}

TEST(VectorKernels, ManyMultiplesAreAddedOneAfterTheOther) {
  Random random(604);
  for (const std::size_t n : vector_sizes)
    for (std::size_t count = 0; count <= most_vectors; ++count) {
      const std::size_t stride = n + 1;
      const Vector vectors = random.normal_vector(most_vectors * stride), c = random.normal_vector(most_vectors);
      const Vector y = random.normal_vector(n);
      Vector expected = y;
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < n; ++i) {
          const volatile double term = c[k] * vectors[k * stride + i];
          expected[i] += term;
        }
      with_each_instruction_set(
          [&] {
            Vector out = y;
            kernels().multi_axpy(out.data(), c.data(), vectors.data(), stride, count, n);
            return out;
          },
          [&](const Vector&, const Vector& got) { EXPECT_EQ(got, expected); });
    }
}

}  // namespace
}  // namespace geodescent::testing
