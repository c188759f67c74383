#include "certificate/proof/any_proof_loss.hpp"

#include <fmt/format.h>

#include "geodescent/error.hpp"
#include "losses/table.hpp"

namespace geodescent::proof {
namespace {

/// The error of formulas in Real, relative to their results. exp, log and log1p are wrong by at
/// most 8 units there, four times as much as in double.
constexpr double formula_error = 4 * largest_formula_error * unit;
static_assert(function_error <= 8 * unit);

template <ProofLoss P>
class ProofLossOf final : public AnyProofLoss {
 public:
  explicit ProofLossOf(const P& phi) : phi_(phi), curvature_bound_(phi.curvature_bound()) {}

  bool is_classification() const override { return P::task == Task::classification; }

  void replace_by_values(std::span<Approximation> all) const override {
    constexpr double relative_error = P::formula_error * double_unit;
    for (Approximation& at : all) {
      const double value = phi_.value(at.value);
      // By Taylor: |phi(z + e) - phi(z)| <= |phi'(z)| e + L e^2 / 2, with L the bound on the curvature.
      const double inherited = steepness(at.value, value) * at.error + curvature_bound_ * (at.error * at.error);
      at = {value, (relative_error * value + inherited + double_tiny) * generous};
    }
  }
  void replace_by_dual_values(std::span<Approximation> all) const override {
    constexpr double relative_error = P::formula_error * double_unit;
    for (Approximation& at : all) {
      const double s = phi_.dual_value(at.value);
      at = {s, (relative_error * std::abs(s) + curvature_bound_ * at.error + double_tiny) * generous};
    }
  }
  void add_conjugates(std::span<const double> v, std::span<const double> c, std::span<const double> y,
                      RowSum& sum) const override {
    RowSum local = sum;  // a local copy stays in registers
    for (std::size_t i = 0; i < v.size(); ++i) phi_.add_conjugate(v[i], c.empty() ? 1 : c[i], y[i], local);
    sum = local;
  }
  DualRange dual_range(double c) const override { return phi_.dual_range(c); }

  Bounded value(const Bounded& z, double y) const override {
    const Real at = z.value - y, value = phi_.value(at);
    const double steep = inflated(size_of(steepness(at, value)));
    return {value,
            inflated(formula_error * size_of(value) + steep * z.error + curvature_bound_ * (z.error * z.error / 2))};
  }
  Bounded dual_value(const Bounded& z, double y) const override {
    const Real s = phi_.dual_value(z.value - y);
    return {s, inflated(formula_error * size_of(s) + curvature_bound_ * z.error)};
  }
  Real dual_value(Real z, double y) const override { return phi_.dual_value(z - y); }
  Real curvature(Real z, double y, Real dual_value) const override { return phi_.curvature(z - y, dual_value); }
  Real reach(Real positive, Real negative) const override {
    if constexpr (P::task == Task::classification)
      return phi_.reach(positive, negative);
    else
      return 0;
  }

 private:
  /// An upper bound on |phi'|, up to roundings.
  template <class T>
  T steepness(T at, [[maybe_unused]] T value) const {
    if constexpr (requires { phi_.steepness(at, value); })
      return phi_.steepness(at, value);
    else
      return abs(phi_.dual_value(at));
  }

  P phi_;
  double curvature_bound_;
};

template <class L>
bool allows(double parameter) {
  if constexpr (HasParameter<L>)
    return L::parameter.allows(parameter);
  else
    return parameter == 0;
}

template <class L>
void require_parameter(const Risk& risk, const std::string& place) {
  if (allows<L>(risk.loss_parameter)) return;
  if constexpr (HasParameter<L>)
    throw InputError(fmt::format("{}: the {} of the loss {} is {}; it must be {}", place, L::parameter.name, L::name,
                                 risk.loss_parameter, L::parameter.range()));
  throw InputError(fmt::format("{}: the loss {} has no parameter, but {} is given; it must be 0", place, L::name,
                               risk.loss_parameter));
}

}  // namespace

std::unique_ptr<const AnyProofLoss> make_proof_loss(const Risk& risk, const std::string& place) {
  if (risk.loss.empty()) throw InputError(fmt::format("{}: the loss is unknown; say which one it is", place));
  std::unique_ptr<const AnyProofLoss> found;
  std::string known;
  for_each_loss([&]<class Entry>(Entry) {
    using L = typename Entry::Solver;
    using P = typename Entry::Proof;
    known.append(known.empty() ? "" : ", ").append(L::name);
    if (risk.loss != L::name) return;
    require_parameter<L>(risk, place);
    found = std::make_unique<ProofLossOf<P>>(with_parameter<P>(risk.loss_parameter));
  });
  if (found) return found;
  throw InputError(
      fmt::format("{}: nothing can be proven about the loss '{}'; the known ones are {}", place, risk.loss, known));
}

bool allows_parameter(std::string_view loss, double parameter) {
  bool allowed = false;
  for_each_loss([&]<class Entry>(Entry) {
    using L = typename Entry::Solver;
    if (loss == L::name) allowed = allows<L>(parameter);
  });
  return allowed;
}

bool is_provable(std::string_view loss) {
  bool known = false;
  for_each_loss([&]<class Entry>(Entry) { known = known || loss == Entry::Solver::name; });
  return known;
}

}  // namespace geodescent::proof
