// The results of an experiment as data: figures, tables, claims. Each experiment makes one Report;
// writing it as pictures, tables and a page is the same for all of them.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace geodescent::lab {

/// One line in a panel, drawn over those before it. A point whose y is infinite (not solved) is not
/// drawn: the curve ends before it.
struct Curve {
  std::string method;  ///< whose curve: its colour, dash and marker (style.hpp), its name in the legend
  std::vector<double> x;
  std::vector<double> y;
  bool steps = false;       ///< y stays until the next x (performance profiles)
  bool all_marked = false;  ///< every point has a marker, where otherwise about ten have one
};

struct Axis {
  std::string label;
  bool logarithmic = false;
  bool reversed = false;  ///< the largest value on the left, as accuracies are read
  std::optional<double> least = {};
  std::optional<double> most = {};
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
};

/// Panels side by side, with one legend.
struct Figure {
  std::string name;  ///< of its files: figures/<name>.svg and .pdf; letters, digits, '-', '_' and '.'
  std::string title;
  std::string caption;  ///< what is drawn, and what a curve that ends means
  std::vector<Panel> panels;
};

/// A cell of a table. An infinite number means "not reached": "inf" in CSV, null in JSON, "not
/// reached" in the page. A missing value (nothing measured) is std::monostate: empty everywhere.
using Entry = std::variant<std::monostate, std::string, double>;

struct Table {
  std::string name;  ///< of its file: <name>.csv; letters, digits, '-', '_' and '.'
  std::string title;
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<Entry>> rows;
  bool in_page = true;  ///< large tables are files only
  /// Columns of upper and of lower bounds: where they are shown in fewer digits, they are rounded
  /// up and down.
  std::vector<std::string> upper_bounds = {}, lower_bounds = {};
};

enum class Verdict { holds, holds_in_part, does_not_hold, not_measured };

/// A statement of the paper that can be checked, and what came out.
struct Claim {
  std::string source;     ///< "section 4.1"
  std::string statement;  ///< in our words
  std::string measured;   ///< the numbers
  Verdict verdict = Verdict::not_measured;
};

/// Pictures to be leafed through in the page.
struct Frame {
  std::string caption;
  std::string svg;  ///< a complete <svg> element; shown as a picture by itself, on white
};
struct Stepper {
  std::string name;
  std::string title;
  std::string caption;
  std::vector<Frame> frames;
};

struct Report {
  std::string name;  ///< of the experiment: "paper", "worst-case", "run", "geometry"
  std::string title;
  std::string lead;                                        ///< one paragraph: what was done
  std::vector<std::string> warnings;                       ///< what a reader must know first (missing data, stand-ins)
  std::vector<std::pair<std::string, std::string>> facts;  ///< date, command, machine, version, ...
  std::vector<Figure> figures;
  std::vector<Stepper> steppers;
  std::vector<Claim> claims;
  std::vector<Table> tables;
};

/// Of a statement made at `all` points: holds at all of them, in part at half.
Verdict judged(std::size_t holding, std::size_t all);
/// "holds", "holds in part", "does not hold", "not measured"
std::string to_string(Verdict verdict);

/// The files that were written, and why others were not.
struct Written {
  std::vector<std::string> files;  ///< relative to the folder
  std::string figures_missing;     ///< why there are no figures (gnuplot is not installed); empty when there are
};

/// Writes into `folder` (made if need be): <table>.csv for each table, claims.csv if there are
/// claims, report.json (everything), figures/<figure>.svg and .pdf by gnuplot, and at last
/// report.html, one page that needs nothing else. Each file appears whole or not at all; tables and
/// figures of an earlier report that this one does not have go, and no file of anybody else. Throws
/// InputError when a file cannot be written, one by its name is not of an earlier report, or
/// gnuplot fails (before anything is written), std::invalid_argument when a name is no name of a
/// file or is there twice.
Written write_report(const Report& report, const std::string& folder);
/// The same question before the work: throws InputError where one of these files is there and of no
/// earlier report.
void require_report_place(const std::string& folder, const std::vector<std::string>& names);

}  // namespace geodescent::lab
