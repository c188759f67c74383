// The optimal intercept for given predictions: a convex problem in one variable. Internal to the
// library.
#pragma once

#include <vector>

#include "certificate/proof/any_proof_loss.hpp"

namespace geodescent::proof {

/// weight phi(sign (offset + b), target) for one row, or for many equal rows.
struct InterceptTerm {
  Bounded weight;
  Real offset = 0;
  double sign = 1;
  double target = 0;
};

/// h(b) = the sum of the terms.
class InterceptProblem {
 public:
  InterceptProblem(const AnyProofLoss& loss, std::vector<InterceptTerm> terms);

  /// A point close to the minimiser of h, by safeguarded Newton steps.
  Real minimiser() const;
  /// A lower bound on h: h is convex, and a minimiser lies in the bracket.
  Real lower_bound(Real b) const;

 private:
  struct Bracket {
    Real low, high;
  };
  struct Derivatives {
    Real first, second;
    Real size;  ///< the sum of the magnitudes of the terms of `first`
  };

  Bracket bracket() const;
  Derivatives derivatives(Real b) const;

  const AnyProofLoss& loss_;
  std::vector<InterceptTerm> terms_;
};

}  // namespace geodescent::proof
