// A host that has changed how its threads compute gets an error and no proof.
#include "certificate/numbers/self_test.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <memory>
#include <stdexcept>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/parallel.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/threads.hpp"

namespace geodescent {
namespace {

class SelfTest : public ::testing::Test {
 protected:
  void TearDown() override { std::fesetenv(FE_DFL_ENV); }

  /// Why there is no proof; empty when there is one.
  static std::string refusal() {
    Dataset data;
    data.rows = std::make_shared<DenseRows>(Vector{1, -1}, 1);
    data.targets = {1, -1};
    LinearModel model;
    model.weights = {0.5};
    model.risk = {.loss = "logistic", .l2 = 0.1};
    try {
      static_cast<void>(prove(data, model, {{0, 0}, 0}));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(SelfTest, PassesHere) {
  EXPECT_NO_THROW(proof::require_sound_arithmetic());
  EXPECT_EQ(refusal(), "");
}

TEST_F(SelfTest, RoundingModesAreNoticed) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::string reason = refusal();
    std::fesetround(FE_TONEAREST);
    EXPECT_NE(reason.find("does not round to nearest"), std::string::npos) << mode << reason;
  }
}

#if defined(__x86_64__)
TEST_F(SelfTest, NumbersFlushedToZeroAreNoticed) {
  for (const unsigned bit : {0x8000u, 0x0040u}) {  // of results, of arguments
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | bit);
    const std::string reason = refusal();
    _mm_setcsr(before);
    EXPECT_NE(reason.find("flushes subnormal numbers to 0"), std::string::npos) << bit << reason;
  }
}
#endif

TEST_F(SelfTest, OurThreadsComputeAsTheyShouldHoweverTheirCreatorDoes) {
  const int before = threads();
  set_threads(before + 3);
  std::fesetround(FE_UPWARD);
  parallel::start_threads();
  std::fesetround(FE_TONEAREST);
  std::array<int, 64> modes{};
  parallel::run(
      modes.size(),
      [](void* context, std::size_t block) {
        (*static_cast<std::array<int, 64>*>(context))[block] = std::fegetround();
      },
      &modes);
  for (const int mode : modes) EXPECT_EQ(mode, FE_TONEAREST);
  set_threads(before);
}

TEST(ProvenGap, AContradictionIsNoGapOfZero) {
  EXPECT_EQ((ProvenGap{1, 1, 2, 1}.gap()), 0);
  EXPECT_EQ((ProvenGap{1, 1.5, 2, 1}.gap()), std::numeric_limits<double>::infinity());
  EXPECT_EQ((ProvenGap{1, 1.5, 2, 1}.relative_gap()), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace geodescent
