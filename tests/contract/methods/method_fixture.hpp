// The fixture of tests of all methods: every objective, and a run of the tested method.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string_view>
#include <vector>

#include "contract/objectives.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/threads.hpp"
#include "support/numbers.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {

class MethodFixture : public ::testing::TestWithParam<std::string_view> {
 protected:
  ~MethodFixture() override { set_threads(threads_before_); }

  static Vector start_for(const Problem& p) { return Random(11).normal_vector(p.truth.dimension); }
  static Result run(const Problem& p, const Options& options, const Observer& observer = {}) {
    return run(p, method_of(GetParam()), options, observer);
  }
  static Result run(const Problem& p, const MethodChoice& method, const Options& options,
                    const Observer& observer = {}) {
    return minimize(*p.objective, method, start_for(p), options, observer);
  }

  std::vector<Problem> all = objectives();

 private:
  int threads_before_ = threads();
};

}  // namespace geodescent::testing
