// A bundle of balls: the last lower models, and one that encloses all earlier ones.
#pragma once

#include <optional>
#include <vector>

#include "optimize/models/convexity_estimate.hpp"
#include "optimize/models/lower_model.hpp"

namespace geodescent {

class Bundle {
 public:
  /// Whether the images of a point and its gradient are known in `enclose`, or only in
  /// `set_images`. In row form they are always known.
  enum class Images { with_point, told_later };

  Bundle() = default;
  /// Keeps up to `capacity` balls, including the newest, besides the enclosing one. A capacity of 1
  /// keeps none, since Algorithm 1 has already used the newest. All memory is allocated here,
  /// except dual points, which are allocated ball by ball because few runs need all of them. An
  /// alpha of 0 means unknown: it is estimated from the points, and a point that contradicts the
  /// estimate rebuilds all balls.
  Bundle(std::size_t dimension, std::size_t image_size, double alpha, std::size_t capacity, bool keeps_dual = false,
         const InnerProduct& product = {}, Images images = Images::told_later);

  /// Takes the enclosing ball of another bundle for the same function, before the first `enclose`.
  /// Returns its linear term, for the caller to lift if `linear` is used. Returns null if balls
  /// have their images, or if alpha is estimated; in the latter case nothing is taken.
  Point* begin_with(const LowerModel& enclosing);
  /// Adds the ball at x. The enclosing ball becomes nearly the smallest one around the intersection
  /// of the enclosing ball, the kept balls and the ball at x. It is never larger than the result of
  /// Algorithm 1 on the enclosing ball and the ball at x.
  void enclose(const Point& x, const Point& g, const Evaluation& e);

  /// Gives the images of the point and gradient of the last `enclose`. The bound does not need
  /// them, so the gradient can be lifted later. Only if alpha is known. No effect if images come
  /// with the point.
  void set_images(const Point& x, const Point& g);
  /// The linear term of the enclosing ball with its image, as of the last `set_images`: a multiple
  /// of the centre.
  const Point& linear() const { return has_images_ ? enclosing_.linear() : linear_; }

  /// Whether there is a ball. False only if alpha is unknown and one point is not enough to
  /// estimate it.
  bool exists() const { return started_; }
  /// The enclosing ball.
  const LowerModel& model() const { return enclosing_; }
  double alpha() const { return alpha_; }
  bool estimated() const { return estimate_.has_value(); }

 private:
  void set_alpha(double alpha);
  void enclose_two(LowerModel& model, const Point& x, const Point& g, const Evaluation& e);
  void add(const Point& x, const Point& g, const Evaluation& e);
  Evaluation with_alpha(const Evaluation& e, const Point& x) const;
  bool contradicted() const;
  void keep(const Point& x, const Point& g, const Evaluation& e);
  void fill_gram();

  double alpha_ = 0;
  InnerProduct product_;
  bool has_images_ = false;  // the models have the images of their linear terms
  bool started_ = false;
  LowerModel enclosing_, two_;
  std::vector<LowerModel> balls_;
  std::size_t count_ = 0, newest_ = 0;
  std::size_t made_ = 0;                // balls added so far
  std::vector<std::size_t> made_when_;  // of each kept ball: the value of made_ when it was added
  // Item 0 is the result of Algorithm 1 on the enclosing ball and the newest; item i + 1 is ball i.
  Vector gram_, offsets_, weights_, gradient_;
  std::optional<ConvexityEstimate> estimate_;
  // The mixing weights of Algorithm 1 in item 0: of the previous enclosing ball and of the ball at
  // x.
  double part_of_last_ = 0, part_of_newest_ = 0;
  Point linear_;
  std::vector<Vector> images_;  // of the linear terms of the kept balls
  Vector newest_image_;
};

}  // namespace geodescent
