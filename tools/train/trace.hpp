// The trace of a run as a table: one row an iteration, row 0 the start.
#pragma once

#include <array>
#include <string>

#include "files/output_file.hpp"
#include "geodescent/optimize/minimize.hpp"

namespace geodescent::cli {

inline constexpr std::array trace_columns{
    "iteration",      "value",           "lower_bound",      "gradient_norm",
    "forward_passes", "backward_passes", "line_evaluations", "subspace_evaluations",
    "seconds"};

class TraceFile {
 public:
  explicit TraceFile(const std::string& path);
  void add(const Progress& progress);
  void commit() { file_.commit(); }  ///< without it no file appears

 private:
  OutputFile file_;
};

}  // namespace geodescent::cli
