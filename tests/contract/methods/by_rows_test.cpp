// The row form of a function is the same function: Oracle::row_form.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "contract/objectives.hpp"
#include "geodescent/learn/risk.hpp"
#include "optimize/models/lower_model.hpp"
#include "optimize/oracles/subspace_model.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

/// A loss, with a number of classes where it is softmax.
struct RowFormOf {
  std::string_view name;
  Task task = Task::classification;
  std::size_t classes = 0;
};

std::vector<RowFormOf> row_forms() {
  std::vector<RowFormOf> all;
  for (const LossInfo& loss : losses()) all.push_back({loss.name, loss.task});
  all.push_back({"softmax", Task::classification, 4});
  return all;
}

class ByRows : public ::testing::TestWithParam<RowFormOf> {
 protected:
  static constexpr std::size_t data_rows = 30, data_columns = 80;
  const std::size_t outputs = std::max<std::size_t>(1, GetParam().classes);
  const std::size_t rows = data_rows * outputs, columns = data_columns * outputs;  // of images and vectors

  std::unique_ptr<Oracle> risk(Bias bias) {
    const DataShape shape{.rows = data_rows, .columns = data_columns, .density = 0.2};
    if (GetParam().classes > 0)
      return softmax_problem(random, GetParam().classes, 1e-2, shape, bias).objective->oracle();
    return make_risk(GetParam().name, random_data(random, GetParam().task, shape).data, 1e-2, {}, bias)->oracle();
  }

  /// Calls check(f, row form) for each risk, with zero and nonzero starts.
  template <class Check>
  void for_all(const Check& check) {
    for (const Bias bias : {Bias::none, Bias::free})
      for (const bool from_zero : {true, false}) {
        SCOPED_TRACE(::testing::Message()
                     << (bias == Bias::free ? "free intercept, " : "") << (from_zero ? "from zero" : "from somewhere"));
        const auto f = risk(bias);
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
  Vector expanded(Oracle& f, const Vector& multipliers) {
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

// The subspace of the first point and three directions, extended by one direction at a time.
TEST_P(ByRows, HasTheSameSubspaces) {
  for_all([&](Oracle& f, Oracle& same) {
    constexpr std::size_t most = 5;
    Basis by_rows(same.dimension(), same.image_size(), most, same.product());
    Basis basis(columns, f.image_size(), most);
    Reduced a(same.image_size(), most, outputs), b(f.image_size(), most, outputs);
    const Point r = lifted(same, random.normal_vector(same.dimension())), x = lifted(f, expanded(same, r.x));
    for (std::size_t size = 1; size < most; ++size) {
      const Point d = lifted(same, random.normal_vector(same.dimension()));
      ASSERT_TRUE(by_rows.add(d));
      ASSERT_TRUE(basis.add(lifted(f, expanded(same, d.x))));
      by_rows.coordinates(r, a.coordinates);
      basis.coordinates(x, b.coordinates);
      same.subspace()->reduce(by_rows, r, a);
      f.subspace()->reduce(basis, x, b);
      EXPECT_NEAR(a.value, b.value, 1e-10 * (1 + b.value));
      for (std::size_t j = 0; j < size; ++j) {
        EXPECT_NEAR(a.gradient[j], b.gradient[j], 1e-8 * (1 + std::abs(b.gradient[j])));
        for (std::size_t i = j; i < size; ++i)
          EXPECT_NEAR(a.hessian[j * most + i], b.hessian[j * most + i], 1e-8 * (1 + b.hessian[j * most + j]));
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Losses, ByRows, ::testing::ValuesIn(row_forms()), [](const auto& test) {
  std::string name(test.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace geodescent::testing
