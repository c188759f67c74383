#include "train/trace.hpp"

#include <fmt/format.h>

#include <utility>

namespace geodescent::cli {

TraceFile::TraceFile(const std::string& path, std::vector<double> labels)
    : file_(path), labels_(std::move(labels)), rows_(labels_.size()) {
  file_.write(fmt::format("{}{}\n", labels_.empty() ? "" : "label,", fmt::join(trace_columns, ",")));
}

void TraceFile::add(const Progress& p) {
  const std::string row = fmt::format("{},{},{},{},{},{},{},{},{:.6f}\n", p.iteration, p.value, p.lower_bound,
                                      p.gradient_norm, p.counts.forward_passes, p.counts.backward_passes,
                                      p.counts.line_evaluations, p.counts.subspace_evaluations, p.seconds);
  if (labels_.empty()) return file_.write(row);
  rows_[p.problem] += fmt::format("{},{}", labels_[p.problem], row);
}

void TraceFile::commit() {
  for (const std::string& rows : rows_) file_.write(rows);
  file_.commit();
}

}  // namespace geodescent::cli
