// A forger has the files, changes one line of the model or of the certificate, and updates the
// checksum. Whatever still verifies is true: the value and the bound (judged in 113 bits), the
// classes, and the problem.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "geodescent/certificate.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/train.hpp"
#include "support/certificate_problems.hpp"
#include "support/forgeries.hpp"
#include "support/reference/quad_risk.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

class Forging : public ::testing::TestWithParam<int> {
 protected:
  /// Whether it verifies; then checks that every claim is true. `rows`: the data without class
  /// weights.
  bool holds(const Forgery& forgery, const Dataset& rows, const CertifiedModel& honest, const QuadRisk& truth) const {
    const std::string path = folder / "forged";
    put(path, forgery.text);
    CertifiedModel forged;
    try {
      forged = read_certified_model(path);
      if (!forged.certificate) return false;
      const Dataset data = with_class_weights(rows, forged.certificate->class_weights);
      if (!verify(data, forged.model, *forged.certificate).holds) return false;
    } catch (const InputError&) {
      return false;
    }
    const Quad value = truth.value(forged.model);
    const LinearModel& m = forged.model;
    const Certificate& c = *forged.certificate;
    EXPECT_GE(Quad(c.value), value) << forgery.what;
    EXPECT_GE(Quad(m.value), value) << forgery.what;
    EXPECT_LE(Quad(c.lower_bound), truth.minimum()) << forgery.what;
    EXPECT_LE(Quad(m.lower_bound), truth.minimum()) << forgery.what;
    EXPECT_EQ(m.risk.l2, honest.model.risk.l2) << forgery.what;
    EXPECT_EQ(m.risk.loss, honest.model.risk.loss) << forgery.what;
    EXPECT_EQ(m.risk.loss_parameter, honest.model.risk.loss_parameter) << forgery.what;
    EXPECT_EQ(m.risk.bias, honest.model.risk.bias) << forgery.what;
    EXPECT_EQ(m.weights.size(), honest.model.weights.size()) << forgery.what;
    EXPECT_EQ(c.rows, honest.certificate->rows) << forgery.what;
    EXPECT_EQ(c.class_weights, honest.certificate->class_weights) << forgery.what;
    EXPECT_EQ(c.total_weight, honest.certificate->total_weight) << forgery.what;
    EXPECT_EQ(m.labels.has_value(), honest.model.labels.has_value()) << forgery.what;
    if (m.labels && honest.model.labels) {
      EXPECT_EQ(m.labels->negatives, honest.model.labels->negatives) << forgery.what;
      EXPECT_EQ(m.labels->positives, honest.model.labels->positives) << forgery.what;
      EXPECT_EQ(m.labels->negative, honest.model.labels->negative) << forgery.what;
      EXPECT_EQ(m.labels->positive, honest.model.labels->positive) << forgery.what;
    }
    return true;
  }

  const TemporaryFolder folder;
};

TEST_P(Forging, NoLineCanBeMadeFalse) {
  Random random(static_cast<std::uint64_t>(GetParam()) + 4711);
  int accepted = 0, tried = 0;
  for (int k = 0; k < 3; ++k) {
    const CertificateProblem problem = random_certificate_problem(random);
    std::vector<ClassWeight> of_classes;
    const double label = problem.data.targets.front();
    if (k > 0) of_classes.push_back({label, random.log_uniform(0.1, 10)});
    const Dataset data = with_class_weights(problem.data, of_classes);
    const TrainResult trained = train(data, problem.risk);
    if (!trained.certificate) continue;
    write_model(trained.model, *trained.certificate, folder / "honest");
    const CertifiedModel honest = read_certified_model(folder / "honest");
    ASSERT_TRUE(verify(data, honest.model, *honest.certificate).holds);
    const QuadRisk truth(data, problem.risk);
    for (const Forgery& forgery : forgeries(contents(folder / "honest"))) {
      ++tried;
      accepted += holds(forgery, problem.data, honest, truth) ? 1 : 0;
    }
  }
  EXPECT_GT(tried, 500);
  EXPECT_GT(accepted, 0) << "weaker claims are true, so some must be accepted";
}

/// Claims that are false by one unit in the last place: the value just below the true one, the
/// bound just above that of the dual point.
TEST_P(Forging, FalseByOneUnitInTheLastPlaceIsRefused) {
  Random random(static_cast<std::uint64_t>(GetParam()) + 815);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  int lowered = 0;
  for (int k = 0; k < 30; ++k) {
    const CertificateProblem problem = random_certificate_problem(random);
    const TrainResult trained = train(problem.data, problem.risk);
    if (!trained.certificate) continue;
    const QuadRisk truth(problem.data, problem.risk);
    Certificate claim = *trained.certificate;
    const Quad value = truth.value(trained.model), bound = truth.dual_value(claim.dual);
    claim.value = static_cast<double>(value);
    while (Quad(claim.value) >= value) claim.value = std::nextafter(claim.value, -infinity), ++lowered;
    EXPECT_FALSE(verify(problem.data, trained.model, claim).holds) << "value";
    claim = *trained.certificate;
    claim.lower_bound = static_cast<double>(std::max(bound, Quad(0)));
    while (Quad(claim.lower_bound) <= std::max(bound, Quad(0)))
      claim.lower_bound = std::nextafter(claim.lower_bound, infinity);
    EXPECT_FALSE(verify(problem.data, trained.model, claim).holds) << "lower bound";
  }
  EXPECT_GT(lowered, 0);
}

INSTANTIATE_TEST_SUITE_P(Shard, Forging, ::testing::Range(0, 4));

}  // namespace
}  // namespace geodescent::testing
