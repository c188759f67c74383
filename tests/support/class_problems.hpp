// Small random problems of several classes, softmax and one class against the rest, with the truth
// about them in long double and 113 bits.
#pragma once

#include "geodescent/certificate.hpp"
#include "support/random.hpp"
#include "support/reference/quad.hpp"

namespace geodescent::testing {

struct ClassProblem {
  Dataset data;  ///< with the constant column of a regularised intercept
  Risk risk;
  std::vector<ClassRows> classes;
};

/// Three to six classes, or two of softmax; labels that are no numbers of classes, weights, all
/// kinds of intercept.
ClassProblem random_class_problem(Random& random);

/// The minimum of the problem. Shares nothing with the library.
class ClassTruth {
 public:
  explicit ClassTruth(const ClassProblem& problem);

  /// f at the model, of one class against the rest the sum over the classes.
  Quad value(const LinearModel& model) const;
  /// f is slightly above its minimum here.
  Quad minimum() const { return minimum_; }
  /// The same of one class against the rest; empty for softmax.
  Quad value_of_class(const LinearModel& model, std::size_t k) const;
  const std::vector<Quad>& minima_of_classes() const { return minima_of_classes_; }
  /// The minimiser, rounded to doubles; it claims nothing.
  LinearModel minimiser() const { return minimiser_; }

 private:
  ClassProblem problem_;
  Quad minimum_ = 0;
  std::vector<Quad> minima_of_classes_;
  LinearModel minimiser_;
};

}  // namespace geodescent::testing
