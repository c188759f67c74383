#include "comparison/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "comparison/infinity.hpp"

namespace geodescent::lab {
namespace {

/// Tries powers of two and keeps the best.
class Search {
 public:
  Search(const std::vector<TuningProblem>& problems, const Contender& method, double accuracy, const Limits& limits,
         const Cancelled& cancelled)
      : problems_(problems),
        method_(method),
        accuracy_(accuracy),
        limits_(limits),
        cancelled_(cancelled),
        best_costs_(problems.size(), infinity) {}

  /// Tries exponents first, first + direction, ... until four in a row are worse than the best. Two
  /// are not enough: iterations are not a smooth function of the constant.
  void walk(int first, int direction) {
    for (int exponent = first, worse = 0; worse < 4 && !cancelled_now_ && std::abs(exponent) < 1000;
         exponent += direction)
      worse = try_one(exponent) ? 0 : worse + 1;
  }

  bool cancelled() const { return cancelled_now_; }
  Tuning result() const { return result_; }

 private:
  /// Returns true if it is the best so far.
  bool try_one(int exponent) {
    std::vector<double> costs;
    double score = 0;
    for (std::size_t p = 0; p < problems_.size() && score < best_score_ && !cancelled_now_; ++p) {
      costs.push_back(cost(problems_[p], exponent, best_costs_[p]));
      score += costs.back();
    }
    const bool better = score < best_score_ && !cancelled_now_;
    result_.candidates.push_back({exponent, better ? score : infinity});
    if (!better) return false;
    best_score_ = score;
    best_costs_ = costs;
    result_.exponent = exponent;
    return true;
  }

  double cost(const TuningProblem& problem, int exponent, double best) {
    Contender candidate = method_;
    candidate.method = with_smoothness(method_.method, std::ldexp(1.0, exponent));
    Limits limits = limits_;
    if (best < infinity) limits.iterations = std::min(limits.iterations, static_cast<std::uint64_t>(2 * best) + 20);
    const auto cell = run_cell(problem.f, candidate, problem.reference, {accuracy_}, limits, false, cancelled_);
    if (!cell) {
      cancelled_now_ = true;
      return infinity;
    }
    if (cell->reached[0]) return static_cast<double>(cell->reached[0]->iterations);
    if (limits.iterations < limits_.iterations) return infinity;
    const double missing = std::log10(std::clamp(cell->accuracy, accuracy_, 1e9) / accuracy_);
    return static_cast<double>(limits_.iterations) * (1 + missing);
  }

  const std::vector<TuningProblem>& problems_;
  const Contender& method_;
  double accuracy_;
  const Limits& limits_;
  const Cancelled& cancelled_;
  bool cancelled_now_ = false;
  double best_score_ = infinity;
  std::vector<double> best_costs_;
  Tuning result_;
};

}  // namespace

std::optional<Tuning> best_smoothness(const std::vector<TuningProblem>& problems, const Contender& method, double guess,
                                      double accuracy, const Limits& limits, const Cancelled& cancelled) {
  Search search(problems, method, accuracy, limits, cancelled);
  const int first = static_cast<int>(std::ceil(std::log2(guess)));
  search.walk(first, -1);
  if (search.result().exponent >= first) search.walk(first + 1, +1);
  if (search.cancelled()) return std::nullopt;
  return search.result();
}

double largest_eigenvalue(const Dataset& data) {
  const RowMatrix& a = *data.rows;
  Vector x(a.columns()), image(a.rows());
  // A fixed start without zeros and without symmetry.
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = 1 + 0.5 * std::sin(static_cast<double>(j));
  double eigenvalue = 0;
  for (int k = 0; k < 50; ++k) {
    const double length = norm(x);
    if (length == 0) return 0;
    for (double& v : x) v /= length;
    a.forward(0, a.rows(), x, image);
    eigenvalue = squared_norm(image) / static_cast<double>(a.rows());
    std::fill(x.begin(), x.end(), 0.0);
    a.backward(0, a.rows(), image, x);
  }
  return eigenvalue;
}

nlohmann::ordered_json to_json(const Tuning& tuning) {
  auto candidates = nlohmann::ordered_json::array();
  for (const auto& c : tuning.candidates)
    candidates.push_back({c.exponent, std::isfinite(c.score) ? nlohmann::ordered_json(c.score) : nullptr});
  return {{"exponent", tuning.exponent}, {"candidates", candidates}};
}

Tuning tuning_from_json(const nlohmann::ordered_json& json) {
  Tuning tuning;
  tuning.exponent = json.at("exponent").get<int>();
  for (const auto& c : json.at("candidates"))
    tuning.candidates.push_back({c.at(0).get<int>(), c.at(1).is_null() ? infinity : c.at(1).get<double>()});
  return tuning;
}

}  // namespace geodescent::lab
