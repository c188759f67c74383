// Searching a whole subspace for its minimum, as line_search.hpp searches a line: Newton's method on cached images.
#pragma once

#include "optimize/search/cholesky.hpp"
#include "optimize/search/line_search.hpp"
#include "optimize/search/subspace_model.hpp"

namespace geodescent {

class SubspaceSearch {
 public:
  SubspaceSearch() = default;
  /// All memory is allocated here.
  SubspaceSearch(Oracle& f, std::size_t capacity);

  struct Outcome {
    double value = 0;    ///< f at the new x
    bool finite = true;  ///< false: f was not finite where the search led
    bool able = true;    ///< false: this function has no second derivatives on a subspace
  };

  /// Moves x towards the minimum of f over x + span(basis) until the gradient in the subspace is at most `goal`,
  /// rounding leaves nothing to gain, or `most_steps` were made. f(x) never rises. `value` is f(x). No pass.
  Outcome minimize(Oracle& f, const Basis& basis, Point& x, double value, double goal, int most_steps = 15);

  /// In the basis of the last search: of x, and of x before it.
  const Vector& coordinates() const { return reduced_.coordinates; }
  const Vector& start() const { return start_; }

  /// The basis has lost all columns but the first ones.
  void forget(std::size_t columns);

 private:
  bool factorize(std::size_t columns);
  bool newton_direction(std::size_t columns);
  Outcome descend(Oracle& f, const Basis& basis, Point& x, double value, double goal, int most_steps);

  Reduced reduced_;
  // L L' = the Hessian, of so many columns of the one of that generation.
  Reduced::Scratch factor_;
  Cholesky factorization_;
  std::size_t factored_ = 0, factored_generation_ = 0;
  Vector z_, start_;
  Point direction_;
  Line line_;
};

}  // namespace geodescent
