// LIBLINEAR's part of a model file. Internal to the library.
#pragma once

#include <string_view>

#include "geodescent/learn/model.hpp"
#include "learn/model_file/model_lines.hpp"

namespace geodescent {

class OutputFile;

/// The first word of every model file.
inline constexpr std::string_view liblinear_first_word = "solver_type";
/// The first word of our section. LIBLINEAR does not read beyond the weights.
inline constexpr std::string_view section_first_word = "geodescent-model";
inline constexpr std::string_view section_version = "2";

struct LiblinearPart {
  LinearModel model;
  std::string_view solver;       ///< solver_type
  bool section_follows = false;  ///< whether the file says that our section follows
};

/// Reads up to the last weight. Throws InputError unless it is a linear model for classes or a
/// regression.
LiblinearPart read_liblinear_part(ModelLines& in);
/// The solver that our files name for such a model.
std::string_view solver_for(const LinearModel& model);

/// Softmax with two classes has two columns, opposite to each other; its file has their difference,
/// as LIBLINEAR has one column for two classes.
LinearModel in_one_column(const LinearModel& model);
LinearModel in_two_columns(LinearModel model);
/// Whether halving the weights of this single column is exact. It is not for the odd multiples of
/// the smallest double.
bool has_halves(const LinearModel& model);

/// Writes a part that says that a section follows. The model does not have two columns.
void write_liblinear_part(const LinearModel& model, OutputFile& file);

}  // namespace geodescent
