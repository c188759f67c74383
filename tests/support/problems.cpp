#include "support/problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "geodescent/optimize/function.hpp"
#include "geodescent/optimize/quadratic.hpp"

namespace geodescent::testing {
namespace {

RealMatrix real_matrix(const Vector& entries, std::size_t columns) {
  RealMatrix m(entries.size() / columns, columns);
  m.entries.assign(entries.begin(), entries.end());
  return m;
}

void add_to_diagonal(RealMatrix& m, Real value) {
  for (std::size_t i = 0; i < m.rows; ++i) m(i, i) += value;
}

/// A' s + alpha x.
RealVector regularised_gradient(const RealMatrix& a, const RealVector& s, Real alpha, const RealVector& x) {
  return along(transposed_times(a, s), alpha, x);
}

}  // namespace

std::shared_ptr<const RowMatrix> rows_of(const Vector& entries, std::size_t columns, bool sparse) {
  if (!sparse) return std::make_shared<const DenseRows>(entries, columns);
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  Vector values;
  for (std::size_t i = 0; i < entries.size() / columns; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      if (entries[i * columns + j] == 0) continue;
      indices.push_back(static_cast<std::uint32_t>(j));
      values.push_back(entries[i * columns + j]);
    }
    offsets.push_back(values.size());
  }
  return std::make_shared<const SparseRows>(std::move(offsets), std::move(indices), std::move(values), columns);
}

Problem quadratic_problem(std::string name, const Vector& q, const Vector& b, double offset, double alpha, double beta,
                          bool sparse) {
  const std::size_t d = b.size();
  Problem p{std::move(name), std::make_shared<Quadratic>(rows_of(q, d, sparse), b, alpha, beta, offset), {}};
  p.truth = {d, alpha, beta, [=, matrix = real_matrix(q, d), linear = real(b)](const RealVector& x) {
               const RealVector qx = times(matrix, x);
               const Real xqx = real_dot(x, qx), bx = real_dot(linear, x);
               const Real magnitude = beta * squared_length(x) + std::sqrt(squared_length(linear) * squared_length(x));
               return Sample{xqx / 2 - bx + offset, along(qx, -1, linear), matrix, magnitude + std::abs(offset)};
             }};
  return p;
}

Problem random_quadratic(Random& random, const Vector& spectrum) {
  const std::size_t d = spectrum.size();
  const RealMatrix m = weighted_gram(random.orthogonal(d), real(spectrum));
  Vector q(d * d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) q[i * d + j] = static_cast<double>(m(std::min(i, j), std::max(i, j)));
  const auto [smallest, largest] = std::minmax_element(spectrum.begin(), spectrum.end());
  const double rounding = 1e-16 * static_cast<double>(d) * *largest;  // of the entries, in the Frobenius norm
  return quadratic_problem("dense quadratic", q, random.normal_vector(d), random.normal(), *smallest - rounding,
                           *largest + rounding, false);
}

Problem sparse_quadratic(Random& random, std::size_t d) {
  Vector q(d * d);
  for (std::size_t i = 0; i < d; ++i) q[i * d + i] = 1;
  for (std::size_t i = 0; i + 1 < d; ++i) {
    const double w = random.log_uniform(0.1, 10);
    q[i * d + i + 1] = q[(i + 1) * d + i] = random.chance(0.5) ? w : -w;
    q[i * d + i] += w;
    q[(i + 1) * d + i + 1] += w;
  }
  const double beta = static_cast<double>(largest_eigenvalue(real_matrix(q, d)));
  return quadratic_problem("sparse quadratic", q, random.normal_vector(d), 0, 1 - 1e-14, beta * (1 + 1e-14), true);
}

Vector spectrum(std::size_t d, double alpha, double beta) {
  Vector s(d, alpha);
  for (std::size_t i = 1; i < d; ++i)
    s[i] = alpha * std::pow(beta / alpha, static_cast<double>(i) / static_cast<double>(d - 1));
  return s;
}

LossTerms loss_terms(std::string_view loss, Real z, Real y) {
  if (loss == "smoothed-hinge") {
    if (z >= 1) return {0, 0, 0};
    if (z <= 0) return {0.5L - z, -1, 0};
    return {(1 - z) * (1 - z) / 2, z - 1, 1};
  }
  if (loss == "logistic") {
    const Real p = 1 / (1 + std::exp(z));
    return {z > 0 ? std::log1p(std::exp(-z)) : std::log1p(std::exp(z)) - z, -p, p * (1 - p)};
  }
  if (loss == "squared-hinge") {
    if (z >= 1) return {0, 0, 0};
    return {(1 - z) * (1 - z) / 2, z - 1, 1};
  }
  const Real r = z - y;
  if (loss == "squared") return {r * r / 2, r, 1};
  if (loss == "huber") {
    if (r > 1) return {r - 0.5L, 1, 0};
    if (r < -1) return {-r - 0.5L, -1, 0};
    return {r * r / 2, r, 1};
  }
  throw std::invalid_argument("the oracle does not know the loss " + std::string(loss));
}

Real curvature_bound_of(std::string_view loss) { return loss == "logistic" ? 0.25L : 1.0L; }

Task task_of(std::string_view loss) {
  for (const LossInfo& l : losses())
    if (l.name == loss) return l.task;
  throw std::invalid_argument("no loss is called " + std::string(loss));
}

RandomData random_data(Random& random, Task task, const DataShape& shape) {
  const auto [n, d, density, scale, noise, weighted, shift] = shape;
  Vector column_scale(d);  // columns differ in size, like real features
  for (double& s : column_scale) s = scale * random.log_uniform(0.2, 2);
  Vector entries(n * d);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j)
      entries[i * d + j] = density == 1 || random.chance(density) ? column_scale[j] * random.normal() : 0;

  const Vector w = random.normal_vector(d, 1 / scale);
  Vector targets(n);
  for (std::size_t i = 0; i < n; ++i) targets[i] = dot(std::span(entries).subspan(i * d, d), w);
  const double signal = norm(targets) / std::sqrt(static_cast<double>(n));
  for (double& t : targets) t += noise * signal * random.normal() + shift * signal;
  if (task == Task::classification) {
    for (double& t : targets) t = t > 0 ? 1 : -1;
    targets.front() = 1;  // both classes occur
    targets.back() = -1;
  }
  RandomData result{
      {"random", rows_of(entries, d, density < 1), targets, n * d}, real_matrix(entries, d), real(targets)};
  if (weighted) {
    result.data.weights.resize(n);
    for (double& weight : result.data.weights) weight = random.log_uniform(0.1, 10);
  }
  if (task == Task::classification)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < d; ++j) result.rows(i, j) *= result.targets[i];
  return result;
}

namespace {

/// The b where the increasing function `slope` is 0, by bisection.
Real root(const std::function<Real(Real)>& slope) {
  Real low = -1, high = 1;
  while (slope(low) > 0) low *= 2;
  while (slope(high) < 0) high *= 2;
  for (int k = 0; k < 200; ++k) {
    const Real middle = (low + high) / 2;
    (slope(middle) < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

SmoothFunction true_risk(std::string_view loss, const RandomData& data, double lambda, Bias bias) {
  RealVector c = data.data.weights.empty() ? RealVector(data.rows.rows, 1) : real(data.data.weights);
  Real total = 0;
  for (const Real w : c) total += w;
  for (Real& w : c) w /= total;
  RealVector signs(c.size(), 1);
  if (task_of(loss) == Task::classification) signs = data.targets;
  SmoothFunction f{data.rows.columns,
                   lambda,
                   lambda + curvature_bound_of(loss) * largest_eigenvalue(weighted_gram(data.rows, c)),
                   {}};
  f.at = [=, a = data.rows, y = data.targets, name = std::string(loss)](const RealVector& x) {
    const RealVector z = times(a, x);
    const auto term = [&](std::size_t i, Real b) { return loss_terms(name, z[i] + b * signs[i], y[i]); };
    Real b = 0;
    if (bias == Bias::free)
      b = root([&](Real at) {
        Real sum = 0;
        for (std::size_t i = 0; i < z.size(); ++i) sum += c[i] * signs[i] * term(i, at).slope;
        return sum;
      });
    RealVector slopes(z.size()), curvatures(z.size()), shifted(z.size());
    Real curvature = 0;
    Sample s;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const LossTerms t = term(i, b);
      Real m = std::abs(b);  // the sum of the magnitudes of the row's terms
      for (std::size_t j = 0; j < a.columns; ++j) m += std::abs(a(i, j) * x[j]);
      s.value += c[i] * t.value;
      s.magnitude += c[i] * (t.value + std::abs(t.slope) * (m + 1));
      slopes[i] = c[i] * t.slope;
      curvatures[i] = c[i] * t.curvature;
      shifted[i] = curvatures[i] * signs[i];
      curvature += curvatures[i];
    }
    s.value += lambda * squared_length(x) / 2;
    s.magnitude += lambda * squared_length(x) / 2;
    s.gradient = regularised_gradient(a, slopes, lambda, x);
    s.hessian = weighted_gram(a, curvatures);
    add_to_diagonal(s.hessian, lambda);
    if (bias == Bias::free && curvature > 0) {
      const RealVector border = transposed_times(a, shifted);
      for (std::size_t i = 0; i < border.size(); ++i)
        for (std::size_t j = 0; j < border.size(); ++j) s.hessian(i, j) -= border[i] * border[j] / curvature;
    }
    return s;
  };
  return f;
}

Problem risk_problem(Random& random, std::string_view loss, double lambda, const DataShape& shape, Bias bias) {
  const RandomData data = random_data(random, task_of(loss), shape);
  return {std::string(loss), make_risk(loss, data.data, lambda, {}, bias), true_risk(loss, data, lambda, bias)};
}

Problem user_problem(std::string name, const SmoothFunction& truth, bool tell_beta) {
  FunctionProperties properties{.dimension = truth.dimension, .strong_convexity = static_cast<double>(truth.alpha)};
  if (tell_beta) properties.smoothness = static_cast<double>(truth.beta);
  const auto evaluate = [truth](std::span<const double> x, std::span<double> g) {
    const Sample s = truth.at(real(x));
    std::ranges::copy(rounded(s.gradient), g.begin());
    return static_cast<double>(s.value);
  };
  return {std::move(name), std::make_shared<FunctionObjective>(properties, evaluate), truth};
}

SmoothFunction log_sum_exp(Random& random, std::size_t terms, std::size_t d, double alpha) {
  SmoothFunction f{d, alpha, alpha, {}};
  RealMatrix a = real_matrix(random.normal_vector(terms * d), d);
  // The Hessian is at most A' diag(p) A with a distribution p, so its eigenvalues are at most the
  // largest |a_i|^2.
  Real longest = 0;
  for (std::size_t i = 0; i < terms; ++i)
    longest = std::max(longest, squared_length(std::span(a.entries).subspan(i * d, d)));
  f.beta += longest;
  f.at = [=, b = real(random.normal_vector(terms))](const RealVector& x) {
    RealVector p = along(times(a, x), 1, b);
    const Real top = *std::max_element(p.begin(), p.end());
    Real sum = 0;
    for (Real& e : p) sum += e = std::exp(e - top);
    for (Real& e : p) e /= sum;
    Sample s;
    s.value = top + std::log(sum) + alpha * squared_length(x) / 2;
    s.magnitude = std::abs(s.value);
    s.gradient = regularised_gradient(a, p, alpha, x);
    s.hessian = weighted_gram(a, p);
    const RealVector mean = transposed_times(a, p);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) s.hessian(i, j) -= mean[i] * mean[j];
    add_to_diagonal(s.hessian, alpha);
    return s;
  };
  return f;
}

SmoothFunction pseudo_huber(Random& random, std::size_t terms, std::size_t d, double alpha) {
  RealMatrix a = real_matrix(random.normal_vector(terms * d), d);
  const Real eigenvalue = largest_eigenvalue(weighted_gram(a, RealVector(terms, 1)));
  SmoothFunction f{d, alpha, alpha + eigenvalue, {}};
  f.at = [=, b = real(random.normal_vector(terms, 3))](const RealVector& x) {
    const RealVector r = along(times(a, x), -1, b);
    RealVector slopes(terms), curvatures(terms);
    Sample s;
    for (std::size_t i = 0; i < terms; ++i) {
      const Real root = std::sqrt(1 + r[i] * r[i]);
      s.value += root - 1;
      slopes[i] = r[i] / root;
      curvatures[i] = 1 / (root * root * root);
    }
    s.value += alpha * squared_length(x) / 2;
    s.magnitude = s.value;
    s.gradient = regularised_gradient(a, slopes, alpha, x);
    s.hessian = weighted_gram(a, curvatures);
    add_to_diagonal(s.hessian, alpha);
    return s;
  };
  return f;
}

SmoothFunction transformed(const SmoothFunction& f, const RealMatrix& m, const RealVector& shift, Real factor) {
  SmoothFunction g{f.dimension, factor * f.alpha, factor * f.beta, {}};
  g.at = [=](const RealVector& x) {
    Sample s = f.at(transposed_times(m, along(x, -1, shift)));
    s.value *= factor;
    s.magnitude *= factor;
    s.gradient = times(m, s.gradient);
    for (Real& e : s.gradient) e *= factor;
    s.hessian = {};  // not needed: transformed functions are minimised by the library only
    return s;
  };
  return g;
}

std::vector<std::string> loss_names() {
  std::vector<std::string> all;
  for (const LossInfo& loss : losses()) all.emplace_back(loss.name);
  return all;
}

std::string test_name(std::string_view text) {
  std::string name;
  for (const char c : text)
    name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return name;
}

}  // namespace geodescent::testing
