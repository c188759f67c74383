#include "train/trace.hpp"

#include <fmt/format.h>

namespace geodescent::cli {

TraceFile::TraceFile(const std::string& path) : file_(path) {
  file_.write(fmt::format("{}\n", fmt::join(trace_columns, ",")));
}

void TraceFile::add(const Progress& p) {
  file_.write(fmt::format("{},{},{},{},{},{},{},{},{:.6f}\n", p.iteration, p.value, p.lower_bound, p.gradient_norm,
                          p.counts.forward_passes, p.counts.backward_passes, p.counts.line_evaluations,
                          p.counts.subspace_evaluations, p.seconds));
}

}  // namespace geodescent::cli
