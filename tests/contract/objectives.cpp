#include "contract/objectives.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "contract/user_losses.hpp"
#include "geodescent/optimize/function.hpp"
#include "geodescent/optimize/quadratic.hpp"
#include "learn/softmax/softmax_risk.hpp"
#include "support/reference/softmax_truth.hpp"

namespace geodescent::testing {
namespace {

/// mean of phi(a_i.x) + lambda/2 |x|^2 for a loss that is given as a function.
template <class Phi>
SmoothFunction risk_of(const RandomData& data, double lambda, Real curvature, Phi phi) {
  const Real n = static_cast<Real>(data.rows.rows);
  const Real eigenvalue = largest_eigenvalue(weighted_gram(data.rows, RealVector(data.rows.rows, 1 / n)));
  SmoothFunction f{data.rows.columns, lambda, lambda + curvature * eigenvalue, {}};
  f.at = [=](const RealVector& x) {
    const RealVector z = times(data.rows, x);
    RealVector slopes(z.size()), curvatures(z.size());
    Sample s;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const LossTerms t = phi(z[i], data.targets[i]);
      s.value += t.value / n;
      s.magnitude += (t.value + std::abs(t.slope * z[i]) + std::abs(t.slope)) / n;
      slopes[i] = t.slope / n;
      curvatures[i] = t.curvature / n;
    }
    s.value += lambda * squared_length(x) / 2;
    s.magnitude += lambda * squared_length(x) / 2;
    s.gradient = along(transposed_times(data.rows, slopes), lambda, x);
    s.hessian = weighted_gram(data.rows, curvatures);
    for (std::size_t i = 0; i < x.size(); ++i) s.hessian(i, i) += lambda;
    return s;
  };
  return f;
}

}  // namespace

Problem log_cosh_problem(Random& random, double lambda, const DataShape& shape) {
  const RandomData data = random_data(random, Task::regression, shape);
  const auto phi = [](Real z, Real y) {
    const Real t = std::tanh(z - y);
    return LossTerms{std::log(std::cosh(z - y)), t, 1 - t * t};
  };
  return {"user's log-cosh loss", std::make_shared<RegularizedRisk<LogCosh>>(data.data, lambda),
          risk_of(data, lambda, 1, phi)};
}

Problem soft_hinge_problem(Random& random, double lambda, const DataShape& shape) {
  const RandomData data = random_data(random, Task::classification, shape);
  const Real width = 0.25;
  const auto phi = [=](Real z, Real) {
    const Real p = 1 / (1 + std::exp((z - 1) / width));
    return LossTerms{width * std::log1p(std::exp((1 - z) / width)), -p, p * (1 - p) / width};
  };
  return {"user's soft hinge loss", std::make_shared<RegularizedRisk<SoftHinge>>(data.data, lambda, SoftHinge{0.25}),
          risk_of(data, lambda, 0.25L / width, phi)};
}

Problem softmax_problem(Random& random, std::size_t classes, double lambda, const DataShape& shape, Bias bias) {
  SoftmaxData data{random_data(random, Task::regression, shape).data, classes, bias, lambda};
  const RealMatrix directions = random_data(random, Task::regression, {.rows = classes, .columns = shape.columns}).rows;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    Vector scores = random.normal_vector(classes);
    for (std::size_t k = 0; k < classes; ++k)
      for (std::size_t j = 0; j < shape.columns; ++j)
        scores[k] += static_cast<double>(directions(k, j)) * data.entry(i, j) / (2 * shape.scale);
    const auto best = static_cast<double>(std::ranges::max_element(scores) - scores.begin());
    data.data.targets[i] = i < classes ? static_cast<double>(i) : best;
  }
  return {std::to_string(classes) + " classes", std::make_shared<SoftmaxRisk>(data.data, L2(lambda), classes, bias),
          true_softmax(data)};
}

SmoothFunction worst_case_formula(std::size_t n, double beta) {
  // 1 + 4 beta bounds the largest eigenvalue.
  SmoothFunction f{n, 1, 1 + 4 * static_cast<Real>(beta), {}};
  f.at = [=](const RealVector& x) {
    Sample s;
    s.gradient.resize(n);
    s.hessian = RealMatrix(n, n);
    const auto square = [&](Real weight, Real value) { s.value += weight / 2 * value * value; };
    square(beta, 1 - x[0]);
    s.gradient[0] -= beta * (1 - x[0]);
    s.hessian(0, 0) += beta;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const Real r = x[i] - x[i + 1];
      square(beta, r);
      s.gradient[i] += beta * r;
      s.gradient[i + 1] -= beta * r;
      s.hessian(i, i) += beta;
      s.hessian(i + 1, i + 1) += beta;
      s.hessian(i, i + 1) -= beta;
      s.hessian(i + 1, i) -= beta;
    }
    square(beta, x[n - 1]);
    s.gradient[n - 1] += beta * x[n - 1];
    s.hessian(n - 1, n - 1) += beta;
    for (std::size_t i = 0; i < n; ++i) {
      square(1, x[i]);
      s.gradient[i] += x[i];
      s.hessian(i, i) += 1;
    }
    s.magnitude = beta / 2 + 4 * beta * squared_length(x);
    return s;
  };
  return f;
}

std::vector<Problem> objectives() {
  Random random(137);
  std::vector<Problem> all{
      random_quadratic(random, spectrum(14, 0.05, 3)),
      sparse_quadratic(random, 20),
      {"worst case", std::make_shared<Quadratic>(worst_case(30, 100)), worst_case_formula(30, 100)}};
  for (const LossInfo& loss : losses()) {
    all.push_back(risk_problem(random, loss.name, 0.02, {.rows = 50, .columns = 11}));
    all.back().name += " on dense rows";
    all.push_back(risk_problem(random, loss.name, 0.02, {.rows = 20, .columns = 35, .density = 0.3}));
    all.back().name += " on sparse rows";
    all.push_back(risk_problem(random, loss.name, 0.02, {.rows = 40, .columns = 9, .weighted = true}));
    all.back().name += " with weights";
    all.push_back(risk_problem(random, loss.name, 0.02, {.rows = 50, .columns = 11, .shift = 0.7}, Bias::free));
    all.back().name += " with a free intercept";
    all.push_back(risk_problem(random, loss.name, 0.02,
                               {.rows = 40, .columns = 9, .density = 0.4, .weighted = true, .shift = -2}, Bias::free));
    all.back().name += " with weights and a free intercept";
  }
  all.push_back(softmax_problem(random, 3, 0.02, {.rows = 40, .columns = 4}, Bias::none));
  all.push_back(
      softmax_problem(random, 5, 0.02, {.rows = 30, .columns = 3, .density = 0.7, .weighted = true}, Bias::none));
  all.back().name += " with weights on sparse rows";
  all.push_back(softmax_problem(random, 4, 0.02, {.rows = 40, .columns = 3, .weighted = true}, Bias::free));
  all.back().name += " with weights and a free intercept";
  all.push_back(softmax_problem(random, 5, 0.02, {.rows = 90, .columns = 4}, Bias::free));
  all.back().name += " with a free intercept";
  all.push_back(softmax_problem(random, 3, 0.02, {.rows = 8, .columns = 12, .density = 0.5}, Bias::free));
  all.back().name += " on fewer rows than columns with a free intercept";
  all.push_back(log_cosh_problem(random, 0.02, {.rows = 40, .columns = 9}));
  all.push_back(soft_hinge_problem(random, 0.02, {.rows = 40, .columns = 9, .density = 0.5}));
  all.push_back(user_problem("user's function in one callable", log_sum_exp(random, 12, 6, 0.05)));

  const SmoothFunction f = pseudo_huber(random, 12, 6, 0.05);
  const FunctionProperties properties{.dimension = 6, .strong_convexity = 0.05};
  all.push_back({"user's function in two callables",
                 std::make_shared<FunctionObjective>(
                     properties, [f](std::span<const double> x) { return static_cast<double>(f.at(real(x)).value); },
                     [f](std::span<const double> x, std::span<double> g) {
                       const Vector gradient = rounded(f.at(real(x)).gradient);
                       std::copy(gradient.begin(), gradient.end(), g.begin());
                     }),
                 f});
  return all;
}

}  // namespace geodescent::testing
