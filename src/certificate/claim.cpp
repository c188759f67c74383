#include "certificate/claim.hpp"

#include <cmath>
#include <utility>

namespace geodescent {
namespace {

/// Another checker may round more. It must confirm an honest claim, too.
constexpr double claim_margin = 4e-15;
constexpr int most_bytes = 8;
/// The permitted growth of the gap for a smaller file.
constexpr double allowed_growth = 1.01;

/// A dual point and what it proves.
struct Candidate {
  DualPoint dual;
  double bound = 0;
};

template <class P>
Candidate candidate(const P& problem, std::span<const double> slopes, int bytes) {
  Candidate result;
  result.dual = rounded_dual(problem, slopes, bytes);
  result.bound = bound_below(problem, result.dual);
  return result;
}

/// The fewest bytes with which steps are small against the gap, relative to the largest dual value.
int first_guess(double gap) {
  int bytes = 3;
  while (bytes < most_bytes && std::ldexp(1.0, 1 - 8 * bytes) > 0.05 * gap) ++bytes;
  return bytes;
}

/// As few bytes as keep the gap below 1.01 times the smallest. Each trial is a backward pass.
template <class P>
Candidate smallest(const P& problem, std::span<const double> slopes, double value, std::optional<double> best_bound) {
  std::optional<Candidate> best;
  if (!best_bound) best_bound = (best = candidate(problem, slopes, most_bytes))->bound;
  const double gap = value - *best_bound;
  for (int bytes = first_guess(gap); bytes < most_bytes; ++bytes) {
    Candidate tried = candidate(problem, slopes, bytes);
    if (tried.bound >= value - allowed_growth * gap) return tried;
  }
  return best ? std::move(*best) : candidate(problem, slopes, most_bytes);
}

template <class P>
Claim claim(const P& problem, const LinearModel& model, std::span<const double> slopes,
            std::optional<double> lower_bound) {
  const double value = value_above(problem, model);
  Vector at_model;
  if (slopes.empty()) slopes = at_model = slopes_at(problem, model);
  Candidate best = smallest(problem, slopes, value, lower_bound);
  require_no_contradiction(problem, value, best.bound);
  const ProvenGap claimed{value * (1 + claim_margin), best.bound * (1 - claim_margin),
                          reference_below(problem) * (1 - claim_margin), problem.risk().l2};
  return {claimed.value, claimed.lower_bound, claimed.relative_gap(), std::move(best.dual)};
}

}  // namespace

Claim claim_for(const proof::Problem& problem, const LinearModel& model, std::span<const double> slopes,
                std::optional<double> lower_bound) {
  return claim(problem, model, slopes, lower_bound);
}

Claim claim_for(const proof::SoftmaxProblem& problem, const LinearModel& model, std::span<const double> slopes,
                std::optional<double> lower_bound) {
  return claim(problem, model, slopes, lower_bound);
}

}  // namespace geodescent
