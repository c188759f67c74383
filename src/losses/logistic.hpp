// Logistic regression: log(1 + exp(-z)).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "certificate/proof/proof_loss.hpp"
#include "losses/library_loss.hpp"

namespace geodescent {

struct Logistic {
  static constexpr std::string_view name = "logistic";
  static constexpr Task task = Task::classification;
  static constexpr std::string_view summary = "logistic regression; gives probabilities";
  /// L1R_LR has another regulariser, but its probabilities are those of this loss.
  static constexpr LiblinearMeaning liblinear{.factor = 1, .solvers = {"L2R_LR", "L2R_LR_DUAL", "L1R_LR"}};
  static constexpr bool curvature_is_smooth = true;
  static constexpr bool has_probabilities = true;

  GEODESCENT_ALWAYS_INLINE LossValue operator()(double z, double) const {
    const double e = elementary::exp(z < 0 ? z : -z);  // in [0, 1]: no overflow for either sign of z
    const double larger = 1 / (1 + e);                 // the larger of the two probabilities
    const double smaller = e * larger;
    return {elementary::log1p_unit(e) + (z < 0 ? -z : 0), z < 0 ? -larger : -smaller, larger * smaller};
  }
  double conjugate(double s, double) const {
    if (s < -1 || s > 0) return std::numeric_limits<double>::infinity();
    // s log(-s) and (1 + s) log(1 + s), both 0 at their ends; log1p because |s| is often tiny.
    return (s < 0 ? -s * std::log(-s) : 0) + (s > -1 ? (1 + s) * std::log1p(s) : 0);
  }
  double curvature_bound() const { return 0.25; }
};

namespace proof {

struct Logistic {
  static constexpr Task task = Task::classification;
  /// Errors in units of 2^-52. Value: 2 in the exponential become at most 2 in log1p, log1p adds 2,
  /// the subtraction 1/2. The dual value loses less: 2 in the exponential, at most 1 through the
  /// denominator, 1/2 for the sum and 1/2 for the quotient.
  static constexpr double formula_error = 5;

  template <class T>
  T value(T at) const {
    const T tail = log1p(exp(-abs(at)));
    return at < 0 ? tail - at : tail;
  }
  void value_each(std::span<double> at) const {
    std::array<double, most_at_a_time> tails;
    smaller_exps(at, tails);
    log1p_each(std::span(tails).first(at.size()));
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = at[i] < 0 ? tails[i] - at[i] : tails[i];
  }
  template <class T>
  T dual_value(T at) const {
    const T e = exp(-abs(at));
    return at < 0 ? -1 / (1 + e) : -e / (1 + e);
  }
  void dual_value_each(std::span<double> at) const {
    std::array<double, most_at_a_time> exps;
    smaller_exps(at, exps);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = -(at[i] < 0 ? 1 : exps[i]) / (1 + exps[i]);
  }
  /// phi'| = 1 - exp(-phi) <= phi. The bound saves an exponential.
  template <class T>
  T steepness(T, T value) const {
    return std::min(T{1}, value);
  }
  Real curvature(Real, Real dual_value) const { return -dual_value * (1 + dual_value); }
  double curvature_bound() const { return 1; }  // 1/4 holds, too; error bounds do not need it
  DualRange dual_range(double c) const { return {-c, 0}; }
  void add_conjugate(double v, double c, double, RowSum& sum) const { sum.add(1, entropy(v, c)); }
  void add_conjugates(std::span<const double> v, std::span<const double> c, RowSum& sum) const {
    std::array<double, most_at_a_time> logs, rests;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Split split(v[i], c.empty() ? 1 : c[i]);
      logs[i] = split.is_safe() ? split.part : 0.5;
      rests[i] = -logs[i];
    }
    log_each(std::span(logs).first(v.size()));
    log1p_each(std::span(rests).first(v.size()));
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double weight = c.empty() ? 1 : c[i];
      const Split split(v[i], weight);
      sum.add(1, split.is_safe() ? split.entropy(logs[i], rests[i]) : entropy(v[i], weight));
    }
  }
  /// phi'(-m) = exp(m) phi'(m), so m = |log(p/n)| is enough.
  Real reach(Real p, Real n) const { return abs(log(p) - log(n)); }

 private:
  /// Errors in units of 2^-52. The smaller part is exact, being the difference of two numbers
  /// within a factor of two, or p itself. The larger part and the quotient are wrong by 1/2. That
  /// changes log, which is at least log 2 in size, by less than 3/4 of itself, and log1p by at most
  /// 1.01 of itself. With 2 for either function, and 1/2 for each product and for the sum of terms
  /// of one sign: less than 4.6.
  static constexpr double entropy_error = 5 * double_unit;

  /// c phi*(v / c) = p log(p/c) + q log(q/c) with p = -v and q = c - p. The smaller of the two is
  /// known to full precision, so both logarithms are computed from it.
  static Bounded weighted_entropy(double v, double c) {
    const Bounded p{-Real(v), 0}, whole{Real(c), 0};
    Bounded smaller = p, larger = whole - p;
    if (larger.value < smaller.value) std::swap(smaller, larger);
    if (smaller.value == 0) return {0, 0};  // 0 log 0 + c log 1; p is exact, and so is a difference that is 0
    const Bounded part = smaller / whole;
    // part may underflow, so its logarithm is a difference
    return smaller * (log(smaller) - log(whole)) + larger * log1p(-part);
  }

  /// exp(-|z|) of each.
  static void smaller_exps(std::span<const double> z, std::array<double, most_at_a_time>& exps) {
    for (std::size_t i = 0; i < z.size(); ++i) exps[i] = -std::abs(z[i]);
    exp_each(std::span(exps).first(z.size()));
  }

  /// c in two parts, p = -v and q = c - p, in double.
  struct Split {
    double smaller, larger, part;

    Split(double v, double c) : smaller(std::min(-v, c + v)), larger(std::max(-v, c + v)), part(smaller / c) {}
    /// Whether no intermediate result of `entropy` can underflow. False where v is at an end of its
    /// domain.
    bool is_safe() const {
      constexpr double safe = 1e-280;
      return smaller > safe && part > safe;
    }
    /// c phi*(v / c) from log(part) and log1p(-part).
    Approximation entropy(double log_of_part, double log_of_rest) const {
      const double value = smaller * log_of_part + larger * log_of_rest;
      return {value, (entropy_error * std::abs(value) + double_tiny) * generous};
    }
  };

  static Approximation entropy(double v, double c) {
    if (v == 0 || v == -c) return {0, 0};
    const Split split(v, c);
    if (split.is_safe()) return split.entropy(log(split.part), log1p(-split.part));
    const Bounded slow = weighted_entropy(v, c);
    const auto value = static_cast<double>(slow.value);
    return {value, (slow.error + double_unit * std::abs(value) + double_tiny) * generous};
  }
};

}  // namespace proof
}  // namespace geodescent
