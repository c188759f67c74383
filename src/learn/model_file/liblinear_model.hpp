// LIBLINEAR's part of a model file. Internal to the library.
#pragma once

#include <string_view>

#include "geodescent/learn/model.hpp"
#include "learn/model_file/model_lines.hpp"

namespace geodescent {

class OutputFile;

/// Every model file begins with this word, whoever wrote it.
inline constexpr std::string_view liblinear_first_word = "solver_type";
/// Our own section, after the weights, begins with this one; LIBLINEAR reads no further than the weights.
inline constexpr std::string_view section_first_word = "geodescent-model";
inline constexpr std::string_view section_version = "2";

struct LiblinearPart {
  LinearModel model;
  std::string_view solver;       ///< its word for what was minimised
  bool section_follows = false;  ///< the file says that it has a section of our own
};

/// Reads as far as the last weight. Throws InputError for what is no linear model for two classes or a regression.
LiblinearPart read_liblinear_part(ModelLines& in);
/// The solver that our files name for such a model.
std::string_view solver_for(const LinearModel& model);
/// Writes a part that says that a section follows.
void write_liblinear_part(const LinearModel& model, OutputFile& file);

}  // namespace geodescent
