// Runs that change their search: they do so where expected, with the same bits on any number of
// threads, within the planned memory, and with proven results.
#include <gtest/gtest.h>

#include "contract/allocations.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/data/generate.hpp"
#include "geodescent/learn/train.hpp"
#include "geodescent/threads.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

constexpr double l2 = 1e-6;

/// Dense, with columns of very different sizes. A Hessian costs as much as many gradients, and is
/// worth it.
const Dataset& badly_scaled() {
  static const Dataset data = dataset_of(
      generate({.rows = 1500, .features = 100, .density = 1, .conditioning = 1000, .label_noise = 0.1, .seed = 5}),
      "generated");
  return data;
}

class ScheduleContract : public ::testing::TestWithParam<std::string_view> {
 protected:
  ~ScheduleContract() override { set_threads(before_); }

 private:
  int before_ = threads();
};

TEST_P(ScheduleContract, ARunChangesItsSearchWithinThePlannedMemory) {
  const auto f = make_risk(GetParam(), badly_scaled(), l2, {}, Bias::free);
  const Options options{.gap_tolerance = 1e-6, .keep_dual = true};
  const Memory planned = planned_memory(*f, GeodMemory{}, options).value();
  std::vector<std::string_view> searches;
  std::uint64_t before = 0, most = 0;
  double bound = 0;
  const Result r = minimize(*f, GeodMemory{}, {}, options, [&](const Progress& at) {
    const std::uint64_t taken = allocated_bytes() - before;
    const std::string_view along = at.method->memory()->along;
    if (searches.empty() || searches.back() != along) searches.push_back(along);
    if (at.iteration > 0) most = std::max(most, taken);
    EXPECT_GE(at.lower_bound, bound) << "what was proven is handed over";
    bound = at.lower_bound;
    before = allocated_bytes();
    return true;
  });
  EXPECT_EQ(r.status, Status::converged) << r.message;
  EXPECT_EQ(searches, (std::vector<std::string_view>{"quasi-newton", "newton"}));
  EXPECT_EQ(planned.along, "quasi-newton");
  EXPECT_GT(static_cast<double>(most), 0.5 * r.memory->bytes);
  EXPECT_LT(static_cast<double>(most), 2.1 * r.memory->bytes) << "what is made and then moved counts twice";
  EXPECT_LE(r.memory->bytes, planned.bytes_after_guard);
}

TEST_P(ScheduleContract, ItsBitsDoNotDependOnThreads) {
  const auto f = make_risk(GetParam(), badly_scaled(), l2, {}, Bias::free);
  set_threads(1);
  const Result alone = minimize(*f, GeodMemory{});
  EXPECT_EQ(alone.memory->along, "newton");
  for (const int count : {2, 4}) {
    set_threads(count);
    const Result r = minimize(*f, GeodMemory{});
    EXPECT_EQ(r.x, alone.x) << count;
    EXPECT_EQ(r.lower_bound, alone.lower_bound) << count;
    EXPECT_EQ(r.iterations, alone.iterations) << count;
  }
}

TEST_P(ScheduleContract, ItsResultIsProven) {
  const TrainResult trained = train(badly_scaled(), {.loss = std::string(GetParam()), .l2 = l2, .bias = Bias::free});
  EXPECT_EQ(trained.run.status, Status::converged) << trained.run.message;
  EXPECT_EQ(trained.run.memory->along, "newton");
  const Verification checked = verify(badly_scaled(), trained.model, trained.certificate.value());
  EXPECT_TRUE(checked.holds) << checked.reason;
}

INSTANTIATE_TEST_SUITE_P(All, ScheduleContract, ::testing::Values("logistic", "smoothed-hinge", "squared-hinge"),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace geodescent::testing
