#include "experiments/worst_case/worst_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <geodescent/version.hpp>

#include "comparison/methods.hpp"

namespace geodescent::lab {
namespace {

WorstCaseSize run_size(std::size_t n, const WorstCaseOptions& o, const WorstCaseLimits& limits,
                       const WorstCaseWatch& watch) {
  WorstCaseSize size{WorstCaseProblem(n, o.beta)};
  for (const std::string& method : o.methods)
    size.traces.push_back(run_worst_case(size.problem, method, limits, watch));
  return size;
}

/// The iterations that a panel shows: all of the fast methods, the first of the slow ones.
std::size_t shown_iterations(const WorstCaseSize& size) {
  std::size_t most = 0;
  std::size_t fast = 0;
  for (const WorstCaseTrace& trace : size.traces) {
    most = std::max(most, trace.last());
    if (trace.method != "sd" && trace.method != "ball") fast = std::max(fast, trace.last());
  }
  return fast == 0 ? most : fast;
}

Curve known_curve(const std::string& name, std::size_t last, double least, const auto& accuracy) {
  Curve curve{name, {}, {}};
  for (std::size_t k = 0; k <= last && accuracy(k) >= least; ++k) {
    curve.x.push_back(static_cast<double>(k));
    curve.y.push_back(accuracy(k));
  }
  return curve;
}

Panel panel_of(const WorstCaseSize& size, const WorstCaseOptions& o) {
  const WorstCaseProblem& p = size.problem;
  const std::size_t last = shown_iterations(size);
  Panel panel{fmt::format("n = {}", p.dimension()),
              {"iterations", false, false, 0, static_cast<double>(last)},
              {"(f - f*) / (f(0) - f*)", true, false, o.stop_at, 1},
              {}};
  for (const WorstCaseTrace& trace : size.traces) {
    panel.curves.push_back(known_curve(trace.method, std::min(last, trace.last()), o.stop_at / 10,
                                       [&](std::size_t k) { return trace.accuracy[k]; }));
  }
  const double factor = 1 - 1 / std::sqrt(p.condition());
  panel.curves.push_back(
      known_curve("theory", last, o.stop_at, [&](std::size_t k) { return std::pow(factor, static_cast<double>(k)); }));
  panel.curves.push_back(
      known_curve("lower bound", last, o.stop_at, [&](std::size_t k) { return p.best_possible(k + 1); }));
  panel.curves.back().y.front() = 1;  // the start has accuracy 1
  return panel;
}

Figure figure_of(const std::vector<const WorstCaseSize*>& sizes, const WorstCaseOptions& o) {
  Figure figure{
      "worst-case",
      "The worst-case function",
      fmt::format("Accuracy of the best point against iterations, beta = {:g}. A curve that ends at the bottom has "
                  "reached {:g}; one that leaves on the right goes on. Theory is the bound (1 - 1/sqrt(kappa))^k with "
                  "kappa the largest eigenvalue; \"best possible\" is the least that is possible in the span of k + 1 "
                  "gradients (GeoD has k + 1 after k iterations, the others k).",
                  o.beta, o.stop_at),
      {}};
  for (const WorstCaseSize* size : sizes) figure.panels.push_back(panel_of(*size, o));
  return figure;
}

Table iterations_table(const std::vector<const WorstCaseSize*>& sizes) {
  Table table{"iterations", "Iterations to each accuracy", "Accuracy is (f - f*) / (f(0) - f*).", {"n", "method"}, {}};
  for (int digits = 1; digits <= 10; ++digits) table.columns.push_back(fmt::format("1e-{}", digits));
  for (const WorstCaseSize* size : sizes) {
    for (const WorstCaseTrace& trace : size->traces) {
      std::vector<Entry> row{static_cast<double>(trace.n), trace.method};
      for (int digits = 1; digits <= 10; ++digits) row.emplace_back(trace.iterations_to(std::pow(10.0, -digits)));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table minima_table(const std::vector<const WorstCaseSize*>& sizes) {
  Table table{"minima",
              "The minima",
              "The tridiagonal system solved in long double. The proven error is |g|^2/2 at the solution (alpha = 1): "
              "no point has a value lower than f* by more.",
              {"n", "f*", "proven error", "f(0)", "smallest eigenvalue", "largest eigenvalue"},
              {}};
  for (const WorstCaseSize* size : sizes) {
    const WorstCaseProblem& p = size->problem;
    const double n = static_cast<double>(p.dimension());
    table.rows.push_back(
        {n, p.minimum(), p.proven_error(), p.at_zero(), p.smallest_eigenvalue(), p.largest_eigenvalue()});
  }
  return table;
}

Table curves_table(const std::vector<const WorstCaseSize*>& sizes) {
  constexpr std::size_t all_until = 1000;
  Table table{"curves",
              "The curves",
              "Every iteration up to 1000, then each in which the accuracy has fallen by one percent.",
              {"n", "method", "iteration", "accuracy"},
              {},
              false};
  for (const WorstCaseSize* size : sizes) {
    for (const WorstCaseTrace& trace : size->traces) {
      double written = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < trace.accuracy.size(); ++k) {
        if (k > all_until && k != trace.last() && trace.accuracy[k] > 0.99 * written) continue;
        written = trace.accuracy[k];
        table.rows.push_back({static_cast<double>(trace.n), trace.method, static_cast<double>(k), written});
      }
    }
  }
  return table;
}

/// Compares AFG and AFGwR with the largest eigenvalue to their best power of two, which the paper
/// used.
Table parameter_table(const WorstCaseProblem& p, const WorstCaseWatch& watch) {
  constexpr double wanted = 1e-10;
  const double enough = 50 * std::sqrt(p.condition());  // twice the bound of the theory
  const WorstCaseLimits limits{static_cast<std::uint64_t>(enough), wanted};
  Table table{
      "parameter",
      "The parameter of AFG and AFGwR",
      fmt::format("Iterations to {:g} for n = {} by the smoothness they are given: powers of two as in the paper, "
                  "and the largest eigenvalue, which is what they have in this experiment. At most {} iterations.",
                  wanted, p.dimension(), limits.iterations),
      {"smoothness", "which", "afg", "afgwr"},
      {}};
  const int power = static_cast<int>(std::ceil(std::log2(p.largest_eigenvalue())));
  std::vector<std::pair<double, std::string>> choices{{p.largest_eigenvalue(), "largest eigenvalue"}};
  for (int j = power - 3; j <= power + 2; ++j) choices.emplace_back(std::exp2(j), fmt::format("2^{}", j));
  std::ranges::sort(choices);
  for (const auto& [smoothness, name] : choices) {
    std::vector<Entry> row{smoothness, name};
    for (const char* method : {"afg", "afgwr"})
      row.emplace_back(run_worst_case(p, with_smoothness(method, smoothness), limits, watch).iterations_to(wanted));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

const WorstCaseTrace* WorstCaseSize::of(std::string_view method) const {
  const auto found = std::ranges::find(traces, method, &WorstCaseTrace::method);
  return found == traces.end() ? nullptr : &*found;
}

Report worst_case_report(const WorstCaseOptions& o, const WorstCaseWatch& watch) {
  const WorstCaseLimits few{o.large_iterations, o.stop_at}, many{o.max_iterations, o.stop_at};
  const WorstCaseSize large = run_size(o.large, o, few, watch);
  const WorstCaseSize medium = run_size(o.medium, o, many, watch);
  const WorstCaseSize small = run_size(o.small, o, many, watch);
  const std::vector<const WorstCaseSize*> sizes{&large, &medium, &small};

  Report report;
  report.name = "worst-case";
  report.title = "Worst-case experiment";
  report.lead = fmt::format(
      "The methods minimise f(x) = beta/2 ((1 - x_1)^2 + sum (x_i - x_(i+1))^2 + x_n^2) + 1/2 |x|^2 from zero, with "
      "beta "
      "= {:g} and n = {}, {} and {}. Accuracy is (f - f*) / (f(0) - f*) at the best point so far, computed from the "
      "distance to the exact minimiser. AFG and AFGwR know the largest eigenvalue; L-BFGS has a memory of 100.",
      o.beta, o.large, o.medium, o.small);
  report.facts = {{"function", "section 4.2 of the paper"},
                  {"beta", fmt::format("{:g}", o.beta)},
                  {"methods", fmt::format("{}", fmt::join(o.methods, ", "))},
                  {"stopped at", fmt::format("accuracy {:g}, {} iterations for n = {}, else {}", o.stop_at,
                                             o.large_iterations, o.large, o.max_iterations)}};
  report.figures.push_back(figure_of(sizes, o));
  report.claims = worst_case_claims({large, medium, small});
  report.tables = {iterations_table(sizes), parameter_table(medium.problem, watch), minima_table(sizes),
                   curves_table(sizes)};
  return report;
}

}  // namespace geodescent::lab
