#include <fmt/format.h>

#include <cmath>

#include "experiments/balls/balls.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

Entry entry(double value) { return std::isnan(value) ? Entry() : Entry(shortened(value)); }

class Tables {
 public:
  Tables(const BallsOptions& o, const ExperimentOptions& e, const BallsResults& results)
      : o_(o), e_(e), results_(results) {}

  /// Every second accuracy: 1e-2, 1e-4, ...
  Table ratios(Measure measure) const {
    Table table{.name = "balls-" + name_of(measure),
                .title = fmt::format("{} of each variant over those of GeoD with one ball", name_of(measure)),
                .caption = fmt::format("Median and 90th percentile of the ratios, problem by problem, over {} "
                                       "problems. \"Compared\" counts the problems that GeoD or the variant solves "
                                       "within {}, for balls alone.",
                                       results_.data.problems.size(), text_of(e_.limits)),
                .columns = {"to", "at", "m", "compared"},
                .rows = {}};
    table.title[0] = static_cast<char>(std::toupper(table.title[0]));
    for (const Kept kept : all_kept)
      for (const char* quantile : {"median", "90 %"})
        table.columns.push_back(fmt::format("{}, {}", name_of(kept), quantile));
    for (const Goal goal : {Goal::accuracy, Goal::proof})
      for (std::size_t a = 1; a < e_.accuracies.size(); a += 2)
        for (std::size_t k = 0; k < o_.sizes.size(); ++k) table.rows.push_back(row(measure, goal, a, k));
    return table;
  }

  Table worst_case() const {
    Table table{.name = "balls-worst-case",
                .title = "The worst-case function",
                .caption = fmt::format("Iterations on the function of section 4.2 with n = {} and beta = {:g}, at most "
                                       "{}. Accuracy is (f - f*) / (f(0) - f*); the gap is what the method has proven.",
                                       o_.dimension, o_.beta, o_.iterations),
                .columns = {"variant", "m"},
                .rows = {}};
    for (const char* goal : {"accuracy", "proven gap"})
      for (const int digits : shown_digits) table.columns.push_back(fmt::format("{} 1e-{}", goal, digits));
    table.rows.push_back(row("GeoD, one ball", {}, results_.worst_case[0]));
    for (const Kept kept : all_kept)
      for (std::size_t k = 0; k < o_.sizes.size(); ++k)
        table.rows.push_back(
            row(name_of(kept), static_cast<double>(o_.sizes[k]), results_.worst_case[place_of(kept, k, o_)]));
    return table;
  }

 private:
  static constexpr std::array shown_digits{2, 4, 6, 8};

  std::vector<Entry> row(Measure measure, Goal goal, std::size_t accuracy, std::size_t k) const {
    const auto ratios = [&](Kept kept) {
      return ratios_to_one_ball(results_.data, place_of(kept, k, o_), accuracy, measure, goal);
    };
    std::vector<Entry> entries = {goal == Goal::proof ? "proven gap" : "accuracy", e_.accuracies[accuracy],
                                  static_cast<double>(o_.sizes[k]), static_cast<double>(ratios(Kept::balls).size())};
    for (const Kept kept : all_kept)
      for (const double p : {0.5, 0.9}) entries.push_back(entry(quantile(ratios(kept), p)));
    return entries;
  }

  static std::vector<Entry> row(const std::string& name, Entry m, const WorstCaseTrace& trace) {
    std::vector<Entry> entries = {name, std::move(m)};
    for (const int digits : shown_digits) entries.emplace_back(trace.iterations_to(std::pow(10.0, -digits)));
    for (const int digits : shown_digits) entries.emplace_back(trace.iterations_to_proof(std::pow(10.0, -digits)));
    return entries;
  }

  const BallsOptions& o_;
  const ExperimentOptions& e_;
  const BallsResults& results_;
};

}  // namespace

std::vector<Table> balls_tables(const BallsOptions& o, const ExperimentOptions& e, const BallsResults& results) {
  const Tables tables(o, e, results);
  return {tables.ratios(Measure::iterations), tables.ratios(Measure::passes), tables.worst_case()};
}

}  // namespace geodescent::lab
