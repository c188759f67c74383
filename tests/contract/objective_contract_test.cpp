// The documented properties of Objective, for every kind of objective.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "contract/objectives.hpp"
#include "geodescent/optimize/gradient_check.hpp"
#include "optimize/oracles/hessian_model.hpp"
#include "optimize/oracles/subspace_model.hpp"
#include "optimize/search/line_search.hpp"
#include "support/numbers.hpp"

namespace geodescent::testing {
namespace {

/// An objective, with random points for it.
struct Subject {
  Problem p;
  std::unique_ptr<Oracle> oracle = p.objective->oracle();
  Oracle& f = *oracle;
  Random random{139};

  explicit Subject(Problem problem) : p(std::move(problem)) {}
  Point lifted(const Vector& x) {
    Point point(f.dimension(), f.image_size());
    point.x = x;
    f.lift(point);
    return point;
  }
  Vector somewhere() { return random.normal_vector(f.dimension(), random.log_uniform(0.1, 10)); }
};

template <class Check>
void for_every_objective(Check check) {
  for (const Problem& p : objectives()) {
    SCOPED_TRACE(p.name);
    Subject subject(p);
    check(subject);
  }
}

/// offset + linear.y + alpha/2 |y|^2 with linear = g - alpha x, in long double.
Real model_at(const Evaluation& e, const Vector& x, const Vector& g, Real alpha, const RealVector& y) {
  Real sum = e.offset;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (g[i] - alpha * x[i]) * y[i] + alpha / 2 * y[i] * y[i];
  return sum;
}

/// The error of the model at y that the stated errors allow.
Real allowed(const Evaluation& e, const RealVector& y) {
  return e.offset_error + e.linear_error * std::sqrt(squared_length(y));
}

TEST(ObjectiveContract, ASubspaceAgreesWithItsLines) {
  for_every_objective([](Subject& s) {
    const std::size_t size = std::min<std::size_t>(5, s.f.dimension());
    Basis basis(s.f.dimension(), s.f.image_size(), size);
    while (basis.size() < size) basis.add(s.lifted(s.somewhere()));
    const Point x = s.lifted(s.somewhere());
    Reduced reduced(s.f.image_size(), size, s.f.facts().outputs);
    basis.coordinates(x, reduced.coordinates);
    if (!s.f.subspace()) {
      EXPECT_EQ(s.f.image_size(), 0u) << "with an image it should be able to";
      return;
    }
    s.f.subspace()->reduce(basis, x, reduced);
    // Compares value, slope and curvature along every direction of the subspace with the line
    // through x.
    for (int k = 0; k < 10; ++k) {
      const Vector z = s.random.normal_vector(size);
      Point d(s.f.dimension(), s.f.image_size());
      basis.combine(z, d);
      Line line(s.f.dimension());
      line.set(x, d);
      const LineValue at = s.f.on(line, 0);
      double curvature = 0;
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
          curvature += z[i] * z[j] * reduced.hessian[std::min(i, j) * size + std::max(i, j)];
      const double scale = 1 + std::abs(at.value) + norm(reduced.gradient) * norm(z);
      EXPECT_NEAR(reduced.value, at.value, 1e-12 * scale);
      EXPECT_NEAR(dot(reduced.gradient, z), at.slope, 1e-11 * scale);
      EXPECT_NEAR(curvature, at.curvature, 1e-11 * (1 + std::abs(at.curvature)));
    }
  });
}

TEST(ObjectiveContract, TheHessianIsTheTrueOne) {
  for_every_objective([](Subject& s) {
    EXPECT_EQ(s.f.hessian() != nullptr, s.f.facts().hessian_products > 0);
    if (!s.f.hessian()) return;
    Hessian h = s.f.hessian()->hessian_memory();
    const std::size_t d = s.f.dimension();
    for (int k = 0; k < 4; ++k) {
      const Point x = s.lifted(k == 0 ? Vector(d) : s.somewhere());
      const RealMatrix truth = s.p.truth.at(real(x.x)).hessian;
      s.f.hessian()->hessian_at(x, 0, h);
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t i = j; i < d; ++i)
          EXPECT_NEAR(h.matrix[j * d + i], static_cast<double>(truth(i, j)),
                      1e-9 * (1 + std::abs(h.matrix[j * d + i])));
    }
  });
}

TEST(ObjectiveContract, GradientAgreesWithTheValues) {
  for_every_objective([](Subject& s) {
    for (int k = 0; k < 3; ++k) {
      // Losses with corners in their slope are differentiable once: differences over h = 1e-3 are
      // accurate to h.
      const GradientCheck check = check_gradient(*s.p.objective, s.somewhere(), 1e-3);
      EXPECT_TRUE(check.passed) << check.message;
      EXPECT_TRUE(check.strongly_convex) << check.message;
    }
  });
}

TEST(ObjectiveContract, ValueAndGradientAreRightUpToTheErrorsStated) {
  for_every_objective([](Subject& s) {
    for (int k = 0; k < 20; ++k) {
      const Point at = s.lifted(s.somewhere());
      Vector g(s.f.dimension());
      const Evaluation e = s.f.gradient(at, g);
      const Sample truth = s.p.truth.at(real(at.x));
      EXPECT_LE(std::abs(e.value - truth.value), e.value_error);
      EXPECT_LE(e.value_error, 1e-12L * truth.magnitude) << "a bound of no use";
      // The linear term is g - alpha x; its computation here is not part of the objective. Its
      // image may be rounded, which changes the gradient by beta times the rounding of x.
      const Real through_image = 4 * eps * s.p.truth.beta * std::sqrt(squared_length(real(at.x)));
      EXPECT_LE(std::sqrt(squared_distance(real(g), truth.gradient)), e.linear_error + through_image);
    }
  });
}

TEST(ObjectiveContract, LowerModelLiesBelowTheFunctionEverywhere) {
  for_every_objective([](Subject& s) {
    const Optimum optimum = newton(s.p.truth);
    for (int k = 0; k < 8; ++k) {
      const Point at = s.lifted(k == 0 ? rounded(optimum.x) : s.somewhere());
      Vector g(s.f.dimension());
      const Evaluation e = s.f.gradient(at, g);
      const auto expect_below = [&](const RealVector& y) {
        EXPECT_LE(model_at(e, at.x, g, s.p.truth.alpha, y) - allowed(e, y), s.p.truth.at(y).value);
      };
      expect_below(optimum.x);
      expect_below(real(at.x));
      for (int i = 0; i < 5; ++i) {
        expect_below(along(real(at.x), s.random.log_uniform(1e-8, 10), real(s.random.unit_vector(s.f.dimension()))));
        expect_below(real(s.somewhere()));
      }
    }
  });
}

TEST(ObjectiveContract, LowerModelTouchesTheFunctionAtItsPoint) {
  for_every_objective([](Subject& s) {
    for (int k = 0; k < 20; ++k) {
      const Point at = s.lifted(s.somewhere());
      Vector g(s.f.dimension());
      const Evaluation e = s.f.gradient(at, g);
      const Real model = model_at(e, at.x, g, s.p.truth.alpha, real(at.x));
      EXPECT_LE(std::abs(model - s.p.truth.at(real(at.x)).value), allowed(e, real(at.x)) + e.value_error);
    }
  });
}

TEST(ObjectiveContract, LowerModelOfADriftedImageIsStillBelow) {
  for_every_objective([](Subject& s) {
    if (!has_image(s.p)) return;  // a user's function
    const Optimum optimum = newton(s.p.truth);
    for (const double drift : {1e-12, 1e-6, 1e-2, 1.0}) {
      Point at = s.lifted(s.somewhere());
      for (double& z : at.image) z += drift * s.random.normal();
      Vector g(s.f.dimension());
      const Evaluation e = s.f.gradient(at, g);
      for (const RealVector& y : {optimum.x, real(at.x), real(s.somewhere())})
        EXPECT_LE(model_at(e, at.x, g, s.p.truth.alpha, y) - allowed(e, y), s.p.truth.at(y).value) << "drift " << drift;
    }
  });
}

TEST(ObjectiveContract, LineAgreesWithValueAndGradientAtItsPoints) {
  for_every_objective([](Subject& s) {
    for (int k = 0; k < 10; ++k) {
      const Point x = s.lifted(s.somewhere()), d = s.lifted(s.somewhere());
      Line line(s.f.dimension());
      line.set(x, d);
      for (const double t : {0.0, 1.0, -0.7, 1e-3, 5.0}) {
        const LineValue on = s.f.on(line, t);
        const Sample truth = s.p.truth.at(along(real(x.x), t, real(d.x)));
        // The line is computed from its two points, so roundings are relative to them.
        const Real size = s.p.truth.at(real(x.x)).magnitude + truth.magnitude +
                          s.p.truth.beta * (squared_length(real(x.x)) + t * t * squared_length(real(d.x)));
        EXPECT_LE(std::abs(on.value - truth.value), 32 * eps * size);
        const Real slope = real_dot(truth.gradient, real(d.x));
        const Real length = std::sqrt(squared_length(real(d.x)));
        const Real slope_size =
            length * (std::sqrt(squared_length(truth.gradient)) +
                      s.p.truth.beta * (std::sqrt(squared_length(real(x.x))) + std::abs(t) * length) + 1);
        EXPECT_LE(std::abs(on.slope - slope), 64 * eps * slope_size);
        if (on.curvature != 0) {
          const Real curvature = real_dot(real(d.x), times(truth.hessian, real(d.x)));
          // With a free intercept, value and slope are those at the optimal one; the curvature is
          // that at a nearby one.
          const bool nearby = s.p.name.find("free intercept") != std::string::npos;
          const Real accuracy = nearby ? Real{1e-5} : Real{64 * eps};
          EXPECT_LE(std::abs(on.curvature - curvature), accuracy * s.p.truth.beta * length * length);
        } else {
          EXPECT_FALSE(has_image(s.p)) << "only a user's function may leave the curvature unknown";
        }
      }
    }
  });
}

TEST(ObjectiveContract, AdvanceGivesThePointAndGradientOfTheLine) {
  for_every_objective([](Subject& s) {
    const Point x = s.lifted(s.somewhere()), d = s.lifted(s.somewhere());
    Line line(s.f.dimension());
    line.set(x, d);
    for (const bool evaluated_before : {false, true}) {
      if (evaluated_before) s.f.on(line, 0.3);
      Point moved(s.f.dimension(), s.f.image_size());
      Vector g(s.f.dimension()), expected(s.f.dimension());
      const Evaluation e = advance(s.f, line, 0.3, moved, g);
      Point there = x;
      combine(there, 1, x, 0.3, d);
      const Evaluation at = s.f.gradient(there, expected);
      EXPECT_EQ(moved.x, there.x);
      EXPECT_EQ(moved.image, there.image);
      // The search for a free intercept starts at the last one, so its last digits may differ.
      const double rounding = s.p.name.find("free intercept") != std::string::npos ? 1e-12 : 0;
      for (std::size_t i = 0; i < g.size(); ++i) EXPECT_NEAR(g[i], expected[i], rounding * (1 + norm(expected)));
      EXPECT_NEAR(e.value, at.value, rounding * (1 + std::abs(at.value)));
      EXPECT_NEAR(e.offset, at.offset, rounding * (1 + std::abs(at.offset)));
    }
  });
}

TEST(ObjectiveContract, LiftIsLinear) {
  for_every_objective([](Subject& s) {
    const Vector u = s.somewhere(), v = s.somewhere();
    const Point lu = s.lifted(u), lv = s.lifted(v);
    Point sum(s.f.dimension(), s.f.image_size());
    combine(sum, 2, lu, -0.5, lv);
    const Point fresh = s.lifted(sum.x);
    const double size = static_cast<double>(s.p.truth.beta) * 50 * (norm(u) + norm(v));
    for (std::size_t i = 0; i < fresh.image.size(); ++i) EXPECT_NEAR(sum.image[i], fresh.image[i], 16 * eps * size);
    for (const double z : s.lifted(Vector(s.f.dimension())).image) EXPECT_EQ(z, 0);
  });
}

TEST(ObjectiveContract, ConstantsAreTrue) {
  for_every_objective([](Subject& s) {
    EXPECT_EQ(s.f.dimension(), s.p.truth.dimension);
    EXPECT_EQ(s.f.strong_convexity(), static_cast<double>(s.p.truth.alpha));
    for (int k = 0; k < 5; ++k) {
      const RealMatrix hessian = s.p.truth.at(real(s.somewhere())).hessian;
      EXPECT_GE(smallest_eigenvalue(hessian), s.f.strong_convexity() * (1 - 1e-15L));
      if (s.f.facts().smoothness) {
        EXPECT_LE(largest_eigenvalue(hessian), *s.f.facts().smoothness * (1 + 1e-12L));
      }
      EXPECT_LE(s.f.facts().trivial_bound, s.p.truth.at(real(s.somewhere())).value);
    }
  });
}

// The stated errors must hold for every unit of the data, for long rows and for many rows.
class ErrorsStated : public ::testing::TestWithParam<double> {};

TEST_P(ErrorsStated, BoundTheErrorsAtEveryScaleOfTheDataForEveryLoss) {
  const double scale = GetParam();
  for (const LossInfo& loss : losses())
    for (const DataShape& shape : {DataShape{.rows = 200, .columns = 3, .scale = scale},
                                   DataShape{.rows = 5, .columns = 150, .density = 0.9, .scale = scale},
                                   DataShape{.rows = 30, .columns = 30, .scale = scale, .noise = 0},
                                   DataShape{.rows = 3000, .columns = 2, .scale = scale}}) {
      Random random(149);
      const double lambda = 1e-6 * scale * scale;
      const Problem p = risk_problem(random, loss.name, lambda, shape);
      const auto f = p.objective->oracle();
      for (int k = 0; k < 10; ++k) {
        Point at(shape.columns, shape.rows);
        at.x = random.normal_vector(shape.columns, random.log_uniform(1e-3, 1e3) / scale);
        f->lift(at);
        Vector g(shape.columns);
        const Evaluation e = f->gradient(at, g);
        const Sample truth = p.truth.at(real(at.x));
        EXPECT_LE(std::abs(e.value - truth.value), e.value_error) << loss.name;
        for (int i = 0; i < 5; ++i) {
          const RealVector y =
              i == 0 ? real(at.x) : real(random.normal_vector(shape.columns, random.log_uniform(1e-3, 1e3) / scale));
          EXPECT_LE(model_at(e, at.x, g, p.truth.alpha, y) - allowed(e, y), p.truth.at(y).value) << loss.name;
        }
        EXPECT_TRUE(std::isfinite(e.linear_error) && std::isfinite(e.offset_error));
      }
    }
}

TEST_P(ErrorsStated, BoundTheErrorsOfSeveralClassesAtEveryScaleOfTheData) {
  const double scale = GetParam();
  for (const Bias bias : {Bias::none, Bias::free})
    for (const DataShape& shape : {DataShape{.rows = 60, .columns = 2, .scale = scale, .weighted = true},
                                   DataShape{.rows = 6, .columns = 12, .density = 0.9, .scale = scale},
                                   DataShape{.rows = 500, .columns = 1, .scale = scale}}) {
      Random random(149);
      const Problem p = softmax_problem(random, 3 + random.below(3), 1e-4 * scale * scale, shape, bias);
      const auto f = p.objective->oracle();
      const std::size_t d = f->dimension();
      for (int k = 0; k < 10; ++k) {
        Point at(d, f->image_size());
        at.x = random.normal_vector(d, random.log_uniform(1e-3, 30) / scale);
        f->lift(at);
        Vector g(d);
        const Evaluation e = f->gradient(at, g);
        const Sample truth = p.truth.at(real(at.x));
        EXPECT_LE(std::abs(e.value - truth.value), e.value_error);
        for (int i = 0; i < 5; ++i) {
          const RealVector y =
              i == 0 ? real(at.x) : real(random.normal_vector(d, random.log_uniform(1e-3, 30) / scale));
          EXPECT_LE(model_at(e, at.x, g, p.truth.alpha, y) - allowed(e, y), p.truth.at(y).value);
        }
        EXPECT_TRUE(std::isfinite(e.linear_error) && std::isfinite(e.offset_error));
      }
    }
}

TEST_P(ErrorsStated, BoundTheErrorsWherePredictionsAreNothingButCancellation) {
  // x is large and orthogonal to every row. Its predictions are the rounding of numbers a million
  // times larger.
  const double scale = GetParam();
  for (const LossInfo& loss : losses()) {
    Random random(157);
    const DataShape shape{.rows = 4, .columns = 20, .scale = scale};
    const RandomData data = random_data(random, loss.task, shape);
    const double lambda = 1e-13 * scale * scale;
    const std::unique_ptr<Oracle> f = make_risk(loss.name, data.data, lambda)->oracle();
    const SmoothFunction truth = true_risk(loss.name, data, lambda);
    for (int k = 0; k < 10; ++k) {
      RealVector x = real(random.normal_vector(shape.columns, 1e6 / scale));
      for (int again = 0; again < 100; ++again)  // alternating projections
        for (std::size_t i = 0; i < shape.rows; ++i) {
          const RealVector row(data.rows.entries.begin() + static_cast<std::ptrdiff_t>(i * shape.columns),
                               data.rows.entries.begin() + static_cast<std::ptrdiff_t>((i + 1) * shape.columns));
          x = along(x, -real_dot(x, row) / squared_length(row), row);
        }
      Point at(shape.columns, shape.rows);
      at.x = rounded(x);
      f->lift(at);
      Vector g(shape.columns);
      const Evaluation e = f->gradient(at, g);
      EXPECT_LE(std::abs(e.value - truth.at(real(at.x)).value), e.value_error) << loss.name;
    }
  }
}

TEST_P(ErrorsStated, BoundTheErrorsOfQuadraticsAtEveryScale) {
  const double scale = GetParam();
  Random random(151);
  for (int k = 0; k < 20; ++k) {
    const std::size_t d = 1 + random.below(40);
    const Problem p = random_quadratic(random, spectrum(d, 1e-6 * scale, scale));
    Point at(d, d);
    // Near the minimum x'Qx is far smaller than the sum of the magnitudes of its terms.
    at.x = k % 2 == 0 ? rounded(newton(p.truth).x) : random.normal_vector(d, random.log_uniform(1e-6, 1e6));
    const auto f = p.objective->oracle();
    f->lift(at);
    Vector g(d);
    const Evaluation e = f->gradient(at, g);
    const Sample truth = p.truth.at(real(at.x));
    EXPECT_LE(std::abs(e.value - truth.value), e.value_error);
    EXPECT_LE(std::sqrt(squared_distance(real(g), truth.gradient)), e.linear_error);
    for (int i = 0; i < 5; ++i) {
      const RealVector y = i == 0 ? real(at.x) : real(random.normal_vector(d, random.log_uniform(1e-6, 1e6)));
      EXPECT_LE(model_at(e, at.x, g, p.truth.alpha, y) - allowed(e, y), p.truth.at(y).value);
    }
  }
}

std::string scale_name(const ::testing::TestParamInfo<double>& test) { return "scale_" + std::to_string(test.index); }

INSTANTIATE_TEST_SUITE_P(Scales, ErrorsStated, ::testing::Values(1e-60, 1e-6, 1, 1e6, 1e60), scale_name);

}  // namespace
}  // namespace geodescent::testing
