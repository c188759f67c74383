// The surface of least area with a given boundary.
#include "problems/make_problem.hpp"

namespace geodescent::problems {
namespace {

/// Heights on a grid over the unit square; the heights inside the boundary are the variables. Every
/// cell is two triangles. A triangle with corner height a and neighbours b and c has the area w^2/2
/// sqrt(1 + ((b - a)/w)^2 + ((c - a)/w)^2).
struct MinimalSurface {
  static constexpr std::size_t inside = 31;          // variables per side
  static constexpr std::size_t side = inside + 2;    // with the boundary
  static constexpr double width = 1.0 / (side - 1);  // of a cell; a power of two

  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    std::ranges::fill(g, Real{0});
    Real area = 0;
    const auto triangle = [&](std::size_t row, std::size_t column, std::size_t beside, std::size_t below) {
      const Real a = height(x, row, column);
      const Real across = (height(x, row, beside) - a) / width, down = (height(x, below, column) - a) / width;
      const Real stretch = std::sqrt(1 + across * across + down * down);
      area += stretch;
      const Real slope_across = width / 2 * across / stretch, slope_down = width / 2 * down / stretch;
      pull(g, row, beside, slope_across);
      pull(g, below, column, slope_down);
      pull(g, row, column, -slope_across - slope_down);
    };
    for (std::size_t i = 0; i + 1 < side; ++i)
      for (std::size_t j = 0; j + 1 < side; ++j) {
        triangle(i, j, j + 1, i + 1);
        triangle(i + 1, j + 1, j, i);
      }
    return width * width / 2 * area;
  }

 private:
  static bool on_frame(std::size_t i, std::size_t j) { return i % (side - 1) == 0 || j % (side - 1) == 0; }
  static std::size_t index(std::size_t i, std::size_t j) { return (i - 1) * inside + j - 1; }

  template <class Real>
  static Real height(std::span<const Real> x, std::size_t i, std::size_t j) {
    if (!on_frame(i, j)) return x[index(i, j)];
    return 4 * (square(width * static_cast<Real>(i)) - square(width * static_cast<Real>(j)));
  }
  template <class Real>
  static void pull(std::span<Real> g, std::size_t i, std::size_t j, Real slope) {
    if (!on_frame(i, j)) g[index(i, j)] += slope;
  }
};

}  // namespace

TestProblem minimal_surface() {
  return make_problem({.name = "minimal-surface",
                       .summary = "the least area in a frame of the shape of a saddle, 961 heights",
                       .start = Vector(MinimalSurface::inside * MinimalSurface::inside)},
                      MinimalSurface{});
}

}  // namespace geodescent::problems
