// The quadratic programme over the simplex.
#include "optimize/models/simplex_qp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geodescent/vector.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

struct Programme {
  std::size_t n;
  Vector b, gram;

  double value(const Vector& w) const {
    double sum = dot(b, w);
    for (std::size_t i = 0; i < n; ++i) sum -= 0.5 * w[i] * dot(std::span<const double>(gram).subspan(i * n, n), w);
    return sum;
  }
  double gap(const Vector& w) const {
    Vector g = b;
    for (std::size_t i = 0; i < n; ++i) g[i] -= dot(std::span<const double>(gram).subspan(i * n, n), w);
    return *std::max_element(g.begin(), g.end()) - dot(g, w);
  }
  void improve(Vector& w, double tolerance, int steps) const {
    Vector gradient(n);
    SimplexQp{b, gram, n}.improve(w, gradient, tolerance, steps);
  }
};

Programme random_programme(Random& random, std::size_t n, std::size_t rank) {
  Programme p{n, random.normal_vector(n), Vector(n * n)};
  const Vector a = random.normal_vector(n * rank);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      p.gram[i * n + j] =
          dot(std::span<const double>(a).subspan(i * rank, rank), std::span<const double>(a).subspan(j * rank, rank));
  return p;
}

TEST(SimplexQp, TwoWeightsHaveAClosedForm) {
  // b = (1, 0), G = diag(2, 2): maximise w - w^2 - (1 - w)^2, at w = 3/4.
  const Programme p{2, {1, 0}, {2, 0, 0, 2}};
  Vector w{0, 1};
  p.improve(w, 0, 100);
  EXPECT_NEAR(w[0], 0.75, 1e-15);
  EXPECT_NEAR(w[1], 0.25, 1e-15);
}

TEST(SimplexQp, ReachesTheGapItIsAskedForAndStaysInTheSimplex) {
  Random random(223);
  for (int k = 0; k < 200; ++k) {
    const std::size_t n = 1 + static_cast<std::size_t>(k) % 20;
    const Programme p = random_programme(random, n, 1 + static_cast<std::size_t>(k) % 7);
    Vector w(n);
    w[static_cast<std::size_t>(k) % n] = 1;
    p.improve(w, 1e-6, 100000);
    EXPECT_LE(p.gap(w), 1.1e-6);
    EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 1, 1e-12);
    for (const double v : w) EXPECT_GE(v, 0);
  }
}

TEST(SimplexQp, NeverFalls) {
  Random random(227);
  for (int k = 0; k < 50; ++k) {
    const Programme p = random_programme(random, 12, 4);
    Vector w(12, 1.0 / 12);
    double value = p.value(w);
    for (int step = 0; step < 40; ++step) {
      p.improve(w, 0, 1);
      const double next = p.value(w);
      EXPECT_GE(next, value - 1e-14 * (1 + std::abs(value)));
      value = next;
    }
  }
}

TEST(SimplexQp, TheGapBoundsWhatIsMissing) {
  Random random(229);
  for (int k = 0; k < 50; ++k) {
    const Programme p = random_programme(random, 8, 3);
    Vector best(8, 0.125), w(8, 0.125);
    p.improve(best, 1e-13, 1000000);
    p.improve(w, 1e-3, 1000000);
    EXPECT_LE(p.value(best) - p.value(w), p.gap(w) + 1e-12);
  }
}

}  // namespace
}  // namespace geodescent::testing
