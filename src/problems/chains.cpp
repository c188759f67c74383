// Chains: each variable is coupled to its neighbours only, so information spreads slowly.
#include "problems/make_problem.hpp"

namespace geodescent::problems {
namespace {

/// The energy of a link of length d, its derivative, and its conjugate max_d (s d - value(d)).
struct LogCosh {
  template <class Real>
  static Real value(Real d) {
    const Real length = std::abs(d);
    // Both equal log(cosh d): the first is precise for small d, the second does not overflow.
    return length < 1 ? std::log1p(square(std::sinh(d))) / 2 : length + std::log1p(std::expm1(-2 * length) / 2);
  }
  template <class Real>
  static Real slope(Real d) {
    return std::tanh(d);
  }
  static long double conjugate(long double s) { return ((1 + s) * std::log1p(s) + (1 - s) * std::log1p(-s)) / 2; }
};

struct FourthPower {
  template <class Real>
  static Real value(Real d) {
    return square(square(d)) / 4;
  }
  template <class Real>
  static Real slope(Real d) {
    return d * d * d;
  }
  static long double conjugate(long double s) { return std::abs(s * std::cbrt(s)) * 3 / 4; }
};

/// A chain of springs fixed at one end, with a force at every joint: sum k_i link(x_i - x_{i-1}) -
/// forces.x with x_0 = 0. At the minimum the tension of a link is the sum of the forces beyond it.
template <class Link>
struct HangingChain {
  Vector stiffness;
  Vector forces;

  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    Real value = 0, before = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Real length = x[i] - before, tension = stiffness[i] * Link::slope(length);
      value += stiffness[i] * Link::value(length) - forces[i] * x[i];
      g[i] = tension - forces[i];
      if (i > 0) g[i - 1] -= tension;
      before = x[i];
    }
    return value;
  }

  long double minimum() const {
    long double value = 0, tension = 0;
    for (std::size_t i = forces.size(); i-- > 0;) {
      tension += forces[i];
      value -= stiffness[i] * Link::conjugate(tension / stiffness[i]);
    }
    return value;
  }
};

/// x - y|^2 / 2 + weight sum sqrt(width^2 + (x_{i+1} - x_i)^2): removes noise from a signal y.
struct TotalVariation {
  Vector signal;
  double weight = 1;
  double width = 0.001;

  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    Real value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      g[i] = x[i] - signal[i];
      value += g[i] * g[i] / 2;
    }
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      const Real jump = x[i + 1] - x[i], length = std::hypot(Real{width}, jump), slope = weight * jump / length;
      value += weight * length;
      g[i + 1] += slope;
      g[i] -= slope;
    }
    return value;
  }
};

}  // namespace

TestProblem log_cosh_chain() {
  constexpr std::size_t n = 200;
  HangingChain<LogCosh> f{Vector(n), Vector(n, 1.0 / 256)};
  for (std::size_t i = 0; i < n; ++i) f.stiffness[i] = spread(i, n, 6);
  const long double minimum = f.minimum();
  return make_problem({.name = "log-cosh-chain",
                       .summary = "a hanging chain of 200 springs whose force is bounded",
                       .start = Vector(n),
                       .minimum = minimum},
                      std::move(f));
}

TestProblem quartic_chain() {
  constexpr std::size_t n = 128;
  HangingChain<FourthPower> f{Vector(n, 1), Vector(n)};
  // From the loose end the tension is 1, 2, ..., 8, 7, ..., 0: some links have no tension and no
  // curvature.
  for (std::size_t i = 0; i < n; ++i) f.forces[i] = i / 8 % 2 == 0 ? -1 : 1;
  const long double minimum = f.minimum();
  Vector start(n);
  for (std::size_t i = 0; i < n; ++i) start[i] = static_cast<double>(i + 1);
  return make_problem({.name = "quartic-chain",
                       .summary = "a hanging chain whose energy is a fourth power (the p-Laplacian, p = 4)",
                       .start = std::move(start),
                       .singular = true,
                       .minimum = minimum},
                      std::move(f));
}

TestProblem total_variation() {
  constexpr std::size_t n = 1000, plateau = 125;
  Random random(51);
  TotalVariation f{Vector(n)};
  double level = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % plateau == 0) level = 2 * random.bell();
    f.signal[i] = level + 0.25 * random.bell();
  }
  Vector start = f.signal;
  return make_problem({.name = "total-variation",
                       .summary = "denoising of a signal of 1000 values by smoothed total variation",
                       .start = std::move(start)},
                      std::move(f));
}

}  // namespace geodescent::problems
