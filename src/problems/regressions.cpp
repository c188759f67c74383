// Generalised linear models on generated data with unscaled columns, like the data of users.
#include "problems/make_problem.hpp"

namespace geodescent::problems {
namespace {

template <class Real>
struct Term {
  Real value, slope;
};

/// log(1 + exp(-y p)), y = 1 or -1
struct LogisticLoss {
  template <class Real>
  static Term<Real> at(Real prediction, double target) {
    const Real z = -target * prediction;
    const Real e = std::exp(-std::abs(z));
    const Real share = (z > 0 ? Real{1} : e) / (1 + e);
    return {std::max(z, Real{0}) + std::log1p(e), -target * share};
  }
};

/// exp(p) - y p for counts y
struct PoissonLoss {
  template <class Real>
  static Term<Real> at(Real prediction, double target) {
    const Real mean = std::exp(prediction);
    return {mean - target * prediction, mean - target};
  }
};

/// sqrt(w^2 + r^2) - w of the residual r = p - y: quadratic within w, linear beyond
struct PseudoHuberLoss {
  template <class Real>
  static Term<Real> at(Real prediction, double target) {
    constexpr double width = 0.125;
    const Real r = prediction - target, length = std::hypot(Real{width}, r);
    return {r * r / (length + width), r / length};
  }
};

/// mean_i loss(a_i.x, y_i)
template <class Loss>
struct Regression {
  Rows a;
  Vector targets;

  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    const Real n = static_cast<Real>(targets.size());
    std::ranges::fill(g, Real{0});
    Real total = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Term<Real> term = Loss::at(product(a.row(i), x), targets[i]);
      total += term.value;
      add(g, term.slope / n, a.row(i));
    }
    return total / n;
  }
};

/// Rows whose last column has size 2^octaves, and the predictions of a model in which all columns
/// have equal influence.
struct Data {
  Rows rows;
  Vector predictions;
};
Data generate_data(std::size_t count, std::size_t columns, int octaves, Random& random) {
  Data data{random_rows(count, columns, octaves, random), Vector(count)};
  Vector model(columns);
  for (std::size_t j = 0; j < columns; ++j) model[j] = random.bell() / spread(j, columns, octaves);
  for (std::size_t i = 0; i < count; ++i) data.predictions[i] = product<double>(data.rows.row(i), model);
  return data;
}

}  // namespace

TestProblem logistic_regression() {
  constexpr std::size_t n = 40, rows = 500;
  Random random(31);
  Data data = generate_data(rows, n, 10, random);
  Regression<LogisticLoss> f{std::move(data.rows), Vector(rows)};
  // One label in ten is wrong. The classes cannot be separated, so a minimum exists without
  // regularisation.
  for (std::size_t i = 0; i < rows; ++i) f.targets[i] = (data.predictions[i] > 0) != (random.below(10) == 0) ? 1 : -1;
  return make_problem({.name = "logistic-regression",
                       .summary = "logistic regression without regularisation, features of sizes 1 to 1024",
                       .start = Vector(n)},
                      std::move(f));
}

TestProblem poisson_regression() {
  constexpr std::size_t n = 30, rows = 300;
  Random random(32);
  Data data = generate_data(rows, n, 10, random);
  Regression<PoissonLoss> f{std::move(data.rows), Vector(rows)};
  for (std::size_t i = 0; i < rows; ++i)
    f.targets[i] = static_cast<double>(random.below(3) + (data.predictions[i] > 0 ? random.below(12) : 0));
  return make_problem({.name = "poisson-regression",
                       .summary = "Poisson regression of counts, features of sizes 1 to 1024",
                       .start = Vector(n)},
                      std::move(f));
}

TestProblem robust_regression() {
  constexpr std::size_t n = 50, rows = 400;
  Random random(33);
  Data data = generate_data(rows, n, 10, random);
  Regression<PseudoHuberLoss> f{std::move(data.rows), std::move(data.predictions)};
  for (double& target : f.targets) target += (random.below(10) == 0 ? 100 : 0.125) * random.bell();
  return make_problem({.name = "robust-regression",
                       .summary = "pseudo-Huber regression, one outlier in ten, features of sizes 1 to 1024",
                       .start = Vector(n)},
                      std::move(f));
}

}  // namespace geodescent::problems
