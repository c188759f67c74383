// The trace of a run as a table: one row an iteration, row 0 the start.
#pragma once

#include <string>

#include "files/output_file.hpp"
#include "geodescent/optimize/minimize.hpp"

namespace geodescent::cli {

class TraceFile {
 public:
  explicit TraceFile(const std::string& path);
  void add(const Progress& progress);
  void commit() { file_.commit(); }  ///< without it no file appears

 private:
  OutputFile file_;
};

}  // namespace geodescent::cli
