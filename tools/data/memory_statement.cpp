#include "data/memory_statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "data/io/text_source.hpp"
#include "geodescent/threads.hpp"
#include "matrix/column_parts.hpp"

namespace geodescent::cli {
namespace {

// Code, stacks and the blocks of the reader, which come in huge pages: as measured on two threads, and a third more.
constexpr double program_bytes = 20e6;
// What each further thread reads with, and keeps.
constexpr double thread_bytes = 3e6;
// Backward passes add up in buffers of their own: one number for 32 entries at most.
constexpr double buffers_of_matrix = 1.0 / 40;
// Columns are many where rows are few: then the method works by rows, and these vectors may be most of the memory. When
// the end of a run is confirmed there are the start, the result, the point that is evaluated, its gradient, the best
// point, and the first buffer of f and of its row form.
constexpr double training_vectors = 7;
// The proof has the weights twice, and a sum of three numbers for each column, once for every eight entries of a column
// and at most eight times.
constexpr double proof_vectors = 2, numbers_of_sum = 3, entries_of_sum = 8, most_sums = 8;

/// Of each column.
double sums_of_proof(const Dataset& data) {
  const double entries = static_cast<double>(data.rows->nonzeros()) / static_cast<double>(data.rows->columns());
  return std::clamp(entries / entries_of_sum, 1.0, most_sums);
}

/// Compressed text is not mapped: there are the decoder's memory, of which the heap may keep what is given back, and
/// pieces of text, two for each thread and a few more.
double reading(const Dataset& data, const std::string& path) {
  constexpr double longest_entry = 36, piece_of_text = 4e5;
  const double allocated = static_cast<double>(decoder_bytes(path));
  if (allocated == 0) return 0;
  const double text = longest_entry * static_cast<double>(data.nonzeros + data.rows->rows());
  return std::min(allocated, text) + piece_of_text * (2 * threads() + 4);
}

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

MemoryStatement memory_statement(const Dataset& data, const std::string& path, const Memory& plan) {
  MemoryStatement statement{.plan = plan, .matrix_bytes = static_cast<double>(data.rows->bytes())};
  const double rows = static_cast<double>(data.rows->rows()), columns = static_cast<double>(data.rows->columns());
  const double program = program_bytes + thread_bytes * std::max(0, threads() - 2);
  // Targets, signs, the dual point, and the weights of a backward pass.
  const double always = statement.matrix_bytes * (1 + buffers_of_matrix) + 40 * rows + program + reading(data, path);
  const double training = always + 8 * training_vectors * columns + ColumnParts::planned_bytes(*data.rows);
  const double proof = always + 8 * (proof_vectors + numbers_of_sum * sums_of_proof(data)) * columns;
  statement.peak_bytes = std::max(training + plan.bytes, proof);
  if (plan.bytes_after_guard > 0)
    statement.peak_after_guard = std::max(training + std::max(plan.bytes, plan.bytes_after_guard), proof);
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
      fmt::format("about {}: {} the matrix, {} geod-memory with {} (--memory-limit)", size_text(s.peak_bytes),
                  size_text(s.matrix_bytes), size_text(s.plan.bytes), remembered(s.plan));
  if (s.peak_after_guard > s.peak_bytes)
    text += fmt::format("; about {} if another search has to replace it", size_text(s.peak_after_guard));
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
