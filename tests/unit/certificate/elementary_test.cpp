// exp, log and log1p of proofs, and the arithmetic they are made of, against numbers of 113 bits:
// within the bounds that proofs pay for, and not far within them only by luck, since millions of
// arguments would show it.
#include "certificate/numbers/elementary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "certificate/numbers/bounded.hpp"
#include "support/numbers.hpp"
#include "support/random.hpp"
#include "support/reference/proof_numbers.hpp"

namespace geodescent::testing {
namespace {

using proof::DoubleDouble;

double relative_error(Quad found, Quad truth) {
  return truth == 0 ? (found == 0 ? 0 : infinity) : static_cast<double>(absolute(found - truth) / absolute(truth));
}

Quad true_log(Quad x) {
  if (absolute(x - 1) <= 0.25) return logarithm_of_one_plus(x - 1);
  return x < 1 ? -logarithm(1 / x) : logarithm(x);
}

/// x and at most 40 bits more: such numbers are exact with 113 bits.
DoubleDouble lengthened(Random& random, double x) {
  const double more = std::ldexp(static_cast<double>(random.below(1 << 20)) - (1 << 19), std::ilogb(x) - 73);
  return proof::two_sum(x, more);
}

TEST(ProofArithmetic, LosesLessThanHalfAUnit) {
  Random random(31);
  const auto number = [&] {
    return lengthened(random, std::ldexp(random.normal(), static_cast<int>(random.below(60))));
  };
  for (int k = 0; k < 50000; ++k) {
    const DoubleDouble a = number(), b = k % 3 == 0 ? proof::two_sum(-a.high, std::ldexp(a.high, -45)) : number();
    ASSERT_LE(relative_error(quad(a + b), quad(a) + quad(b)), proof::unit / 2) << a.high << " " << b.high;
    ASSERT_LE(relative_error(quad(a - b), quad(a) - quad(b)), proof::unit / 2) << a.high << " " << b.high;
    ASSERT_LE(relative_error(quad(a * b), quad(a) * quad(b)), proof::unit / 2) << a.high << " " << b.high;
    ASSERT_LE(relative_error(quad(a / b), quad(a) / quad(b)), proof::unit / 2) << a.high << " " << b.high;
  }
}

TEST(ProofArithmetic, DividesByTheSmallestNumbers) {
  Random random(32);
  for (int k = 0; k < 1000; ++k) {
    // The low part is below the normal numbers: it has few digits, and all of them count.
    const DoubleDouble small{std::ldexp(1 + random.uniform(), -1000), std::ldexp(random.uniform(), -1055)};
    const DoubleDouble large{1 + random.uniform(), 0x1p-60 * random.uniform()};
    ASSERT_LE(relative_error(quad(small / large), quad(small) / quad(large)), 0x1p-70);  // its own low part is small
    ASSERT_LE(relative_error(quad(large / small), quad(large) / quad(small)), proof::unit / 2);
  }
}

TEST(ProofArithmetic, InfinityAndNoNumberStayWhatTheyAre) {
  const DoubleDouble huge = std::numeric_limits<double>::max();
  EXPECT_EQ((huge + huge).high, infinity);
  EXPECT_EQ((huge * huge).high, infinity);
  EXPECT_EQ((huge / 1e-10).high, infinity);
  EXPECT_EQ((DoubleDouble(1) / 0).high, infinity);
  EXPECT_TRUE(std::isnan((DoubleDouble(infinity) - infinity).high));
  EXPECT_TRUE(std::isnan(proof::exp(DoubleDouble(std::nan(""))).high));
  EXPECT_EQ(proof::exp(-1e300), 0);
  EXPECT_EQ(proof::exp(1e300), infinity);
}

/// Arguments of every size, those where cases meet, and their neighbours.
template <class Body>
void for_each_argument(const Body& body) {
  Random random(33);
  for (const double corner : {0x1.62e42fefa39efp-2, 0x1.62e42fefa39efp-1, 0.25, 0.5, 0.75, 1.0, 1.5})
    for (const double side : {1 - 0x1p-53, 1.0, 1 + 0x1p-52}) body(random, corner * side);
  for (int k = 0; k < 20000; ++k) {
    body(random, random.uniform());
    body(random, std::exp(-600 * random.uniform()));
    body(random, std::ldexp(1 + random.uniform(), static_cast<int>(random.below(12)) - 3));
  }
}

TEST(ProofFunctions, ErrorsAreWithinTheirBounds) {
  constexpr double of_double = 0x1p-52 * proof::function_error_of_double;
  constexpr double of_pair = proof::function_error_of_double_double;
  for_each_argument([&](Random& random, double x) {
    const DoubleDouble y = lengthened(random, x);
    const Quad q = x;
    if (x <= 600) {
      ASSERT_LE(relative_error(proof::exp(-x), 1 / exponential(q)), of_double) << x;
      ASSERT_LE(relative_error(quad(proof::exp(-y)), 1 / exponential(quad(y))), of_pair) << x;
    }
    ASSERT_LE(relative_error(proof::log(x), true_log(q)), of_double) << x;
    ASSERT_LE(relative_error(quad(proof::log(y)), true_log(quad(y))), of_pair) << x;
    if (x > 1) return;
    ASSERT_LE(relative_error(proof::log1p(x), logarithm_of_one_plus(q)), of_double) << x;
    ASSERT_LE(relative_error(proof::log1p(-x / 2), logarithm_of_one_plus(-q / 2)), of_double) << x;
    ASSERT_LE(relative_error(quad(proof::log1p(y)), logarithm_of_one_plus(quad(y))), of_pair) << x;
    ASSERT_LE(relative_error(quad(proof::log1p(y / -2)), logarithm_of_one_plus(-quad(y) / 2)), of_pair) << x;
  });
}

/// Many arguments, some of them not usual, at every place of a vector.
TEST(ProofFunctions, OfManyNumbersHaveTheBitsOfOne) {
  std::vector<double> logarithms, exponents, parts;
  for_each_argument([&](Random& random, double x) {
    logarithms.insert(logarithms.end(), {x, 1 / x});
    exponents.insert(exponents.end(), {-x, x, 800 * random.uniform() - 750});
    parts.insert(parts.end(), {std::min(x, 1.0), -std::min(x, 1.0) / 2});
    if (random.below(500) != 0) return;
    const double rare[] = {0.0, -0.0, infinity, -infinity, std::nan(""), 0x1p-1074, 0x1.fp-1023, 1e308, -1e308, -1.0};
    for (std::vector<double>* all : {&logarithms, &exponents, &parts}) all->push_back(rare[random.below(10)]);
  });
  const auto expect_same = [](std::vector<double> all, void (*of_many)(std::span<double>), double (*of_one)(double)) {
    std::vector<double> expected;
    for (const double x : all) expected.push_back(of_one(x));
    of_many(all);
    for (std::size_t i = 0; i < all.size(); ++i)
      ASSERT_EQ(__builtin_bit_cast(std::uint64_t, all[i]), __builtin_bit_cast(std::uint64_t, expected[i])) << i;
  };
  expect_same(exponents, proof::exp_each, proof::exp);
  expect_same(logarithms, proof::log_each, proof::log);
  expect_same(parts, proof::log1p_each, proof::log1p);
  for (std::size_t size = 0; size < 20; ++size)
    expect_same({exponents.begin(), exponents.begin() + static_cast<std::ptrdiff_t>(size)}, proof::exp_each,
                proof::exp);
}

/// The bits themselves, as recorded on one machine: no processor, compiler or C library may change
/// one.
TEST(ProofFunctions, HaveTheSameBitsEverywhere) {
  Random random(34);
  std::uint64_t sum = 14695981039346656037u;
  const auto add = [&](double x) { sum = (sum ^ __builtin_bit_cast(std::uint64_t, x)) * 1099511628211u; };
  for (int k = 0; k < 20000; ++k) {
    const double x = random.uniform(), t = 40 * x;
    for (const double y : {proof::exp(-t), proof::log(x), proof::log1p(x), proof::log1p(-x / 2)}) add(y);
    const DoubleDouble z = DoubleDouble(x) / 3;
    for (const DoubleDouble& y : {proof::exp(-z), proof::log(z), proof::log1p(z), z * z + z}) {
      add(y.high);
      add(y.low);
    }
  }
  EXPECT_EQ(sum, 15598602552820115819u);
}

}  // namespace
}  // namespace geodescent::testing
