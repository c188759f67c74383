// The row form of a function is the same function: Oracle::row_form.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "geodescent/learn/risk.hpp"
#include "optimize/models/lower_model.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

class ByRows : public ::testing::TestWithParam<LossInfo> {
 protected:
  static constexpr std::size_t rows = 30, columns = 80;

  /// Calls check(f, row form) for each risk, with zero and nonzero starts.
  template <class Check>
  void for_all(const Check& check) {
    for (const Bias bias : {Bias::none, Bias::free})
      for (const bool from_zero : {true, false}) {
        SCOPED_TRACE(::testing::Message()
                     << (bias == Bias::free ? "free intercept, " : "") << (from_zero ? "from zero" : "from somewhere"));
        const RandomData data =
            random_data(random, GetParam().task, {.rows = rows, .columns = columns, .density = 0.2});
        const auto f = make_risk(GetParam().name, data.data, 1e-2, {}, bias)->oracle();
        const Vector x0 = from_zero ? Vector(columns) : random.normal_vector(columns);
        const auto same = f->row_form(x0);
        ASSERT_NE(same, nullptr);
        EXPECT_EQ(same->dimension(), rows + (from_zero ? 0 : 1));
        check(*f, *same);
      }
  }

  static Point lifted(Oracle& f, const Vector& x) {
    Point p(f.dimension(), f.image_size());
    p.x = x;
    f.lift(p);
    return p;
  }
  static Vector expanded(Oracle& f, const Vector& multipliers) {
    Vector x(columns);
    f.expand(multipliers, x);
    return x;
  }
  /// f and its gradient in row form; the gradient has its image.
  static std::pair<Evaluation, Point> gradient(Oracle& f, const Point& at) {
    Point g(f.dimension(), f.image_size());
    const Evaluation e = f.gradient(at, g.x);
    combine(g.image, 1, e.linear_image, f.strong_convexity(), at.image);
    return {e, g};
  }
  static void expect_near(const Vector& a, const Vector& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i])));
  }

  Random random{911};
};

TEST_P(ByRows, HasTheSameImagesValuesAndGradients) {
  for_all([&](Oracle& f, Oracle& same) {
    for (int k = 0; k < 5; ++k) {
      const Point r = lifted(same, random.normal_vector(same.dimension()));
      const Point x = lifted(f, expanded(same, r.x));
      for (std::size_t i = 0; i < rows; ++i) EXPECT_NEAR(r.image[i], x.image[i], 1e-11 * (1 + norm(x.image)));
      Vector g(columns);
      const Evaluation e = f.gradient(x, g);
      const auto [e_rows, g_rows] = gradient(same, r);
      EXPECT_NEAR(e_rows.value, e.value, 1e-11 * (1 + e.value));
      EXPECT_NEAR(e_rows.offset, e.offset, 1e-10 * (1 + e.value));
      expect_near(expanded(same, g_rows.x), g, 1e-10 * (1 + norm(g)));
      EXPECT_NEAR(same.product().norm(g_rows), norm(g), 1e-10 * (1 + norm(g)));
      EXPECT_NEAR(same.product()(g_rows, r), dot(g, x.x), 1e-9 * (1 + norm(g) * norm(x.x)));
    }
  });
}

TEST_P(ByRows, HasTheSameLines) {
  for_all([&](Oracle& f, Oracle& same) {
    const Point r = lifted(same, random.normal_vector(same.dimension())),
                d = lifted(same, random.normal_vector(same.dimension()));
    const Point x = lifted(f, expanded(same, r.x)), direction = lifted(f, expanded(same, d.x));
    Line by_rows(same.dimension(), same.product()), line(columns);
    by_rows.set(r, d);
    line.set(x, direction);
    for (const double t : {-0.5, 0.0, 0.1, 2.0}) {
      const LineValue a = same.on(by_rows, t), b = f.on(line, t);
      EXPECT_NEAR(a.value, b.value, 1e-10 * (1 + std::abs(b.value)));
      EXPECT_NEAR(a.slope, b.slope, 1e-9 * (1 + std::abs(b.slope) + b.curvature));
      EXPECT_NEAR(a.curvature, b.curvature, 1e-9 * (1 + b.curvature));
    }
  });
}

// The model of one point, and the average of two, with their rounding bounds in both forms.
TEST_P(ByRows, ItsLowerModelsAreThoseOfTheFunction) {
  for_all([&](Oracle& f, Oracle& same) {
    const double alpha = f.strong_convexity();
    LowerModel of_f(columns, 0, alpha), by_rows(same.dimension(), same.image_size(), alpha, false, same.product());
    for (int k = 0; k < 3; ++k) {
      const Point r = lifted(same, random.normal_vector(same.dimension(), 0.3));
      const Point x = lifted(f, expanded(same, r.x));
      Point g(columns, 0);
      const Evaluation e = f.gradient(x, g.x);
      const auto [e_rows, g_rows] = gradient(same, r);
      if (k == 0) {
        of_f.set(x, g, e);
        by_rows.set(r, g_rows, e_rows);
      } else {
        EXPECT_NEAR(by_rows.enclose(r, g_rows, e_rows), of_f.enclose(x, g, e), 1e-7);
      }
      EXPECT_NEAR(by_rows.minimum(), of_f.minimum(), 1e-9 * (1 + std::abs(of_f.minimum())));
      EXPECT_GT(by_rows.error(), 0);
      EXPECT_LT(by_rows.error(), 1e-9 * (1 + std::abs(of_f.minimum())));
    }
  });
}

TEST(ByRowsWhere, ThereAreFewerRowsThanColumns) {
  Random random(919);
  const RandomData tall = random_data(random, Task::classification, {.rows = 30, .columns = 30}),
                   wide = random_data(random, Task::classification, {.rows = 29, .columns = 30});
  EXPECT_EQ(make_risk("logistic", tall.data, 1)->oracle()->row_form({}), nullptr);
  const auto f = make_risk("logistic", wide.data, 1)->oracle();
  EXPECT_NE(f->row_form({}), nullptr);
  EXPECT_EQ(f->row_form(Vector(30, 1.0)), nullptr) << "with the start there are as many";
}

INSTANTIATE_TEST_SUITE_P(Losses, ByRows, ::testing::ValuesIn(losses().begin(), losses().end()), [](const auto& test) {
  std::string name(test.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace geodescent::testing
