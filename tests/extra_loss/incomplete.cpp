// A loss that compiles, and with each WITHOUT_... defined one that must not.
#include "losses/table.hpp"

namespace geodescent {

struct Zero {
  static constexpr std::string_view name = "zero";
  static constexpr Task task = Task::regression;
#ifndef WITHOUT_SUMMARY
  static constexpr std::string_view summary = "nothing matters";
#endif
#ifndef WITHOUT_LIBLINEAR
  static constexpr LiblinearMeaning liblinear{.factor = 1};
#endif
  LossValue operator()(double, double) const { return {0, 0, 0}; }
#ifndef WITHOUT_CONJUGATE
  double conjugate(double s, double) const { return s == 0 ? 0 : std::numeric_limits<double>::infinity(); }
#endif
  double curvature_bound() const { return 0; }
};

namespace proof {

#ifndef WITHOUT_PROOF
struct Zero {
#ifdef WITHOUT_PROOF_TASK
  static constexpr Task task = Task::classification;
#else
  static constexpr Task task = Task::regression;
#endif
  static constexpr double formula_error = 0;
#ifndef WITHOUT_PROOF_VALUE
  template <class T>
  T value(T) const {
    return 0;
  }
#endif
  template <class T>
  T dual_value(T) const {
    return 0;
  }
  Real curvature(Real, Real) const { return 0; }
  double curvature_bound() const { return 0; }
  DualRange dual_range(double) const { return {0, 0}; }
#ifndef WITHOUT_PROOF_CONJUGATE
  void add_conjugate(double, double, double, RowSum&) const {}
#endif
  Real reach(Real, Real) const { return 0; }
};
#endif

}  // namespace proof

template struct LossEntry<Zero, proof::Zero>;

}  // namespace geodescent
