#include "data/memory_statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "geodescent/threads.hpp"

namespace geodescent::cli {
namespace {

// Code, stacks and the blocks of the reader, which come in huge pages: as measured on two threads, and a third more.
constexpr double program_bytes = 20e6;
// What each further thread reads with, and keeps.
constexpr double thread_bytes = 3e6;
// Backward passes add up in buffers of their own: one number for 32 entries at most.
constexpr double buffers_of_matrix = 1.0 / 40;

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string remembered(const Memory& plan) {
  std::string text =
      plan.along == "gradients" ? counted(plan.directions, "direction") : fmt::format("the search {}", plan.along);
  if (plan.pairs > 0) text += ", " + counted(plan.pairs, "pair");
  return text + " and " + counted(plan.balls + 1, "ball");  // with the one around all
}

}  // namespace

MemoryStatement memory_statement(const Dataset& data, const Memory& plan) {
  MemoryStatement statement{.plan = plan, .matrix_bytes = static_cast<double>(data.rows->bytes())};
  // Targets, signs and the dual point; weights, the best ones and those of the certificate.
  const double vectors = 32 * static_cast<double>(data.rows->rows()) + 24 * static_cast<double>(data.rows->columns());
  const double program = program_bytes + thread_bytes * std::max(0, threads() - 2);
  const double others = statement.matrix_bytes * (1 + buffers_of_matrix) + vectors + program;
  statement.peak_bytes = others + plan.bytes;
  if (plan.bytes_after_guard > 0) statement.peak_after_guard = others + std::max(plan.bytes, plan.bytes_after_guard);
  return statement;
}

std::string size_text(double bytes) {
  const char* unit = "bytes";
  for (const char* larger : {"kB", "MB", "GB", "TB"}) {
    if (bytes < 1000) break;
    bytes /= 1000;
    unit = larger;
  }
  return fmt::format("{:.4g} {}", bytes, unit);
}

std::string text_of(const MemoryStatement& s) {
  std::string text =
      fmt::format("at most {}: {} the matrix, {} geod-memory with {} (--memory-limit)", size_text(s.peak_bytes),
                  size_text(s.matrix_bytes), size_text(s.plan.bytes), remembered(s.plan));
  if (s.peak_after_guard > s.peak_bytes)
    text += fmt::format("; at most {} if another search has to replace it", size_text(s.peak_after_guard));
  return text;
}

nlohmann::ordered_json json_of(const MemoryStatement& s) {
  return {{"along", s.plan.along},
          {"directions", s.plan.directions},
          {"pairs", s.plan.pairs},
          {"balls", s.plan.balls},
          {"matrix_bytes", static_cast<std::uint64_t>(s.matrix_bytes)},
          {"method_bytes", static_cast<std::uint64_t>(s.plan.bytes)},
          {"peak_bytes", static_cast<std::uint64_t>(s.peak_bytes)},
          {"peak_bytes_after_newton", s.peak_after_guard > 0
                                          ? nlohmann::ordered_json(static_cast<std::uint64_t>(s.peak_after_guard))
                                          : nlohmann::ordered_json(nullptr)}};
}

}  // namespace geodescent::cli
