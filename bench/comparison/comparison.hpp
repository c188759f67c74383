// The results of all cells as figures and tables.
#pragma once

#include "comparison/experiment.hpp"
#include "report/report.hpp"

namespace geodescent::lab {

/// A kind of effort.
enum class Measure { iterations, passes, line_evaluations, subspace_evaluations, seconds };

/// The goal: the accuracy itself, or its proof by the method.
enum class Goal { accuracy, proof };

/// "iterations", "passes", ...
std::string name_of(Measure measure);
/// The amount of one kind of effort; infinite if there is no effort.
double amount(const std::optional<Effort>& effort, Measure measure);

/// The effort of one method on all problems at one accuracy; infinite where it was not reached.
std::vector<double> costs(const Results& results, std::size_t method, std::size_t accuracy, Measure measure,
                          Goal goal = Goal::accuracy);

/// The indices of at most three evenly spaced accuracies, including the smallest, for use where
/// space is limited.
std::vector<std::size_t> shown_accuracies(std::size_t count);

/// Rounds to six digits; further digits of an interpolation are rounding.
double shortened(double value);
/// "20000 iterations or 60 seconds"
std::string text_of(const Limits& limits);

/// Adds median and 90th percentile of every measure, and performance profiles.
void add_figures(Report& report, const ExperimentOptions& options, const Results& results);
/// Adds the tables summary, problems-<accuracy>, results, seconds (if timed), profiles, references,
/// tuning.
void add_tables(Report& report, const ExperimentOptions& options, const Results& results);
/// Adds warnings about everything that makes a number doubtful.
void add_doubts(Report& report, const ExperimentOptions& options, const Results& results);

}  // namespace geodescent::lab
