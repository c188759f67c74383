#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <geodescent/error.hpp>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include "files/output_file.hpp"

#include "report/csv.hpp"
#include "report/figures/figure.hpp"
#include "report/figures/gnuplot.hpp"
#include "report/json.hpp"
#include "report/page/page.hpp"

namespace geodescent::lab {
namespace {

struct File {
  std::string name;  ///< relative to the report's folder
  std::string text;
};

/// Whether the name of a table or figure is valid as a file name.
bool plain(std::string_view name) {
  if (name.starts_with("figures/")) name.remove_prefix(8);
  return !name.starts_with('.') && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
}

void check_names(const std::vector<File>& files) {
  std::set<std::string> names;
  for (const File& file : files) {
    if (!plain(file.name)) throw std::invalid_argument("a report has a file of the name '" + file.name + "'");
    if (!names.insert(file.name).second) throw std::invalid_argument("a report has two files '" + file.name + "'");
  }
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  throw InputError(
      fmt::format("{}: cannot make the folder: {}; name one that you may write to", folder.string(), error.message()));
}

void write(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

/// The files of the tables and figures of a report in JSON.
std::set<std::string> files_with(const Json& report) {
  std::set<std::string> names;
  const auto add = [&](const char* list, const std::string& before, const std::string& after) {
    if (!report.is_object() || !report.contains(list)) return;
    for (const Json& item : report[list])
      if (item.is_object() && item.contains("name") && item["name"].is_string())
        names.insert(before + item["name"].get<std::string>() + after);
  };
  add("tables", "", ".csv");
  add("figures", "figures/", ".svg");
  add("figures", "figures/", ".pdf");
  return names;
}

/// The earlier report in the folder. Not an object if there is none, or if the file is something
/// else.
Json earlier_report(const std::filesystem::path& folder) {
  std::ifstream file(folder / "report.json");
  Json report = Json::parse(file, nullptr, false);
  const bool ours = report.is_object() && report.contains("experiment") && report.contains("tables");
  return ours ? report : Json();
}

/// Throws InputError if a file exists that no earlier report has written: it may be the user's data
/// or model.
void require_own(const std::filesystem::path& folder, const std::vector<std::string>& names, const Json& earlier) {
  std::set<std::string> own = files_with(earlier);
  if (earlier.is_object()) own.insert({"report.json", "report.html"});
  if (earlier.is_object() && !earlier.value("claims", Json::array()).empty()) own.insert("claims.csv");
  std::error_code error;
  for (const std::string& name : names)
    if (!own.contains(name) && std::filesystem::exists(folder / name, error))
      throw InputError(fmt::format("{}: exists and is not a file of an earlier report; choose another folder",
                                   (folder / name).string()));
}

/// Draws the figures into `files`. Returns the SVG of each by name.
std::map<std::string, std::string> draw_figures(const std::vector<Figure>& figures, std::vector<File>& files) {
  const std::map<std::string, Style> styles = styles_for(methods_in(figures));
  std::map<std::string, std::string> pictures;
  for (const Figure& figure : figures) {
    const Drawing drawing = draw(figure, styles);
    std::string& svg = pictures[figure.name];
    svg = svg_by_gnuplot(drawing.script, drawing.width, drawing.height);
    files.push_back({"figures/" + figure.name + ".svg", svg});
    files.push_back({"figures/" + figure.name + ".pdf", pdf_by_gnuplot(drawing.script, drawing.width, drawing.height)});
  }
  return pictures;
}

}  // namespace

Verdict judged(std::size_t holding, std::size_t all) {
  if (all == 0) return Verdict::not_measured;
  if (holding == all) return Verdict::holds;
  return 2 * holding >= all ? Verdict::holds_in_part : Verdict::does_not_hold;
}

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::holds_in_part:
      return "holds in part";
    case Verdict::does_not_hold:
      return "does not hold";
    case Verdict::not_measured:
      return "not measured";
  }
  return "unknown";
}

void require_report_place(const std::string& folder, const std::vector<std::string>& names) {
  require_own(folder, names, earlier_report(folder));
}

Written write_report(const Report& report, const std::string& folder) {
  Written written;
  std::vector<File> files;
  std::map<std::string, std::string> pictures;
  const Json json = json_of(report);
  files.push_back({"report.json", json_text(json) + "\n"});  // first, because it lists the others if writing them fails
  for (const Table& table : report.tables) files.push_back({table.name + ".csv", csv_of(table)});
  if (!report.claims.empty()) files.push_back({"claims.csv", csv_of(report.claims)});
  if (report.figures.empty() || gnuplot_installed()) {
    pictures = draw_figures(report.figures, files);
  } else {
    written.figures_missing = gnuplot_remedy();
  }
  check_names(files);
  for (const File& file : files) written.files.push_back(file.name);
  // The page is written last: if it exists, the report is complete.
  files.push_back({"report.html", page_of(report, pictures, written.files)});
  written.files.push_back("report.html");

  make_folder(folder);
  const Json before = earlier_report(folder);
  require_own(folder, written.files, before);
  const std::set<std::string> earlier = files_with(before), now = files_with(json);
  if (!pictures.empty()) make_folder(std::filesystem::path(folder) / "figures");
  // A stale table beside the new report would be taken as part of it.
  std::error_code ignored;
  for (const std::string& name : earlier)
    if (!now.contains(name) && plain(name)) std::filesystem::remove(std::filesystem::path(folder) / name, ignored);
  for (const File& file : files) write((std::filesystem::path(folder) / file.name).string(), file.text);
  return written;
}

}  // namespace geodescent::lab
