#include "report/csv.hpp"

#include <fmt/format.h>

#include <span>
#include <string_view>

namespace geodescent::lab {
namespace {

std::string in_quotes(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

struct AsText {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const std::string& text) const { return in_quotes(text); }
  std::string operator()(double number) const { return fmt::format("{}", number); }
};

void append_line(std::string& csv, std::span<const std::string> cells) {
  csv += fmt::format("{}\n", fmt::join(cells, ","));
}

}  // namespace

std::string csv_of(const Table& table) {
  std::vector<std::string> cells;
  for (const std::string& column : table.columns) cells.push_back(in_quotes(column));
  std::string csv;
  append_line(csv, cells);
  for (const std::vector<Entry>& row : table.rows) {
    cells.clear();
    for (const Entry& entry : row) cells.push_back(std::visit(AsText{}, entry));
    append_line(csv, cells);
  }
  return csv;
}

std::string csv_of(const std::vector<Claim>& claims) {
  Table table;
  table.columns = {"source", "statement", "measured", "verdict"};
  for (const Claim& c : claims) table.rows.push_back({c.source, c.statement, c.measured, to_string(c.verdict)});
  return csv_of(table);
}

}  // namespace geodescent::lab
