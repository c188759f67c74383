// The best intercept for given predictions: a convex problem in one variable. Internal to the library.
#pragma once

#include <vector>

#include "certificate/proof/any_proof_loss.hpp"

namespace geodescent::proof {

/// weight phi(sign (offset + b), target): a row, or many rows that are alike.
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

  /// Close to the b that minimises h: safeguarded Newton steps.
  Real minimiser() const;
  /// h is nowhere below this: h is convex, and some minimiser lies in the bracket.
  Real lower_bound(Real b) const;

 private:
  struct Bracket {
    Real low, high;
  };
  struct Derivatives {
    Real first, second;
    Real size;  ///< of the terms of `first`, before they cancel
  };

  Bracket bracket() const;
  Derivatives derivatives(Real b) const;

  const AnyProofLoss& loss_;
  std::vector<InterceptTerm> terms_;
};

}  // namespace geodescent::proof
