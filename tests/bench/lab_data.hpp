// Small data sets and experiments for the tests of the laboratory.
#pragma once

#include <string>

#include "comparison/experiment.hpp"
#include "geodescent/data/generate.hpp"

namespace geodescent::lab {

inline Dataset generated_data(const GenerateOptions& options) {
  LibsvmData made = generate(options);
  Dataset data;
  data.name = "generated";
  data.nonzeros = made.rows.nonzeros();
  data.rows = in_best_form(std::move(made.rows));
  data.targets = std::move(made.targets);
  return data;
}

inline DataSource generated_source(const std::string& name, const GenerateOptions& options) {
  return {name, "made of " + std::to_string(options.seed), [options] { return generated_data(options); }};
}

/// Efforts without their seconds, which no two runs have in common.
inline Effort counts_of(const Effort& e) {
  return {e.iterations, e.passes, e.line_evaluations, e.subspace_evaluations, 0};
}

}  // namespace geodescent::lab
