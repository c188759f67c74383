// lower_bound <= f* <= value in every iteration, for every method, every loss and every strong
// convexity, judged by an independent reference.
#include <gtest/gtest.h>

#include <limits>

#include "geodescent/optimize/minimize.hpp"
#include "support/numbers.hpp"
#include "support/problems.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

constexpr double alphas[] = {1, 1e-2, 1e-4, 1e-6, 1e-8};

struct Case {
  std::string_view method;
  std::string_view problem;  // a loss, or the name of a user's function
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.method << " on " << c.problem; }

class CertificateTest : public ::testing::TestWithParam<Case> {};

std::vector<Problem> problems(std::string_view name, double alpha) {
  Random random(17);
  if (name == "log_sum_exp") return {user_problem("log_sum_exp", log_sum_exp(random, 12, 6, alpha), false)};
  if (name == "pseudo_huber") return {user_problem("pseudo_huber", pseudo_huber(random, 12, 6, alpha), true)};
  if (name == "quadratic") return {random_quadratic(random, spectrum(15, alpha, 1))};
  return {risk_problem(random, name, alpha, {.rows = 40, .columns = 10}),
          risk_problem(random, name, alpha, {.rows = 15, .columns = 30, .density = 0.3})};
}

/// The rounding of a value whose image was combined in every iteration, relative to the magnitude
/// of f's terms.
Real drift(Real magnitude, std::uint64_t iteration) {
  return 2 * eps * magnitude * (2 + std::sqrt(static_cast<Real>(iteration)));
}

TEST_P(CertificateTest, HoldsInEveryIterationAndInTheResult) {
  for (const double alpha : alphas) {
    for (const Problem& p : problems(GetParam().problem, alpha)) {
      SCOPED_TRACE(::testing::Message() << "alpha " << alpha << ", dimension " << p.truth.dimension);
      const Optimum optimum = newton(p.truth);
      const bool loss = p.objective->oracle()->image_size() > 0;
      const Vector x0 = loss ? Vector(p.truth.dimension) : Random(5).normal_vector(p.truth.dimension);
      const Real magnitude = std::max(p.truth.at(real(x0)).magnitude, p.truth.at(optimum.x).magnitude);
      std::uint64_t seen = 0, too_high = 0, too_low = 0;
      const Result r = minimize_with(GetParam().method, *p.objective, x0, {.gap_tolerance = 0, .max_iterations = 150},
                                     [&](const Progress& at) {
                                       EXPECT_EQ(at.iteration, seen++);
                                       too_high += !(at.lower_bound <= optimum.lower);
                                       too_low += !(at.value + drift(magnitude, at.iteration) >= optimum.lower);
                                       return true;
                                     });
      EXPECT_EQ(too_high, 0u) << "iterations with a lower bound above f*";
      EXPECT_EQ(too_low, 0u) << "iterations with a value below f*";

      const Sample truth = p.truth.at(real(r.x));
      EXPECT_LE(r.lower_bound, optimum.lower);
      EXPECT_GE(r.gap(), 0);
      EXPECT_GE(r.gap(), truth.value - optimum.lower) << "the gap reported is smaller than the true one";
      EXPECT_LE(std::abs(r.value - truth.value), 4 * eps * truth.magnitude) << "the value reported is not f(x)";
      EXPECT_NE(r.status, Status::not_finite);
      EXPECT_NE(r.status, Status::not_strongly_convex);
    }
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string_view m : method_variants()) {
    for (const LossInfo& l : losses()) all.push_back({m, l.name});
    for (const char* f : {"log_sum_exp", "pseudo_huber", "quadratic"}) all.push_back({m, f});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, CertificateTest, ::testing::ValuesIn(cases()), [](const auto& test) {
  return test_name(std::string(test.param.method) + "_on_" + std::string(test.param.problem));
});

}  // namespace
}  // namespace geodescent::testing
