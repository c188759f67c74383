// Many balls at once: the last lower models and one that stands for all before them.
#pragma once

#include <optional>
#include <vector>

#include "optimize/models/convexity_estimate.hpp"
#include "optimize/models/lower_model.hpp"

namespace geodescent {

class Bundle {
 public:
  /// When the images of a point and its gradient are known: with `enclose`, or only at `set_images`. By rows they are
  /// always known.
  enum class Images { with_point, told_later };

  Bundle() = default;
  /// Keeps up to `capacity` balls, the newest among them, besides the enclosing one; a capacity of 1 keeps none, since
  /// Algorithm 1 has already used the newest. All memory is allocated here. If alpha is 0, it is
  /// unknown: it is estimated from the points, and when a new one contradicts the estimate all balls are made anew.
  /// All but the dual points, where they are kept: those are allocated ball by ball, as few runs need all.
  Bundle(std::size_t dimension, std::size_t image_size, double alpha, std::size_t capacity, bool keeps_dual = false,
         const InnerProduct& product = {}, Images images = Images::told_later);

  /// Takes the enclosing ball of another bundle for the same function, before the first `enclose`. Null where alpha is
  /// estimated, and nothing is taken, or where balls have their images. Otherwise the linear term, for the caller to
  /// lift if `linear` is wanted.
  Point* begin_with(const LowerModel& enclosing);
  /// The ball at x: the first one, or else the smallest ball around the intersection of the enclosing ball, the kept
  /// ones and that at x, nearly: never larger than what Algorithm 1 makes of the enclosing ball and that at x alone.
  void enclose(const Point& x, const Point& g, const Evaluation& e);

  /// Tells the images of the point and the gradient of the last `enclose`: they are not needed for the bound, so the
  /// gradient can be lifted later. Only where alpha is known. No effect where images come with the point.
  void set_images(const Point& x, const Point& g);
  /// The linear term of the enclosing ball with its image, up to the last `set_images`: a multiple of the centre.
  const Point& linear() const { return has_images_ ? enclosing_.linear() : linear_; }

  /// There is a ball: always, unless alpha is unknown and there was only one point to estimate it from.
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
  bool has_images_ = false;  // the models carry the images of their linear terms
  bool started_ = false;
  LowerModel enclosing_, two_;
  std::vector<LowerModel> balls_;
  std::size_t count_ = 0, newest_ = 0;
  std::size_t made_ = 0;                // balls so far
  std::vector<std::size_t> made_when_;  // of each kept one
  // Item 0 is what Algorithm 1 made of the enclosing ball and the newest; item i + 1 is ball i.
  Vector gram_, offsets_, weights_, gradient_;
  std::optional<ConvexityEstimate> estimate_;
  // What the last enclosing ball was made of: that before it, the ball at x, and the kept ones.
  double part_of_last_ = 0, part_of_newest_ = 0;
  Point linear_;
  std::vector<Vector> images_;  // of the linear terms of the kept balls
  Vector newest_image_;
};

}  // namespace geodescent
