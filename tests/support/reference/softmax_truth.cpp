#include "support/reference/softmax_truth.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Dense>

namespace geodescent::testing {
namespace {

using RealEigenMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using RealEigenVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// The entries, row by row.
Vector entries_of(const SoftmaxData& data) {
  Vector all(data.rows() * data.columns());
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    data.data.rows->copy_row(i, indices, values);
    for (std::size_t k = 0; k < indices.size(); ++k) all[i * data.columns() + indices[k]] = values[k];
  }
  return all;
}

/// Of a row: loss, probabilities.
struct RowTerms {
  Real loss = 0;
  RealVector p;
};

RowTerms terms_of(const RealVector& z, std::size_t y) {
  const std::size_t top = static_cast<std::size_t>(std::max_element(z.begin(), z.end()) - z.begin());
  RowTerms row;
  Real others = 0;
  for (std::size_t k = 0; k < z.size(); ++k) {
    row.p.push_back(std::exp(z[k] - z[top]));
    others += k == top ? 0 : row.p.back();
  }
  for (Real& p : row.p) p /= 1 + others;
  row.loss = z[top] - z[y] + std::log1p(others);
  return row;
}

struct Intercepts {
  RealVector b;
  RealEigenMatrix curvature;  ///< in b, made invertible
};

/// Newton's method with halved steps, on predictions without intercepts.
Intercepts find_intercepts(const SoftmaxData& data, const std::vector<RealVector>& z) {
  const std::size_t classes = data.classes;
  const auto size = static_cast<Eigen::Index>(classes);
  const Real total = data.total_weight();
  const auto evaluate = [&](const RealVector& b, RealEigenVector* g, RealEigenMatrix* h) {
    Real value = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const Real c = data.weight(i) / total;
      const RowTerms row = terms_of(along(z[i], 1, b), data.class_of(i));
      value += c * row.loss;
      if (!g) continue;
      // c (diag(p) - p p'), without a matrix for each row.
      for (Eigen::Index k = 0; k < size; ++k) {
        const Real weight = c * row.p[static_cast<std::size_t>(k)];
        (*g)(k) += weight;
        (*h)(k, k) += weight;
        for (Eigen::Index l = 0; l < size; ++l) (*h)(k, l) -= weight * row.p[static_cast<std::size_t>(l)];
      }
      (*g)(static_cast<Eigen::Index>(data.class_of(i))) -= c;
    }
    return value;
  };
  Intercepts found{RealVector(classes), {}};
  Real stride = 1;
  for (int step = 0; step < 300; ++step) {
    RealEigenVector g = RealEigenVector::Zero(size);
    RealEigenMatrix h = RealEigenMatrix::Zero(size, size);
    const Real value = evaluate(found.b, &g, &h);
    h.array() += h.trace() / static_cast<Real>(classes);  // along (1, ..., 1), where nothing changes
    found.curvature = h;
    // A ridge that vanishes with g: where predictions are far apart f is almost piecewise linear.
    const Real ridge = std::max(g.norm() / stride, 1e-17L * h.trace());
    const RealEigenMatrix damped = h + ridge * RealEigenMatrix::Identity(size, size);
    RealEigenVector d = -damped.ldlt().solve(g);
    d *= std::min(Real{1}, stride / d.lpNorm<Eigen::Infinity>());
    const RealVector direction(d.data(), d.data() + size);
    constexpr Real least = 1e-12L;
    Real t = 1;
    while (t > least && evaluate(along(found.b, t, direction), nullptr, nullptr) > value + 1e-19L * (1 + value)) t /= 2;
    if (t <= least) break;
    found.b = along(found.b, t, direction);
    stride *= t < 1 ? t : 4;
    if (g.norm() < 1e-18L) break;
  }
  Real mean = 0;
  for (const Real b : found.b) mean += b / static_cast<Real>(classes);
  for (Real& b : found.b) b -= mean;
  return found;
}

std::vector<RealVector> predictions_of(const SoftmaxData& data, const Vector& entries, const RealVector& v) {
  std::vector<RealVector> z(data.rows(), RealVector(data.classes));
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (std::size_t j = 0; j < data.columns(); ++j)
      for (std::size_t k = 0; k < data.classes; ++k)
        z[i][k] += entries[i * data.columns() + j] * v[j * data.classes + k];
  return z;
}

}  // namespace

double SoftmaxData::entry(std::size_t i, std::size_t j) const {
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  data.rows->copy_row(i, indices, values);
  for (std::size_t k = 0; k < indices.size(); ++k)
    if (indices[k] == j) return values[k];
  return 0;
}

Real SoftmaxData::total_weight() const {
  Real sum = 0;
  for (std::size_t i = 0; i < rows(); ++i) sum += weight(i);
  return sum;
}

RealVector best_intercepts(const SoftmaxData& data, const RealVector& coefficients) {
  return find_intercepts(data, predictions_of(data, entries_of(data), coefficients)).b;
}

SmoothFunction true_softmax(const SoftmaxData& data) {
  const Vector entries = entries_of(data);
  const std::size_t d = data.columns(), classes = data.classes, n = data.rows();
  const Real total = data.total_weight();
  RealMatrix rows(n, d);
  rows.entries.assign(entries.begin(), entries.end());
  RealVector c(n);
  for (std::size_t i = 0; i < n; ++i) c[i] = data.weight(i) / total;
  SmoothFunction f{d * classes, data.l2, data.l2 + largest_eigenvalue(weighted_gram(rows, c)) / 2, {}};
  f.at = [=](const RealVector& v) {
    std::vector<RealVector> z = predictions_of(data, entries, v);
    Intercepts intercepts{RealVector(classes), {}};
    if (data.bias == Bias::free) intercepts = find_intercepts(data, z);
    Sample s;
    s.gradient.resize(v.size());
    s.hessian = RealMatrix(v.size(), v.size());
    RealEigenMatrix border =
        RealEigenMatrix::Zero(static_cast<Eigen::Index>(v.size()), static_cast<Eigen::Index>(classes));
    for (std::size_t i = 0; i < n; ++i) {
      const RowTerms row = terms_of(along(z[i], 1, intercepts.b), data.class_of(i));
      Real size = 1;
      for (std::size_t k = 0; k < classes; ++k) {
        size += std::abs(intercepts.b[k]);
        for (std::size_t j = 0; j < d; ++j) size += std::abs(entries[i * d + j] * v[j * classes + k]);
      }
      s.value += c[i] * row.loss;
      s.magnitude += c[i] * (row.loss + size);
      for (std::size_t k = 0; k < classes; ++k)
        for (std::size_t j = 0; j < d; ++j)
          s.gradient[j * classes + k] += c[i] * entries[i * d + j] * (row.p[k] - (k == data.class_of(i) ? 1 : 0));
      for (std::size_t k = 0; k < classes; ++k)
        for (std::size_t l = 0; l < classes; ++l) {
          const Real h = c[i] * (row.p[k] * ((k == l ? 1 : 0) - row.p[l]));
          for (std::size_t j = 0; j < d; ++j) {
            border(static_cast<Eigen::Index>(j * classes + k), static_cast<Eigen::Index>(l)) += h * entries[i * d + j];
            for (std::size_t m = 0; m < d; ++m)
              s.hessian(j * classes + k, m * classes + l) += h * entries[i * d + j] * entries[i * d + m];
          }
        }
    }
    s.value += data.l2 * squared_length(v) / 2;
    s.magnitude += data.l2 * squared_length(v) / 2;
    s.gradient = along(s.gradient, data.l2, v);
    for (std::size_t j = 0; j < v.size(); ++j) s.hessian(j, j) += data.l2;
    if (data.bias != Bias::free) return s;
    const RealEigenMatrix loses = border * intercepts.curvature.ldlt().solve(RealEigenMatrix(border.transpose()));
    for (std::size_t j = 0; j < v.size(); ++j)
      for (std::size_t m = 0; m < v.size(); ++m)
        s.hessian(j, m) -= loses(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(m));
    return s;
  };
  return f;
}

// In 113 bits ------------------------------------------------------------------------------------

namespace {

/// sum over rows of c_i term(z, sizes, y), over W; sizes are those of the terms that add up to z.
template <class Term>
Quad mean_over_rows(const SoftmaxData& data, const Vector& v, const Vector& b, const Term& term) {
  const Vector entries = entries_of(data);
  Quad sum = 0, total = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    std::vector<Quad> z(data.classes), sizes(data.classes, 1);
    for (std::size_t k = 0; k < data.classes; ++k) {
      const auto add = [&](Quad x) {
        z[k] += x;
        sizes[k] += absolute(x);
      };
      if (!b.empty()) add(b[k]);
      for (std::size_t j = 0; j < data.columns(); ++j)
        add(Quad(entries[i * data.columns() + j]) * v[j * data.classes + k]);
    }
    sum += data.weight(i) * term(z, sizes, data.class_of(i));
    total += data.weight(i);
  }
  return sum / total;
}

Quad loss_of(const std::vector<Quad>& z, std::size_t y) {
  const std::size_t top = static_cast<std::size_t>(std::max_element(z.begin(), z.end()) - z.begin());
  Quad others = 0;
  for (std::size_t k = 0; k < z.size(); ++k) others += k == top ? Quad(0) : exponential(z[k] - z[top]);
  return z[top] - z[y] + logarithm_of_one_plus(others);
}

}  // namespace

Quad softmax_value(const SoftmaxData& data, const Vector& v, const Vector& b) {
  Quad squares = 0;
  for (const double x : v) squares += Quad(x) * x;
  return mean_over_rows(data, v, b, [](const auto& z, const auto&, std::size_t y) { return loss_of(z, y); }) +
         data.l2 * squares / 2;
}

Quad softmax_magnitude(const SoftmaxData& data, const Vector& v, const Vector& b) {
  return mean_over_rows(data, v, b, [](const auto& z, const auto& sizes, std::size_t y) {
    const Quad loss = loss_of(z, y), steep = loss < 1 ? loss : Quad(1);
    return loss + 2 * steep * *std::max_element(sizes.begin(), sizes.end());
  });
}

QuadBound softmax_bound(const SoftmaxData& data, const DualPoint& dual) {
  const Vector entries = entries_of(data);
  const Quad step = std::ldexp(1.0L, dual.exponent);
  Quad entropy = 0, total = 0, squares = 0, sizes = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const Quad c = data.weight(i);
    total += c;
    for (std::size_t k = 0; k < data.classes; ++k) {
      const Quad v = step * dual.steps[i * data.classes + k], q = k == data.class_of(i) ? c + v : v, rest = c - q;
      if (q > 0) entropy -= q * (q < rest ? logarithm(q / c) : logarithm_of_one_plus(-rest / c));
    }
  }
  for (std::size_t k = 0; k < data.classes; ++k)
    for (std::size_t j = 0; j < data.columns(); ++j) {
      Quad sum = 0, size = 0;
      for (std::size_t i = 0; i < data.rows(); ++i) {
        const Quad term = step * dual.steps[i * data.classes + k] * entries[i * data.columns() + j];
        sum += term;
        size += absolute(term);
      }
      squares += sum * sum;
      sizes += absolute(sum) * size;
    }
  const Quad factor = 1 / (2 * Quad(data.l2) * total * total);
  return {entropy / total - squares * factor, entropy / total + 2 * sizes * factor};
}

}  // namespace geodescent::testing
