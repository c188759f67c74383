#include <fmt/format.h>

#include <cmath>

#include "experiments/balls/balls.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

constexpr const char* section = "section 4.1, question";

/// Compares two variants at every second accuracy, with the largest m.
class Claims {
 public:
  Claims(const BallsOptions& o, const ExperimentOptions& e, const Results& results)
      : o_(o), e_(e), results_(results), last_(o.sizes.size() - 1) {}

  Claim competitive() const {
    return judge(fmt::format("GeoD that intersects {} balls, and keeps nothing else, is competitive to L-BFGS with "
                             "memory {}. (Judged: the median of its passes is at most that of L-BFGS at every second "
                             "accuracy; in part: at half of them.)",
                             m(), m()),
                 Kept::balls, Kept::pairs, Goal::accuracy, Measure::passes);
  }

  Claim balls_gain() const {
    Claim claim{section,
                fmt::format("Intersecting {} balls instead of two saves GeoD iterations to a proven gap. (Judged: the "
                            "median ratio to GeoD with one ball is below 1 at every second gap; in part: at half.)",
                            m()),
                "", Verdict::not_measured};
    std::size_t holding = 0, all = 0;
    for (std::size_t a = 1; a < e_.accuracies.size(); a += 2) {
      const double ratio = quantile(
          ratios_to_one_ball(results_, place_of(Kept::balls, last_, o_), a, Measure::iterations, Goal::proof), 0.5);
      if (std::isnan(ratio)) continue;
      ++all;
      holding += ratio < 1;
      claim.measured += fmt::format("{}{:.2f} at {:.0e}", all == 1 ? "" : ", ", ratio, e_.accuracies[a]);
    }
    claim.verdict = judged(holding, all);
    return claim;
  }

  Claim directions_gain_more() const {
    return judge(fmt::format("{} directions gain more than {} balls. (Judged: the median of the iterations to the "
                             "proven gap is smaller or the same at every second gap; in part: at half.)",
                             m(), m()),
                 Kept::directions, Kept::balls, Goal::proof, Measure::iterations);
  }

  Claim balls_add_to_directions() const {
    return judge(fmt::format("{} balls beside {} directions do not cost iterations to a proven gap. (Judged: the "
                             "median is smaller or the same as that of directions alone at every second gap; in part: "
                             "at half.)",
                             m(), m()),
                 Kept::both, Kept::directions, Goal::proof, Measure::iterations);
  }

 private:
  std::size_t m() const { return o_.sizes[last_]; }

  Claim judge(const std::string& statement, Kept better, Kept worse, Goal goal, Measure measure) const {
    Claim claim{section, statement, "", Verdict::not_measured};
    std::size_t holding = 0, all = 0;
    for (std::size_t a = 1; a < e_.accuracies.size(); a += 2) {
      const double left = quantile(costs(results_, place_of(better, last_, o_), a, measure, goal), 0.5);
      const double right = quantile(costs(results_, place_of(worse, last_, o_), a, measure, goal), 0.5);
      if (std::isinf(left) && std::isinf(right)) continue;
      ++all;
      holding += left <= right;
      claim.measured += fmt::format("{}{:g} : {:g} at {:.0e}", all == 1 ? "" : ", ", left, right, e_.accuracies[a]);
    }
    if (all == 0) claim.measured = "neither gets as far in this run";
    claim.verdict = judged(holding, all);
    return claim;
  }

  const BallsOptions& o_;
  const ExperimentOptions& e_;
  const Results& results_;
  std::size_t last_;
};

}  // namespace

std::vector<Claim> balls_claims(const BallsOptions& o, const ExperimentOptions& e, const Results& results) {
  const Claims claims(o, e, results);
  return {claims.competitive(), claims.balls_gain(), claims.directions_gain_more(), claims.balls_add_to_directions()};
}

}  // namespace geodescent::lab
