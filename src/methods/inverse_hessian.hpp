// The inverse Hessian of limited-memory BFGS (Nocedal, 1980; Liu and Nocedal, 1989).
#pragma once

#include <utility>
#include <vector>

#include "geodescent/optimize/point.hpp"

namespace geodescent {

/// The pairs s = x_{k+1} - x_k, y = g_{k+1} - g_k of the last iterations, and the inverse Hessian
/// that they define. With Points, images take part in all combinations, so the direction comes with
/// its image.
template <class V>
class InverseHessian {
 public:
  InverseHessian() = default;
  /// `like` has the size of the vectors. All memory is allocated here.
  InverseHessian(std::size_t memory, const V& like, const InnerProduct& product = {})
      : product_(product), s_(memory, like), y_(memory, like), rho_(memory), a_(memory) {}

  bool empty() const { return count_ == 0; }
  void clear() { count_ = 0; }

  /// The pair that the next `remember` stores; fill it in place.
  V& next_s() { return s_[slot(count_)]; }
  V& next_y() { return y_[slot(count_)]; }
  void remember() {
    const V &s = next_s(), &y = next_y();
    const double sy = inner(s, y), yy = inner(y, y);
    if (!(sy > 1e-16 * yy)) return;  // possible only by rounding if f is strongly convex
    rho_[slot(count_)] = 1 / sy;
    scale_ = sy / yy;
    ++count_;
  }

  /// d = -H g: the two-loop recursion. Before the first pair H is 1, later a multiple of 1 that the
  /// last pair defines.
  void direction(const V& g, V& d) {
    direction(g, d, [this](V& v) {
      if (!empty()) combine(v, scale_, v, 0, v);
    });
  }
  /// The same, where initial(v) replaces v by its product with the inverse Hessian before the first
  /// pair.
  template <class Initial>
  void direction(const V& g, V& d, const Initial& initial) {
    combine(d, -1, g, 0, g);
    const std::size_t oldest = count_ > s_.size() ? count_ - s_.size() : 0;
    for (std::size_t k = count_; k-- > oldest;) {
      const std::size_t i = slot(k);
      a_[i] = rho_[i] * inner(s_[i], d);
      combine(d, 1, d, -a_[i], y_[i]);
    }
    initial(d);
    for (std::size_t k = oldest; k < count_; ++k) {
      const std::size_t i = slot(k);
      combine(d, 1, d, a_[i] - rho_[i] * inner(y_[i], d), s_[i]);
    }
  }

 private:
  double inner(const Vector& a, const Vector& b) const { return dot(a, b); }
  double inner(const Point& a, const Point& b) const { return product_(a, b); }
  std::size_t slot(std::size_t k) const { return k % s_.size(); }

  InnerProduct product_;
  std::vector<V> s_, y_;
  Vector rho_, a_;
  std::size_t count_ = 0;
  double scale_ = 1;
};

}  // namespace geodescent
