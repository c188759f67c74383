// Both line searches on convex functions of one variable, from sensible guesses and from absurd
// ones.
#include "optimize/search/line_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "support/numbers.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// phi(t) as an oracle of one variable whose lines are t -> phi(t). Counts evaluations.
class OneVariable final : public Oracle {
 public:
  using Phi = std::function<LineValue(double)>;

  explicit OneVariable(Phi phi, bool tells_curvature = true)
      : Oracle({.dimension = 1, .columns = 1, .strong_convexity = 1}),
        phi_(std::move(phi)),
        tells_curvature_(tells_curvature) {}

  LineValue operator()(double t) const {
    LineValue v = phi_(t);
    if (!tells_curvature_) v.curvature = 0;
    return v;
  }
  int evaluations() const { return evaluations_; }

  void lift(Point&) override {}
  Evaluation gradient(const Point&, std::span<double>) override { return {}; }
  LineValue on(Line&, double t) override {
    ++evaluations_;
    return (*this)(t);
  }

 private:
  Phi phi_;
  bool tells_curvature_;
  int evaluations_ = 0;
};

struct Curve {
  std::string name;
  double minimum;  ///< where
  OneVariable::Phi phi;
};

/// a/2 (t - m)^2 for t < m, b/2 (t - m)^2 beyond.
OneVariable::Phi two_parabolas(double m, double a, double b) {
  return [=](double t) {
    const double r = t - m, c = r < 0 ? a : b;
    return LineValue{0.5 * c * r * r, c * r, c};
  };
}

/// Many hinges and a little regularisation: piecewise quadratic with corners in its slope, as the
/// losses of the library.
OneVariable::Phi hinges(double scale, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> corner(20), weight(20);
  for (double& c : corner) c = scale * random.uniform(0.1, 2);
  for (double& w : weight) w = random.normal();
  return [=](double t) {
    LineValue v{1e-6 / scale * 0.5 * t * t / scale, 1e-6 * t / (scale * scale), 1e-6 / (scale * scale)};
    for (std::size_t i = 0; i < corner.size(); ++i) {
      const double d = weight[i] > 0 ? corner[i] - t : t - corner[i], s = weight[i] > 0 ? -1 : 1;
      const double m = std::clamp(d / scale, 0.0, 0.3);
      v.value += m * (d / scale - 0.5 * m);
      v.slope += s * m / scale;
      v.curvature += d > 0 && d / scale < 0.3 ? 1 / (scale * scale) : 0;
    }
    return v;
  };
}

/// Curves with their minimum at about `m` (of either sign), of every shape that a convex function
/// can have.
std::vector<Curve> curves(double m) {
  const double size = std::abs(m);
  std::vector<Curve> all;
  for (const double c : {1e-8, 1.0, 1e8}) all.push_back({"parabola", m, two_parabolas(m, c, c)});
  for (const double ratio : {1e-8, 1e-3, 1e3, 1e8}) all.push_back({"two parabolas", m, two_parabolas(m, 1, ratio)});
  all.push_back({"quartic", m, [=](double t) {
                   const double r = (t - m) / size;
                   return LineValue{r * r * r * r + 1e-3 * r * r, (4 * r * r * r + 2e-3 * r) / size,
                                    (12 * r * r + 2e-3) / (size * size)};
                 }});
  all.push_back(
      {"log cosh, sharp", m, [=](double t) {  // almost a corner: nothing but the regulariser bends it elsewhere
         const double u = (t - m) / size, r = 30 * u, e = std::exp(-2 * std::abs(r));
         const double bend = 4 * e / ((1 + e) * (1 + e));
         return LineValue{std::abs(r) + std::log1p(e) + 0.5e-6 * u * u,
                          (30 * std::copysign(-std::expm1(-2 * std::abs(r)) / (1 + e), r) + 1e-6 * u) / size,
                          (900 * bend + 1e-6) / (size * size)};
       }});
  all.push_back({"exponential against a line", m, [=](double t) {
                   const double r = (t - m) / size, e = std::exp(r);
                   return LineValue{e - r, (e - 1) / size, e / (size * size)};
                 }});
  if (m > 0)
    for (std::uint64_t seed = 1; seed <= 8; ++seed)
      all.push_back({"hinges " + std::to_string(seed), m, hinges(m, seed)});
  return all;
}

struct Axis {
  Point x{1, 0}, d{1, 0};
  Line line{1};
  Axis() { line.set(x, d); }
};

TEST(LineMinimum, IsFoundOnEveryCurveFromEveryGuess) {
  for (const double m : {1.0, -1.0, 1e-6, -1e6, 1e8})
    for (const Curve& curve : curves(m))
      for (const bool tells_curvature : {true, false})
        for (const double tolerance : {0.9, 1e-2, 1e-8})
          for (const double guess : {m, 1e-10 * m, 1e10 * m, 1e-3 * m, 1e3 * m, 0.0, -m, nan, infinity, -infinity}) {
            Axis s;
            OneVariable f(curve.phi, tells_curvature);
            const LineValue start = f(0);
            const LineStep step = line_minimum(f, s.line, start, guess, tolerance);
            SCOPED_TRACE(::testing::Message()
                         << curve.name << ", minimum " << m << ", guess " << guess << ", tolerance " << tolerance
                         << (tells_curvature ? "" : ", curvature unknown"));
            EXPECT_TRUE(step.found);
            EXPECT_TRUE(step.finite);
            EXPECT_LE(std::abs(step.at.slope), tolerance * std::abs(start.slope)) << "at t = " << step.t;
            EXPECT_LE(step.at.value, start.value * (1 + 1e-15)) << "at t = " << step.t;
            EXPECT_EQ(step.at.value, f(step.t).value);
            EXPECT_EQ(step.at.slope, f(step.t).slope);
            EXPECT_LE(f.evaluations(), 64);
          }
}

TEST(LineMinimum, NeverEndsHigherThanItBegan) {
  // Steep on this side of the minimum, gentle beyond it: a small slope there may belong to a large
  // value.
  for (const double gentle : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10})
    for (const double tolerance : {0.9, 0.5, 1e-2, 1e-3})
      for (const double guess : {1.0, 1e2, 1e5, 1e9})
        for (const bool tells_curvature : {true, false}) {
          Axis s;
          OneVariable f(two_parabolas(1, 1, gentle), tells_curvature);
          const LineStep step = line_minimum(f, s.line, f(0), guess, tolerance);
          EXPECT_LE(step.at.value, f(0).value)
              << "gentle " << gentle << ", tolerance " << tolerance << ", guess " << guess;
          EXPECT_TRUE(step.found);
        }
}

TEST(LineMinimum, OfAParabolaTakesOneStepWhenTheCurvatureIsKnown) {
  Axis s;
  OneVariable f(two_parabolas(3, 2, 2));
  const LineStep step = line_minimum(f, s.line, f(0), 0, 1e-12);
  EXPECT_EQ(step.t, 3);
  EXPECT_EQ(f.evaluations(), 1);
}

TEST(LineMinimum, TakesAGoodGuess) {
  Axis s;
  OneVariable f(two_parabolas(3, 2, 2), false);
  const LineStep step = line_minimum(f, s.line, f(0), 3.001, 1e-2);
  EXPECT_EQ(step.t, 3.001);
  EXPECT_EQ(f.evaluations(), 1);
}

TEST(LineMinimum, StaysWhereTheSlopeIsZero) {
  Axis s;
  OneVariable f(two_parabolas(0, 1, 1));
  const LineStep step = line_minimum(f, s.line, f(0), 5, 1e-3);
  EXPECT_TRUE(step.found);
  EXPECT_EQ(step.t, 0);
  EXPECT_EQ(f.evaluations(), 0);
}

TEST(LineMinimum, WithToleranceZeroEndsAtTheRoundingOfT) {
  for (const double m : {1.0, -1e5, 1e-5})
    for (const Curve& curve : curves(m)) {
      Axis s;
      OneVariable f(curve.phi);
      const LineStep step = line_minimum(f, s.line, f(0), m, 0);
      EXPECT_TRUE(step.found) << curve.name;
      // Beside it, four roundings away on both sides, the slope has the signs of a minimum.
      const double h = 16 * std::numeric_limits<double>::epsilon() * std::abs(step.t);
      EXPECT_LE(f(step.t - h).slope, 1e-15 * std::abs(f(0).slope)) << curve.name << " " << m;
      EXPECT_GE(f(step.t + h).slope, -1e-15 * std::abs(f(0).slope)) << curve.name << " " << m;
    }
}

/// A barrier: infinite from t = wall on, its minimum at 1 - root.
OneVariable::Phi barrier(double wall, double value_beyond) {
  return [=](double t) {
    if (t >= wall) return LineValue{value_beyond, nan, nan};
    const double room = wall - t;
    return LineValue{-2 * t / wall - std::log(room / wall), -2 / wall + 1 / room,
                     1 / (room * room)};  // minimum at wall/2
  };
}

TEST(LineMinimum, LiesOnThisSideOfAWall) {
  for (const double wall : {1.0, 1e-6, 1e6})
    for (const double beyond : {infinity, nan})
      for (const double guess : {0.5 * wall, wall, 10 * wall, 1e8 * wall, 1e-8 * wall})
        for (const bool tells_curvature : {true, false}) {
          Axis s;
          OneVariable f(barrier(wall, beyond), tells_curvature);
          const LineStep step = line_minimum(f, s.line, f(0), guess, 1e-6);
          EXPECT_TRUE(step.found && step.finite) << wall << " " << guess;
          EXPECT_NEAR(step.t, 0.5 * wall, 1e-5 * wall);
        }
}

TEST(LineMinimum, IsNotFoundWhereEverythingAheadIsNotFinite) {
  Axis s;
  OneVariable f([](double t) { return t == 0 ? LineValue{1, -1, 1} : LineValue{nan, nan, nan}; });
  const LineStep step = line_minimum(f, s.line, f(0), 1, 1e-3);
  EXPECT_FALSE(step.found);
  EXPECT_FALSE(step.finite);
  EXPECT_EQ(step.t, 0);
  EXPECT_EQ(step.at.value, 1);
}

// Wolfe -------------------------------------------------------------------------------------------

TEST(WolfeStep, SatisfiesBothConditionsOnEveryCurveFromEveryFirstStep) {
  for (const double m : {1.0, 1e-6, 1e6})
    for (const Curve& curve : curves(m))
      for (const WolfeConditions& c : {WolfeConditions{}, WolfeConditions{1e-4, 0.1}, WolfeConditions{0.1, 0.5}})
        for (const double first : {m, 1e-10 * m, 1e-5 * m, 1e-1 * m, 10 * m, 1e5 * m, 1e10 * m}) {
          Axis s;
          OneVariable f(curve.phi);
          const LineValue start = f(0);
          const LineStep step = wolfe_step(f, s.line, start, first, c);
          SCOPED_TRACE(::testing::Message() << curve.name << ", minimum " << m << ", first step " << first << ", c1 "
                                            << c.c1 << ", c2 " << c.c2);
          ASSERT_TRUE(step.found);
          EXPECT_GT(step.t, 0);
          EXPECT_LE(step.at.value, start.value + c.c1 * step.t * start.slope);
          EXPECT_LE(std::abs(step.at.slope), c.c2 * std::abs(start.slope));
          EXPECT_EQ(step.at.value, f(step.t).value);
          EXPECT_LE(f.evaluations(), 40);
        }
}

TEST(WolfeStep, AcceptsAFirstStepThatWillDo) {
  Axis s;
  OneVariable f(two_parabolas(1, 1, 1));
  const LineStep step = wolfe_step(f, s.line, f(0), 0.7, {});
  EXPECT_EQ(step.t, 0.7);
  EXPECT_EQ(f.evaluations(), 1);
}

TEST(WolfeStep, RefusesADirectionThatDoesNotDescend) {
  Axis s;
  for (const double m : {0.0, -1.0}) {
    OneVariable f(two_parabolas(m, 1, 1));
    const LineStep step = wolfe_step(f, s.line, f(0), 1, {});
    EXPECT_FALSE(step.found);
    EXPECT_TRUE(step.finite);
    EXPECT_EQ(step.t, 0);
  }
}

TEST(WolfeStep, FindsAStepOnThisSideOfAWall) {
  for (const double wall : {1.0, 1e-6, 1e6})
    for (const double beyond : {infinity, nan})
      for (const double first : {0.5 * wall, wall, 10 * wall, 1e8 * wall, 1e-6 * wall}) {
        Axis s;
        OneVariable f(barrier(wall, beyond));
        const LineValue start = f(0);
        const LineStep step = wolfe_step(f, s.line, start, first, {});
        ASSERT_TRUE(step.found) << wall << " " << first;
        EXPECT_LE(step.at.value, start.value + 1e-4 * step.t * start.slope);
        EXPECT_LE(std::abs(step.at.slope), 0.9 * std::abs(start.slope));
      }
}

TEST(WolfeStep, IsNotFoundWhereEverythingAheadIsNotFinite) {
  Axis s;
  OneVariable f([](double t) { return t == 0 ? LineValue{1, -1, 1} : LineValue{infinity, nan, nan}; });
  const LineStep step = wolfe_step(f, s.line, f(0), 1, {});
  EXPECT_FALSE(step.found);
  EXPECT_FALSE(step.finite);
}

TEST(WolfeStep, IsFoundWhereRoundingHidesTheDecrease) {
  // f falls by 1e-18 in all, and its values are 1: only slopes can tell.
  Axis s;
  OneVariable f([](double t) {
    const double r = 1e-9 * (t - 1);
    return LineValue{1 + 0.5 * r * r, 1e-9 * r, 1e-18};
  });
  const LineStep step = wolfe_step(f, s.line, f(0), 0.3, {});
  EXPECT_TRUE(step.found);
  EXPECT_GT(step.t, 0);
  EXPECT_LE(std::abs(step.at.slope), 0.9 * std::abs(f(0).slope));
}

}  // namespace
}  // namespace geodescent::testing
