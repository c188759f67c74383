// The output of an experiment: its folder and its summary.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/text/outward_text.hpp"
#include "bench/bench.hpp"
#include "common/options/options.hpp"
#include "common/output.hpp"
#include "files/output_file.hpp"
#include "geodescent/error.hpp"
#include "journal/machine.hpp"

namespace geodescent::cli {
namespace {

namespace fs = std::filesystem;

std::string summary_of(const lab::Report& report, const lab::Written& written, const std::string& folder) {
  std::string text;
  for (const lab::Claim& claim : report.claims) {
    text += fmt::format("{}: {}\n  {}\n", lab::to_string(claim.verdict), claim.statement, claim.measured);
  }
  for (const std::string& warning : report.warnings) text += fmt::format("warning: {}\n", one_line(warning));
  if (!written.figures_missing.empty()) text += fmt::format("no figures: {}\n", written.figures_missing);
  return text + fmt::format("{} files written, start with {}\n", written.files.size(),
                            one_line((fs::path(folder) / "report.html").string()));
}

}  // namespace

void add_bench_output(Command& app, BenchOutput& output) {
  app.start_group("Output");
  add_text(app,
           {"--out", "DIR", fmt::format("folder for the results, created if necessary (default {})", output.folder)},
           output.folder);
  add_switch(app, "-q,--quiet", output.quiet, "no progress and no report; errors remain");
}

void require_folder(const std::string& folder, std::string_view option) {
  const auto refuse = [&](const std::string& reason) {
    throw InputError(fmt::format("{}: cannot write: {}; name another folder with {}", folder, reason, option));
  };
  if (folder.empty()) throw UsageError(fmt::format("{} needs the name of a folder", option));
  std::error_code error;
  fs::path existing = fs::absolute(folder, error);
  while (!fs::exists(existing, error) && existing.has_relative_path()) existing = existing.parent_path();
  if (!fs::is_directory(existing, error)) refuse(fmt::format("'{}' is not a folder", existing.string()));
  if (::access(existing.c_str(), W_OK | X_OK) != 0) refuse(std::generic_category().message(errno));
}

std::string text_of(const lab::Table& table) {
  const auto is_one_of = [&](const std::vector<std::string>& columns, std::size_t column) {
    return std::ranges::find(columns, table.columns[column]) != columns.end();
  };
  const auto word = [&](const lab::Entry& entry, std::size_t column) -> std::string {
    if (const auto* text = std::get_if<std::string>(&entry)) return one_line(*text);
    const auto* number = std::get_if<double>(&entry);
    if (number == nullptr) return "";
    if (is_one_of(table.upper_bounds, column)) return text_above(*number, 6);
    if (is_one_of(table.lower_bounds, column)) return text_below(*number, 6);
    return fmt::format("{:.6g}", *number);
  };
  std::vector<std::vector<std::string>> lines = {table.columns};
  for (const auto& row : table.rows) {
    lines.emplace_back();
    for (std::size_t k = 0; k < row.size(); ++k) lines.back().push_back(word(row[k], k));
  }
  std::vector<std::size_t> widths(table.columns.size());
  for (const auto& line : lines)
    for (std::size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], line[k].size());
  std::string text = table.title + "\n";
  for (const auto& line : lines) {
    text += fmt::format("{:<{}}", line[0], widths[0]);
    for (std::size_t k = 1; k < line.size(); ++k) text += fmt::format("  {:>{}}", line[k], widths[k]);
    text += '\n';
  }
  return text;
}

void write_bench(lab::Report report, const BenchOutput& output, const std::vector<lab::PictureFile>& pictures) {
  std::vector<std::pair<std::string, std::string>> facts = lab::machine_facts();
  facts.emplace_back("command", lab::command_line());
  report.facts.insert(report.facts.begin(), facts.begin(), facts.end());
  lab::Written written = lab::write_report(report, output.folder);
  const fs::path figures = fs::path(output.folder) / "figures";
  std::error_code ignored;  // the first file that is written reports the problem with the folder
  if (!pictures.empty()) fs::create_directories(figures, ignored);
  for (const lab::PictureFile& picture : pictures) {
    OutputFile file((figures / picture.name).string());
    file.write(picture.text);
    file.commit();
    written.files.push_back("figures/" + picture.name);
  }
  if (!output.quiet) print_out(summary_of(report, written, output.folder));
}

}  // namespace geodescent::cli
