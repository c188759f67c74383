#include "data/memory_statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/text/counted.hpp"
#include "data/io/text_source.hpp"
#include "geodescent/threads.hpp"
#include "matrix/column_parts.hpp"

namespace geodescent::cli {
namespace {

// Code, stacks and the blocks of the reader in huge pages: measured on two threads, and a third
// more.
constexpr double program_bytes = 20e6;
// The libraries of MPI and their buffers: measured with Open MPI 4.1 on one machine.
constexpr double mpi_bytes = 15e6;
// Memory of each further reading thread.
constexpr double thread_bytes = 3e6;
// Backward passes add in buffers of their own, which have at most one number for 32 entries.
constexpr double buffers_of_matrix = 1.0 / 40;
// With more columns than rows the method works in row form, and these vectors may be most of the
// memory. At the end of a run they are the start, the result, the evaluated point, its gradient,
// the best point, and the first buffer of f and of its row form.
constexpr double training_vectors = 7;
// If columns without entries are left out (UsedColumns): the new indices, the table of the columns,
// and the result.
constexpr double bytes_of_index = 4, bytes_of_column = 0.25, vectors_of_all_columns = 1;
// The proof has the coefficients twice, and a sum of three numbers for each column, for every eight
// entries of a column and at most eight times. Wide matrices have a sum for each column with
// entries, and a table of the columns.
constexpr double proof_vectors = 2, numbers_of_sum = 3, entries_of_sum = 8, most_sums = 8;

double bytes_of_training(const Dataset& data, std::size_t used_columns) {
  const double columns = static_cast<double>(data.rows->columns()), used = static_cast<double>(used_columns);
  if (used == columns) return 8 * training_vectors * columns;
  return 8 * (training_vectors * used + vectors_of_all_columns * columns) +
         bytes_of_index * static_cast<double>(data.rows->nonzeros()) + bytes_of_column * columns;
}

double bytes_of_proof(const Dataset& data, std::size_t outputs) {
  const double columns = static_cast<double>(data.rows->columns()), entries = static_cast<double>(data.nonzeros);
  const double times = entries / columns / entries_of_sum;
  const double sums = times < most_sums ? std::min(entries, columns) : most_sums * columns;
  return 8 * (proof_vectors * columns * static_cast<double>(outputs) + numbers_of_sum * sums) +
         bytes_of_index * columns;
}

/// Rows that ranks have moved are stored with indices of 4 bytes and entries of 8.
double bytes_of_matrix(const Dataset& data, const TrainingShape& shape) {
  if (shape.ranks == 1) return static_cast<double>(data.rows->bytes());
  const double rows = static_cast<double>(data.rows->rows());
  const bool is_sparse = dynamic_cast<const SparseRows*>(data.rows.get()) != nullptr;
  const double all = is_sparse ? 12 * static_cast<double>(data.rows->nonzeros()) + 8 * rows
                               : 8 * rows * static_cast<double>(data.rows->columns());
  return all / static_cast<double>(shape.ranks);
}

/// Targets, and for each output slopes, dual point and the weights of a backward pass; of problems
/// that wait for others the dual points and the coefficients alone.
double bytes_of_rows(const Dataset& data, const TrainingShape& shape, double at_once) {
  const double rows = static_cast<double>(data.rows->rows()), columns = static_cast<double>(data.rows->columns());
  const double own = rows * (16 + 24 * static_cast<double>(shape.outputs));
  const double kept = shape.problems == 1 ? 0 : 8 * (rows + columns) * static_cast<double>(shape.problems);
  return at_once * own + kept;
}

/// Compressed text is not mapped: there are the decoder's memory, of which the heap may keep what
/// is given back, and pieces of text, two for each thread and a few more.
double reading(const Dataset& data, const std::vector<std::string>& paths) {
  constexpr double longest_entry = 36, piece_of_text = 4e5;
  double allocated = 0;
  for (const std::string& path : paths) allocated = std::max(allocated, static_cast<double>(decoder_bytes(path)));
  if (allocated == 0) return 0;
  const double text = longest_entry * static_cast<double>(data.nonzeros + data.rows->rows());
  return std::min(allocated, text) + piece_of_text * (2 * threads() + 4);
}

std::string remembered(const Memory& plan) {
  std::string text =
      plan.along == "gradients" ? counted(plan.directions, "direction") : fmt::format("the search {}", plan.along);
  if (plan.pairs > 0) text += ", " + counted(plan.pairs, "pair");
  return text + " and " + counted(plan.balls + 1, "ball");  // with the one around all
}

}  // namespace

MemoryStatement memory_statement(const Dataset& data, std::size_t used_columns, const std::vector<std::string>& paths,
                                 const Memory& plan, const TrainingShape& shape) {
  MemoryStatement statement{.plan = plan, .matrix_bytes = bytes_of_matrix(data, shape)};
  const double share = 1 / static_cast<double>(shape.ranks);
  const double at_once =
      static_cast<double>(std::min<std::size_t>(shape.problems, static_cast<std::size_t>(std::max(1, threads()))));
  const double outputs = static_cast<double>(shape.outputs);
  const bool is_divided = shape.ranks > 1 || data.ranks;
  const double program = program_bytes + (is_divided ? mpi_bytes : 0) + thread_bytes * std::max(0, threads() - 2);
  const double always = statement.matrix_bytes * (1 + buffers_of_matrix) + share * bytes_of_rows(data, shape, at_once) +
                        program + reading(data, paths);
  const double training =
      bytes_of_training(data, used_columns) * outputs + share * ColumnParts::planned_bytes(*data.rows);
  const double proof = bytes_of_proof(data, shape.outputs);
  // Of several ranks each has its share as it was read and as it was moved, for a while; vectors
  // that grow are copied.
  const double as_read = static_cast<double>(data.rows->bytes()) * share;
  const double moving = is_divided ? as_read + statement.matrix_bytes : 0;
  const auto peak = [&](double planned) {
    return always + std::max(moving, at_once * std::max(training + planned, proof));
  };
  statement.peak_bytes = peak(plan.bytes);
  if (plan.bytes_after_guard > 0) statement.peak_after_guard = peak(std::max(plan.bytes, plan.bytes_after_guard));
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
