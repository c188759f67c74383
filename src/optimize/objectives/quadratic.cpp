#include "geodescent/optimize/quadratic.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "base/parallel.hpp"
#include "optimize/oracles/subspace_model.hpp"

namespace geodescent {

Quadratic::Quadratic(std::shared_ptr<const RowMatrix> q, Vector b, double alpha, std::optional<double> beta,
                     double offset)
    : q_(std::move(q)), b_(std::move(b)), alpha_(alpha), beta_(beta), offset_(offset) {
  if (q_->rows() != q_->columns()) throw std::invalid_argument("the matrix of a quadratic must be square");
  if (q_->rows() != b_.size()) throw std::invalid_argument("the linear term must have one entry per row of the matrix");
  if (b_.empty()) throw std::invalid_argument("a quadratic needs a dimension of at least 1");
  if (!(alpha > 0 && std::isfinite(alpha))) throw std::invalid_argument("alpha must be positive and finite");
  if (beta && !(*beta >= alpha)) throw std::invalid_argument("beta must not be below alpha");
}

void Quadratic::multiply(std::span<const double> x, std::span<double> out) const {
  parallel::for_each(parallel::cut(out.size(), 256), [&](std::size_t begin, std::size_t end) {
    q_->forward(begin, end, x, out.subspan(begin, end - begin));
  });
}

/// Needs no scratch memory.
class QuadraticOracle final : public Oracle, private SubspaceModel {
 public:
  explicit QuadraticOracle(const Quadratic& f)
      : Oracle({.dimension = f.dimension(),
                .columns = f.dimension(),
                .image_size = f.dimension(),
                .strong_convexity = f.strong_convexity(),
                .smoothness = f.smoothness(),
                .forward_per_lift = 1,
                .backward_per_gradient = 1}),
        f_(f),
        q_(f.q_.get()),
        b_(f.b_),
        alpha_(f.alpha_),
        offset_(f.offset_) {}

  void lift(Point& p) override { f_.multiply(p.x, p.image); }
  Evaluation gradient(const Point& p, std::span<double> g) override;
  LineValue on(Line& line, double t) override;
  SubspaceModel* subspace() override { return this; }

 private:
  void reduce(const Basis& basis, const Point& x, Reduced& out) override;

  const Quadratic& f_;
  const RowMatrix* q_;
  const Vector& b_;
  double alpha_, offset_;
};

std::unique_ptr<Oracle> Quadratic::oracle() const { return std::make_unique<QuadraticOracle>(*this); }

double Quadratic::evaluate(std::span<const double> x, std::span<double> gradient) const {
  Point p(x.size(), 0);
  std::copy(x.begin(), x.end(), p.x.begin());
  return QuadraticOracle(*this).gradient(p, gradient).value;
}

Evaluation QuadraticOracle::gradient(const Point& p, std::span<double> g) {
  f_.multiply(p.x, g);
  const double xqx = dot(g, p.x), bx = dot(b_, p.x), xx = squared_norm(p.x);
  combine(g, 1, g, -1, b_);

  constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();
  // A bound on the norm of the error of Q x: || |Q| |x| || <= (largest row sum) |x|, because |Q| is
  // symmetric.
  const double product_error = static_cast<double>(std::min(q_->longest_row(), q_->longest_row() / 4 + 4) + 2) * unit *
                               q_->largest_row_sum() * std::sqrt(xx);
  const std::size_t in_a_lane = b_.size() / 8;
  const double sum_error = static_cast<double>(in_a_lane + 16) * unit;
  const double norm_x = std::sqrt(xx), norm_b = norm(b_);
  Evaluation e;
  e.value = 0.5 * xqx - bx + offset_;
  // f(x) - g.x + alpha/2 |x|^2, with g.x = x'Qx - b.x.
  e.offset = offset_ - 0.5 * (xqx - alpha_ * xx);
  e.value_error = product_error * norm_x + sum_error * (std::abs(xqx) + norm_b * norm_x + std::abs(offset_));
  e.offset_error = e.value_error;
  e.linear_error = product_error + 4 * unit * (norm_b + alpha_ * norm_x);
  return e;
}

void QuadraticOracle::reduce(const Basis& basis, const Point& x, Reduced& out) {
  const double xb = dot(b_, x.x);
  out.value = 0.5 * dot(x.x, x.image) - xb + offset_;
  if (out.basis_version != basis.version() || out.refresh) {
    out.columns = 0;
    out.basis_version = basis.version();
    out.refresh = false;
    ++out.generation;
  }
  for (std::size_t j = 0; j < basis.size(); ++j) {
    out.gradient[j] = dot(basis.vector(j), x.image) - dot(basis.vector(j), b_);
    for (std::size_t i = std::max(j, out.columns); i < basis.size(); ++i)
      out.hessian[j * out.capacity + i] = dot(basis.vector(i), basis.image(j));
  }
  out.columns = basis.size();
}

LineValue QuadraticOracle::on(Line& line, double t) {
  const Point &x = line.origin(), &d = line.direction();
  const double* qx = x.image.data();
  const double* qd = d.image.data();
  // Only the curvature along d and the slope at the origin are computed; f is exact along the line.
  const auto sums =
      parallel::sum<parallel::Sums<5>>(parallel::cut(b_.size()), [&](std::size_t begin, std::size_t end) {
        return parallel::sum_in_lanes<5>(begin, end, [&](std::size_t i) {
          return std::array{x.x[i] * qx[i], b_[i] * x.x[i], d.x[i] * qx[i], b_[i] * d.x[i], d.x[i] * qd[i]};
        });
      }).of;
  const double slope_at_origin = sums[2] - sums[3];
  return {0.5 * sums[0] - sums[1] + offset_ + t * (slope_at_origin + 0.5 * t * sums[4]), slope_at_origin + t * sums[4],
          sums[4]};
}

Quadratic worst_case(std::size_t n, double beta) {
  if (n == 0) throw std::invalid_argument("the worst-case function needs a dimension of at least 1");
  if (!(beta > 0 && std::isfinite(beta))) throw std::invalid_argument("beta must be positive and finite");
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  Vector values;
  const auto entry = [&](std::size_t column, double value) {
    indices.push_back(static_cast<std::uint32_t>(column));
    values.push_back(value);
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) entry(i - 1, -beta);
    entry(i, 2 * beta + 1);
    if (i + 1 < n) entry(i + 1, -beta);
    offsets.push_back(values.size());
  }
  Vector b(n);
  b[0] = beta;
  const double largest = 1 + 2 * beta * (1 + std::cos(std::numbers::pi / static_cast<double>(n + 1)));
  return Quadratic(std::make_shared<SparseRows>(std::move(offsets), std::move(indices), std::move(values), n),
                   std::move(b), 1, largest, 0.5 * beta);
}

}  // namespace geodescent
