// In row form the squared norm of a linear term is a product of multipliers and images. Its
// rounding is bounded, for every scale of the data and every length of a run.
#include <gtest/gtest.h>

#include <algorithm>

#include "geodescent/learn/risk.hpp"
#include "optimize/models/lower_model.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

constexpr std::size_t row_count = 12, column_count = 40;

/// The lower model in exact arithmetic: intercept + slope.w + alpha/2 |w|^2.
struct TrueModel {
  RealVector slope;
  Real intercept = 0;

  void average(Real w, const TrueModel& other) {
    for (std::size_t j = 0; j < slope.size(); ++j) slope[j] = (1 - w) * slope[j] + w * other.slope[j];
    intercept = (1 - w) * intercept + w * other.intercept;
  }
  Real minimum(Real alpha) const { return intercept - squared_length(slope) / (2 * alpha); }
};

/// The model described by an evaluation. The offset is taken from the evaluation.
TrueModel told(const Evaluation& e, const RandomData& data, std::span<const double> x0) {
  TrueModel model{transposed_times(data.rows, real(e.linear_multipliers.first(row_count))), e.offset};
  if (!x0.empty()) model.slope = along(model.slope, e.linear_multipliers[row_count], real(x0));
  return model;
}

class ByRowsRounding : public ::testing::TestWithParam<LossInfo> {};

TEST_P(ByRowsRounding, OfALowerModelIsWithinItsBoundAfterEveryAverage) {
  Random random(1013);
  for (const double scale : {1e-6, 1.0, 1e6})
    for (const double alpha : {1e-8, 1e-2})
      for (const bool from_zero : {true, false}) {
        SCOPED_TRACE(::testing::Message() << "scale " << scale << ", alpha " << alpha << (from_zero ? "" : ", x0"));
        const RandomData data = random_data(
            random, GetParam().task, {.rows = row_count, .columns = column_count, .density = 0.5, .scale = scale});
        const auto f = make_risk(GetParam().name, data.data, alpha)->oracle();
        const Vector x0 = from_zero ? Vector() : random.normal_vector(column_count, 1 / scale);
        const auto same = f->row_form(x0);
        ASSERT_TRUE(same);
        LowerModel model(same->dimension(), same->image_size(), alpha, false, same->product());
        TrueModel truth;
        double tightest = 0;
        for (int k = 0; k < 200; ++k) {
          Point r(same->dimension(), same->image_size()), g = r;
          r.x = random.normal_vector(same->dimension(), random.log_uniform(1e-3, 1e3) / (scale * scale));
          same->lift(r);
          const Evaluation e = same->gradient(r, g.x);
          combine(g.image, 1, e.linear_image, alpha, r.image);
          const TrueModel newest = told(e, data, x0);
          if (k == 0) {
            model.set(r, g, e);
            truth = newest;
          } else {
            truth.average(model.enclose(r, g, e), newest);
          }
          const Real wrong = std::abs(model.minimum() - truth.minimum(alpha));
          ASSERT_LE(wrong, model.error()) << k;
          tightest = std::max(tightest, static_cast<double>(wrong) / model.error());
        }
        // With a start far longer than the rows the bound is loose, but still true.
        EXPECT_GT(tightest, from_zero ? 1e-6 : 0) << "the bound says nothing";
      }
}

INSTANTIATE_TEST_SUITE_P(Losses, ByRowsRounding, ::testing::ValuesIn(losses().begin(), losses().end()),
                         [](const auto& test) {
                           std::string name(test.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace geodescent::testing
