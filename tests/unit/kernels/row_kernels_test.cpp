// Losses of many rows and their sums: the bits of the losses one by one, and the same for every
// instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "kernels/kernels.hpp"
#include "losses/table.hpp"
#include "support/instruction_sets.hpp"
#include "support/numbers.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

constexpr std::size_t row_counts[] = {0, 1, 5, 8, 21, 64, 515};

/// The three arrays of a loss, one after the other.
struct Arrays {
  explicit Arrays(std::size_t n) : size(n), numbers(3 * n, 99) {}
  LossArrays arrays(bool values = true) {
    return {values ? numbers.data() : nullptr, numbers.data() + size, numbers.data() + 2 * size};
  }
  std::size_t size;
  Vector numbers;
};

void expect_same_bits(const Vector& a, const Vector& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << i << ": " << a[i] << " and " << b[i];
}

template <class L>
void expect_rows(const L& loss, std::size_t index) {
  Random random(611);
  for (const std::size_t n : row_counts) {
    Vector z = random.normal_vector(n, 5);
    const Vector y = random.normal_vector(n);
    const Vector special{0.0, -0.0, 1.0, 1e-320, 745, -745, 1e308, -1e308, infinity, -infinity, std::nan("")};
    for (std::size_t i = 0; i < std::min(n / 2, special.size()); ++i) z[i] = special[i];
    with_each_instruction_set(
        [&] {
          Arrays got(n), without(n);
          const double* const targets = L::task == Task::regression ? y.data() : nullptr;
          kernels().losses[index](&loss, z.data(), targets, n, got.arrays());
          kernels().losses[index](&loss, z.data(), targets, n, without.arrays(false));
          for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(without.numbers[i], 99) << "values were not asked for";
          std::copy_n(got.numbers.begin(), n, without.numbers.begin());
          expect_same_bits(got.numbers, without.numbers);
          return got.numbers;
        },
        [&](const Vector&, const Vector& got) {
          Vector expected(3 * n);
          for (std::size_t i = 0; i < n; ++i) {
            const LossValue phi = loss(z[i], L::task == Task::regression ? y[i] : 1);
            expected[i] = phi.value;
            expected[n + i] = phi.slope;
            expected[2 * n + i] = phi.curvature;
          }
          expect_same_bits(expected, got);
        });
  }
}

TEST(RowKernels, LossesHaveTheBitsOfEachRow) {
  std::size_t index = 0;
  for_each_loss([&]<class Entry>(Entry) {
    using L = typename Entry::Solver;
    expect_rows(L{}, index);
    if constexpr (HasParameter<L>) expect_rows(L{0.3}, index);
    ++index;
  });
}

TEST(RowKernels, SumsAreRightAndTheSameForEveryInstructionSet) {
  Random random(612);
  for (const std::size_t n : row_counts) {
    Arrays phi(n);
    phi.numbers = random.normal_vector(3 * n);
    const double *v = phi.numbers.data(), *u = v + n, *h = u + n;
    const Vector d = random.normal_vector(n), z = random.normal_vector(n);
    Vector sign(n), weight(n);
    for (std::size_t i = 0; i < n; ++i) {
      sign[i] = random.chance(0.5) ? 1 : -1;
      weight[i] = random.uniform();
    }
    const auto sums = [&] {
      const Kernels& k = kernels();
      Vector out(20);
      out[0] = k.sum(v, n);
      k.line_sums(phi.arrays(), d.data(), n, &out[1]);
      k.shift_sums(phi.arrays(), sign.data(), n, &out[4]);
      k.shifted_line_sums(phi.arrays(), d.data(), sign.data(), n, &out[7]);
      k.dual_sums(v, u, z.data(), sign.data(), weight.data(), n, &out[14]);
      return out;
    };
    Vector expected(20);
    for (std::size_t i = 0; i < n; ++i) {
      const double s = sign[i], c = weight[i];
      const double terms[] = {v[i],
                              v[i],
                              u[i] * d[i],
                              h[i] * d[i] * d[i],
                              s * u[i],
                              h[i],
                              std::abs(u[i]),
                              s * u[i],
                              h[i],
                              std::abs(u[i]),
                              v[i],
                              u[i] * d[i],
                              h[i] * d[i] * d[i],
                              s * h[i] * d[i],
                              c * v[i],
                              c * u[i] * z[i],
                              c * std::abs(u[i] * z[i]),
                              c * std::abs(u[i]),
                              c * u[i] * u[i],
                              c * u[i] * s};
      for (std::size_t k = 0; k < 20; ++k) expected[k] += terms[k];
    }
    with_each_instruction_set(sums, [&](const Vector& first, const Vector& got) {
      EXPECT_EQ(first, got);
      for (std::size_t k = 0; k < 20; ++k) EXPECT_NEAR(got[k], expected[k], 1e-11) << k << " of " << n;
    });
  }
}

TEST(RowKernels, EntriesHaveTheBitsOfTheirFormulas) {
  Random random(613);
  for (const std::size_t n : row_counts) {
    const Vector a = random.normal_vector(n), b = random.normal_vector(n), z = random.normal_vector(n, 100);
    std::vector<std::int8_t> signs(n);
    for (std::int8_t& s : signs) s = random.chance(0.5) ? 1 : -1;
    const double width = 3e-5;  // between 1e-6 and what an image of 100 allows
    const auto entries = [&] {
      const Kernels& k = kernels();
      Vector scaled = a, product = a, wide(n), flipped = a, means = b;
      k.scale(scaled.data(), 0.3, scaled.data(), n);
      k.multiply(product.data(), product.data(), b.data(), n);
      k.widen(wide.data(), signs.data(), n);
      k.apply_signs(flipped.data(), signs.data(), n);
      k.mean_curvatures(means.data(), z.data(), a.data(), b.data(), width, n);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(scaled[i], 0.3 * a[i]);
        EXPECT_EQ(product[i], a[i] * b[i]);
        EXPECT_EQ(wide[i], signs[i]);
        EXPECT_EQ(flipped[i], a[i] * signs[i]);
        EXPECT_EQ(means[i], width <= 1e-6 * (1 + std::abs(z[i])) ? b[i] : std::max(0.0, (a[i] - b[i]) / (2 * width)));
      }
      return n;
    };
    with_each_instruction_set(entries, [](std::size_t, std::size_t) {});
  }
}

}  // namespace
}  // namespace geodescent::testing
