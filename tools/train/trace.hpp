// The trace of a run: a table with a row for each iteration; row 0 is the start. With a problem for
// each class the rows of a class follow one another, behind its label.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "files/output_file.hpp"
#include "geodescent/optimize/minimize.hpp"

namespace geodescent::cli {

inline constexpr std::array trace_columns{
    "iteration",      "value",           "lower_bound",      "gradient_norm",
    "forward_passes", "backward_passes", "line_evaluations", "subspace_evaluations",
    "seconds"};

class TraceFile {
 public:
  /// `labels`: of the problems; empty where there is one problem only.
  TraceFile(const std::string& path, std::vector<double> labels);
  void add(const Progress& progress);
  void commit();  ///< without it no file appears

 private:
  OutputFile file_;
  std::vector<double> labels_;
  std::vector<std::string> rows_;  ///< of each problem: problems run at the same time
};

}  // namespace geodescent::cli
