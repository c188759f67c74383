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
  std::string text;
  switch (plan.along) {
    case Directions::newton:
      text = "Newton's directions";
      break;
    case Directions::quasi_newton:
      text = "quasi-Newton directions";
      break;
    default:
      text = counted(plan.directions, "direction");
  }
  if (plan.pairs > 0) text += ", " + counted(plan.pairs, "pair");
  return text + " and " + counted(plan.balls + 1, "ball");  // with the one around all
}

}  // namespace

MemoryStatement memory_statement(const Dataset& data, const LinearRisk& f, MethodSettings settings) {
  settings.dual = true;  // for the certificate
  const std::unique_ptr<Oracle> oracle = f.oracle(), rows = oracle->row_form({});
  const Facts& space = (rows ? rows : oracle)->facts();  // where a run takes place
  MemoryStatement statement = memory_statement(data, plan_memory(space, settings));
  if (statement.plan.along == Directions::newton) {
    const MemoryStatement hard = memory_statement(data, plan_after_newton(space, settings));
    statement.peak_after_newton = std::max(statement.peak_bytes, hard.peak_bytes);
  }
  return statement;
}

MemoryStatement memory_statement(const Dataset& data, const Memory& plan) {
  MemoryStatement statement{.plan = plan, .matrix_bytes = static_cast<double>(data.rows->bytes())};
  // Targets, signs and the dual point; weights, the best ones and those of the certificate.
  const double vectors = 32 * static_cast<double>(data.rows->rows()) + 24 * static_cast<double>(data.rows->columns());
  const double program = program_bytes + thread_bytes * std::max(0, threads() - 2);
  statement.peak_bytes = statement.matrix_bytes * (1 + buffers_of_matrix) + plan.bytes + vectors + program;
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
  if (s.peak_after_newton > s.peak_bytes)
    text += fmt::format("; at most {} if they do not lead to the minimum", size_text(s.peak_after_newton));
  return text;
}

nlohmann::ordered_json json_of(const MemoryStatement& s) {
  return {{"along", name_of(s.plan.along)},
          {"directions", s.plan.directions},
          {"pairs", s.plan.pairs},
          {"balls", s.plan.balls},
          {"matrix_bytes", static_cast<std::uint64_t>(s.matrix_bytes)},
          {"method_bytes", static_cast<std::uint64_t>(s.plan.bytes)},
          {"peak_bytes", static_cast<std::uint64_t>(s.peak_bytes)},
          {"peak_bytes_after_newton", s.peak_after_newton > 0
                                          ? nlohmann::ordered_json(static_cast<std::uint64_t>(s.peak_after_newton))
                                          : nlohmann::ordered_json(nullptr)}};
}

}  // namespace geodescent::cli
