// What an experiment shows: the results of all cells as tables and figures.
#pragma once

#include "lab/experiment.hpp"
#include "lab/report.hpp"

namespace geodescent::lab {

/// What a method spends.
enum class Measure { iterations, passes, line_evaluations, seconds };

/// What is asked of it: the accuracy itself, or that the method has proven it.
enum class Goal { accuracy, proof };

/// The costs of one method over all problems at one accuracy, infinite where it was not reached.
std::vector<double> costs(const Results& results, std::size_t method, std::size_t accuracy, Measure measure,
                          Goal goal = Goal::accuracy);

/// Adds to the report: the tables results, seconds (when timed), summary, profiles, references and tuning, a table of
/// the problems for the page, the figures, and warnings about whatever makes a number doubtful.
void add_comparison(Report& report, const ExperimentOptions& options, const Results& results);

}  // namespace geodescent::lab
