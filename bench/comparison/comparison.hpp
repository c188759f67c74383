// What an experiment shows: the results of all cells as figures and tables.
#pragma once

#include "comparison/experiment.hpp"
#include "report/report.hpp"

namespace geodescent::lab {

/// What a method spends.
enum class Measure { iterations, passes, line_evaluations, subspace_evaluations, seconds };

/// What is asked of it: the accuracy itself, or that the method has proven it.
enum class Goal { accuracy, proof };

/// "iterations", "passes", ...
std::string name_of(Measure measure);
/// Infinite when there is none.
double amount(const std::optional<Effort>& effort, Measure measure);

/// The costs of one method over all problems at one accuracy, infinite where it was not reached.
std::vector<double> costs(const Results& results, std::size_t method, std::size_t accuracy, Measure measure,
                          Goal goal = Goal::accuracy);

/// The accuracies shown where there is no room for all: at most three, spread evenly, the smallest among them.
std::vector<std::size_t> shown_accuracies(std::size_t count);

/// To six digits: what interpolation adds beyond them is rounding.
double shortened(double value);
/// "20000 iterations or 60 seconds"
std::string text_of(const Limits& limits);

/// Median and 90th percentile of every measure, and performance profiles.
void add_figures(Report& report, const ExperimentOptions& options, const Results& results);
/// summary, problems-<accuracy>, results, seconds (when timed), profiles, references, tuning.
void add_tables(Report& report, const ExperimentOptions& options, const Results& results);
/// Warnings about whatever makes a number doubtful.
void add_doubts(Report& report, const ExperimentOptions& options, const Results& results);

}  // namespace geodescent::lab
