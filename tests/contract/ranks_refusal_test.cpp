// What cannot be proven over ranks is refused on all of them alike, with the reason of one process.
#include <gtest/gtest.h>

#include <limits>

#include "geodescent/certificate.hpp"
#include "geodescent/ranks.hpp"
#include "support/problems.hpp"
#include "support/rank_data.hpp"
#include "support/rank_models.hpp"
#include "support/thread_ranks.hpp"

namespace geodescent::testing {
namespace {

/// All ranks refuse, with the reason of one process.
void expect_refused(const Dataset& data, const LinearModel& model, const Certificate& forged) {
  const Verification alone = verify(data, model, forged);
  EXPECT_FALSE(alone.holds);
  const auto thrown = run_ranks(3, [&](const std::shared_ptr<Communicator>& comm) {
    const Verification found = verify(on_ranks(rows_of_rank(data, comm->rank(), 3), comm), model, forged);
    EXPECT_FALSE(found.holds);
    EXPECT_EQ(found.reason, alone.reason);
  });
  EXPECT_EQ(thrown, std::vector<std::string>(3));
}

TEST(RankRefusals, RefuseAForgedCertificateOnAllRanks) {
  Random random(1033);
  const RandomData problem =
      random_data(random, Task::classification, {.rows = 4000, .columns = 6, .density = 0.5, .weighted = true});
  const Trained run = trained(problem.data, risk_of("smoothed-hinge", Bias::free), 5);
  const Certificate honest = certify(problem.data, run.model, run.slopes);
  const auto expect_forgery_refused = [&](const auto& forge) {
    Certificate forged = honest;
    forge(forged);
    expect_refused(problem.data, run.model, forged);
  };
  expect_forgery_refused([](Certificate& c) { c.value *= 0.999; });
  expect_forgery_refused([](Certificate& c) { c.lower_bound *= 1.001; });
  expect_forgery_refused([](Certificate& c) { c.relative_gap /= 2; });
  expect_forgery_refused([](Certificate& c) { c.fingerprint.back() = c.fingerprint.back() == '0' ? '1' : '0'; });
  expect_forgery_refused([](Certificate& c) { c.total_weight += 1; });
  expect_forgery_refused([](Certificate& c) { ++c.dual.steps[3500]; });                        // the sum is not 0
  expect_forgery_refused([](Certificate& c) { c.dual.steps[1700] = std::int64_t{1} << 40; });  // not in the domain
  expect_forgery_refused([](Certificate& c) { c.dual.steps[1700] = std::int64_t{1} << 60; });  // too many steps
  expect_forgery_refused([](Certificate& c) { c.dual.steps.pop_back(); });
  expect_forgery_refused([](Certificate& c) { c.dual.exponent = 5000; });
  expect_forgery_refused([](Certificate& c) { c.rows = 3999; });
  Dataset other = problem.data;
  other.targets[3900] = -other.targets[3900];
  expect_refused(other, run.model, honest);
}

// One rank has other files than the others.
TEST(RankRefusals, AllRefuseIfOneHasAnotherModelOrCertificate) {
  Random random(1037);
  const RandomData problem = random_data(random, Task::classification, {.rows = 3000, .columns = 6, .density = 0.5});
  const Trained run = trained(problem.data, risk_of("logistic", Bias::free), 5);
  const Certificate honest = certify(problem.data, run.model, run.slopes);
  const auto expect_all_refuse = [&](const auto& forge, const std::string& reason) {
    const auto thrown = run_ranks(3, [&](const std::shared_ptr<Communicator>& comm) {
      const Dataset here = on_ranks(rows_of_rank(problem.data, comm->rank(), 3), comm);
      LinearModel model = run.model;
      Certificate certificate = honest;
      if (comm->rank() == 1) forge(model, certificate);
      const Verification found = verify(here, model, certificate);
      EXPECT_FALSE(found.holds);
      EXPECT_NE(found.reason.find(reason), std::string::npos) << found.reason;
    });
    EXPECT_EQ(thrown, std::vector<std::string>(3));
  };
  expect_all_refuse([](LinearModel& m, Certificate&) { m.weights[2] = 0; }, "different models");
  expect_all_refuse([](LinearModel& m, Certificate&) { m.risk.bias = Bias::regularized; }, "different models");
  expect_all_refuse([](LinearModel&, Certificate& c) { c.value *= 2; }, "different certificates");
  expect_all_refuse([](LinearModel&, Certificate& c) { ++c.dual.exponent; }, "different certificates");
  expect_all_refuse([](LinearModel&, Certificate& c) { c.total_weight = 1; }, "different certificates");
  expect_all_refuse([](LinearModel&, Certificate& c) { c.dual.steps.pop_back(); }, "dual values");
  expect_all_refuse([](LinearModel&, Certificate& c) { ++c.dual.steps[1400]; }, "add up to 0");
}

TEST(RankRefusals, AllThrowIfOneHasAWrongConstantFeature) {
  Random random(1039);
  RandomData problem = random_data(random, Task::regression, {.rows = 3000, .columns = 2});
  Vector entries;
  for (std::size_t i = 0; i < 3000; ++i) entries.insert(entries.end(), {random.normal(), i == 2100 ? 2.0 : 1.0});
  problem.data.rows = std::make_shared<DenseRows>(entries, 2);
  problem.data.constant = 1;
  LinearModel model;
  model.risk = risk_of("squared", Bias::regularized);
  model.weights = {0.5};
  model.bias_weights = {0.5};
  const std::string message = "the constant feature is 2 in row 2101 and 1 in the model";
  for (const bool values_only : {true, false}) {
    const auto thrown = run_ranks(4, [&](const std::shared_ptr<Communicator>& comm) {
      const Dataset here = on_ranks(rows_of_rank(problem.data, comm->rank(), 4), comm);
      if (values_only)
        (void)slopes_at(here, model);
      else
        (void)certify(here, model, {});
    });
    for (const std::string& what : thrown) EXPECT_NE(what.find(message), std::string::npos) << what;
  }
}

TEST(RankRefusals, AllThrowIfTheSlopesOfOneAreWrong) {
  Random random(1049);
  const RandomData problem = random_data(random, Task::regression, {.rows = 3000, .columns = 2});
  const Trained run = trained(problem.data, risk_of("squared", Bias::none), 2);
  const auto thrown = run_ranks(3, [&](const std::shared_ptr<Communicator>& comm) {
    const Dataset here = on_ranks(rows_of_rank(problem.data, comm->rank(), 3), comm);
    Vector slopes(here.targets.size());
    if (comm->rank() == 1) slopes[10] = std::numeric_limits<double>::quiet_NaN();
    (void)rounded_dual(here, run.model.risk, slopes, 4);
  });
  for (const std::string& what : thrown) {
    EXPECT_NE(what.find("is not a number"), std::string::npos) << what;
    EXPECT_EQ(what, thrown[0]);
  }
}

}  // namespace
}  // namespace geodescent::testing
