// Minimisation over a subspace: Newton's method on cached images.
#pragma once

#include "optimize/oracles/subspace_model.hpp"
#include "optimize/search/cholesky.hpp"
#include "optimize/search/line_search.hpp"

namespace geodescent {

class SubspaceSearch {
 public:
  SubspaceSearch() = default;
  /// All memory is allocated here.
  SubspaceSearch(Oracle& f, std::size_t capacity);

  struct Outcome {
    double value = 0;    ///< f at the new x
    bool finite = true;  ///< false: f was not finite where the search led
    bool able = true;    ///< false: the function has no second derivatives on a subspace
  };

  /// Moves x towards the minimum of f over x + span(basis): no pass. Stops when the gradient in the
  /// subspace is at most `goal`, when rounding leaves nothing to gain, or after `most_steps` steps.
  /// f(x) never rises. `value` is f(x).
  Outcome minimize(Oracle& f, const Basis& basis, Point& x, double value, double goal, int most_steps = 15);

  /// The coordinates, in the basis of the last search, of x after it and before it.
  const Vector& coordinates() const { return reduced_.coordinates; }
  const Vector& start() const { return start_; }

  /// Tells that all columns of the basis but the first `columns` have gone.
  void forget(std::size_t columns);

 private:
  bool factorize(std::size_t columns);
  bool newton_direction(std::size_t columns);
  Outcome descend(Oracle& f, const Basis& basis, Point& x, double value, double goal, int most_steps);

  Reduced reduced_;
  // L with L L' = the Hessian: its first factored_ columns, of generation factored_generation_.
  Reduced::Scratch factor_;
  Cholesky factorization_;
  std::size_t factored_ = 0, factored_generation_ = 0;
  Vector z_, start_;
  Point direction_;
  Line line_;
};

}  // namespace geodescent
