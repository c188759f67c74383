// Thousands of iterations on real data with a tiny regularisation. Skipped if the data are not
// available.
#include <gtest/gtest.h>

#include <filesystem>

#include "geodescent/data/libsvm.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "support/reference/real.hpp"

namespace geodescent::testing {
namespace {

/// f in long double, from the rows as they were read.
Real true_value(const Dataset& data, double lambda, const Vector& x) {
  const auto& rows = dynamic_cast<const SparseRows&>(*data.rows);
  const BinaryLabels labels = binary_labels(data);
  Real sum = 0, squares = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    Real z = 0;
    for (std::size_t k = 0; k < rows.indices(i).size(); ++k)
      z += static_cast<Real>(rows.values(i)[k]) * static_cast<Real>(x[rows.indices(i)[k]]);
    if (data.targets[i] != labels.positive) z = -z;
    sum += z >= 1 ? 0 : z <= 0 ? 0.5L - z : 0.5L * (1 - z) * (1 - z);
  }
  for (const double v : x) squares += static_cast<Real>(v) * static_cast<Real>(v);
  return sum / static_cast<Real>(rows.rows()) + 0.5L * static_cast<Real>(lambda) * squares;
}

TEST(LongRun, ReportsTheTrueValueAndAProvenGap) {
  const std::filesystem::path file = std::filesystem::path(GEODESCENT_SHARED_DATA) / "binary" / "a1a.xz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "real data is not here";
  const double lambda = 1e-8;
  const Dataset data = read_dataset(file.string());
  const auto f = make_risk("smoothed-hinge", data, lambda);
  // The minimum by the default method.
  const Result best = minimize(*f, "geod-memory", {}, {.gap_tolerance = 1e-9});
  ASSERT_EQ(best.status, Status::converged) << best.message;

  const GeodMemory so_little_that_it_goes_on{.memory = 2};
  const Result r = minimize(*f, so_little_that_it_goes_on, {}, {.gap_tolerance = 0, .max_iterations = 3000});
  EXPECT_GE(r.iterations, 2000u) << r.message;
  EXPECT_NEAR(r.value, static_cast<double>(true_value(data, lambda, r.x)), 1e-14);
  EXPECT_LE(r.lower_bound, best.value) << "no bound lies above a value";
  EXPECT_GE(r.value, best.lower_bound) << "no value lies below a bound";
  EXPECT_LE(r.relative_gap(), 1e-4) << "the long run led somewhere";
}

}  // namespace
}  // namespace geodescent::testing
