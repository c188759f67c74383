#include "optimize/search/newton_direction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

struct Start {
  Point x;
  Vector g, d;
};

Start at(Oracle& f, const Vector& x) {
  Start s{Point(f.dimension(), f.image_size()), Vector(f.dimension()), Vector(f.dimension())};
  s.x.x = x;
  f.lift(s.x);
  f.gradient(s.x, s.g);
  return s;
}

/// |H d + g| / |g|, in long double.
double residual(const Problem& p, const Start& s) {
  const Sample truth = p.truth.at(real(s.x.x));
  Real sum = 0, size = 0;
  for (std::size_t i = 0; i < s.d.size(); ++i) {
    Real r = truth.gradient[i];
    for (std::size_t j = 0; j < s.d.size(); ++j) r += truth.hessian(i, j) * static_cast<Real>(s.d[j]);
    sum += r * r;
    size += truth.gradient[i] * truth.gradient[i];
  }
  return static_cast<double>(std::sqrt(sum / size));
}

TEST(NewtonDirection, SolvesTheEquationOfNewton) {
  Random random(313);
  for (const LossInfo& loss : losses())
    for (const double lambda : {1.0, 1e-3, 1e-6})
      for (const double density : {1.0, 0.3}) {
        const Problem p = risk_problem(random, loss.name, lambda, {.rows = 60, .columns = 7, .density = density});
        const auto f = p.objective->oracle();
        Start s = at(*f, random.normal_vector(7, 0.2));
        NewtonDirection newton(*f->hessian(), f->dimension());
        ASSERT_TRUE(newton.at(s.x, s.g, s.d));
        EXPECT_LE(residual(p, s), 1e-8) << loss.name << ", lambda " << lambda << ", density " << density;
      }
}

TEST(NewtonDirection, GrowsShorterWhenLittleOfItCouldBeTakenAndLongerAgain) {
  Random random(317);
  const Problem p = risk_problem(random, "logistic", 1e-4, {.rows = 60, .columns = 7});
  const auto f = p.objective->oracle();
  Start s = at(*f, random.normal_vector(7));
  NewtonDirection newton(*f->hessian(), f->dimension());
  Line line(7);
  line.set(s.x, s.x);
  const auto length = [&] {
    EXPECT_TRUE(newton.at(s.x, s.g, s.d));
    return norm(s.d);
  };
  const double full = length();
  double last = full;
  for (int k = 0; k < 5; ++k) {
    newton.learn(0.01, line, 0);
    const double now = length();
    EXPECT_LT(now, last);
    EXPECT_LT(dot(s.d, s.g), 0) << "still downhill";
    last = now;
  }
  for (int k = 0; k < 20; ++k) newton.learn(1, line, 0);
  EXPECT_EQ(length(), full);
}

TEST(NewtonDirection, SeesCurvatureBeyondAKink) {
  // Margins of -0.1: the smoothed hinge is linear there and has curvature 1 from 0 on, which is 0.4
  // of what lies within 0.5 on either side.
  const double lambda = 1e-6, x = -0.1;
  Dataset data;
  data.rows = rows_of({1, -1}, 1, false);
  data.targets = {1, -1};
  const auto f = make_risk("smoothed-hinge", data, lambda)->oracle();
  Point p(1, 2);
  p.x[0] = x;
  f->lift(p);
  Hessian h = f->hessian()->hessian_memory();
  f->hessian()->hessian_at(p, 0, h);
  EXPECT_NEAR(h.matrix[0], lambda, 1e-15);
  f->hessian()->hessian_at(p, 0.5, h);
  EXPECT_NEAR(h.matrix[0], 0.4 + lambda, 1e-15);
}

}  // namespace
}  // namespace geodescent::testing
