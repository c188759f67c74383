#include "certificate/proof/any_proof_loss.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

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
    for_parts(all, [&](std::span<Approximation> part, std::span<double> values) {
      if constexpr (requires { phi_.value_each(values); })
        phi_.value_each(values);
      else
        for (double& at : values) at = phi_.value(at);
      for (std::size_t i = 0; i < part.size(); ++i) {
        const auto [at, error] = part[i];
        // By Taylor: |phi(z + e) - phi(z)| <= |phi'(z)| e + L e^2 / 2, with L the bound on the
        // curvature.
        const double inherited = steepness(at, values[i]) * error + curvature_bound_ * (error * error);
        part[i] = {values[i], (relative_error * values[i] + inherited + double_tiny) * generous};
      }
    });
  }
  void replace_by_dual_values(std::span<Approximation> all) const override {
    constexpr double relative_error = P::formula_error * double_unit;
    for_parts(all, [&](std::span<Approximation> part, std::span<double> values) {
      if constexpr (requires { phi_.dual_value_each(values); })
        phi_.dual_value_each(values);
      else
        for (double& at : values) at = phi_.dual_value(at);
      for (std::size_t i = 0; i < part.size(); ++i) {
        const double s = values[i];
        part[i] = {s, (relative_error * std::abs(s) + curvature_bound_ * part[i].error + double_tiny) * generous};
      }
    });
  }
  void add_conjugates(std::span<const double> v, std::span<const double> c, [[maybe_unused]] std::span<const double> y,
                      RowSum& sum) const override {
    RowSum local = sum;  // a local copy stays in registers
    // NOLINTNEXTLINE(bugprone-branch-clone): the check sees neither branch of a template
    if constexpr (requires { phi_.add_conjugates(v, c, local); }) {
      for (std::size_t i = 0; i < v.size(); i += most_at_a_time) {
        const std::size_t count = std::min(v.size() - i, most_at_a_time);
        phi_.add_conjugates(v.subspan(i, count), c.empty() ? c : c.subspan(i, count), local);
      }
    } else {
      for (std::size_t i = 0; i < v.size(); ++i) phi_.add_conjugate(v[i], c.empty() ? 1 : c[i], y[i], local);
    }
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
  /// body(part, values) for a few at a time, with their values.
  template <class Body>
  static void for_parts(std::span<Approximation> all, const Body& body) {
    std::array<double, most_at_a_time> values;
    for (; !all.empty(); all = all.subspan(std::min(all.size(), values.size()))) {
      const std::span<Approximation> part = all.first(std::min(all.size(), values.size()));
      for (std::size_t i = 0; i < part.size(); ++i) values[i] = part[i].value;
      body(part, std::span(values).first(part.size()));
    }
  }

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
  if (risk.loss.empty()) throw InputError(fmt::format("{}: the loss is unknown; state it", place));
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
  throw InputError(fmt::format("{}: no proof exists for the loss '{}'; there is one for {}", place, risk.loss, known));
}

}  // namespace geodescent::proof
