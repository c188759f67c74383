#include "support/report/sample_report.hpp"

#include <cmath>

namespace geodescent::lab {
namespace {

constexpr double not_reached = std::numeric_limits<double>::infinity();
const std::vector<std::string> methods = {"geod",  "geod-fixed", "ball",        "sd",    "afg",
                                          "afgwr", "lbfgs",      "geod-memory", "theory"};

/// A gap that falls from 1 to 1e-12 by a constant factor per pass.
Curve falling(const std::string& method, double rate, std::size_t length) {
  Curve curve{method, {}, {}, false};
  for (std::size_t k = 0; k < length; ++k) {
    const double wiggle = 1.0 + 0.3 * std::sin(0.7 * static_cast<double>(k));
    curve.x.push_back(static_cast<double>(k + 1));
    curve.y.push_back(std::max(1e-12, wiggle * std::exp(-rate * static_cast<double>(k))));
  }
  return curve;
}

/// The passes to reach accuracies from 1e-1 to 1e-8; the last ones are not reached.
Curve needed(const std::string& method, double each, int reached) {
  Curve curve{method, {}, {}, false};
  for (int k = 1; k <= 8; ++k) {
    curve.x.push_back(std::pow(10.0, -k));
    curve.y.push_back(k <= reached ? std::round(each * std::pow(k, 1.4)) : not_reached);
  }
  return curve;
}

Figure convergence() {
  Panel left{"a9a, γ = 1e-4", {"passes over the data", true}, {"relative gap", true}, {}};
  Panel right{"passes to an accuracy", {"relative accuracy", true, true}, {"passes over the data", true}, {}};
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const double place = static_cast<double>(i);
    left.curves.push_back(falling(methods[i], 0.5 / (1.0 + 1.5 * place), i == 3 ? 5000 : 300));
    if (methods[i] != "theory") right.curves.push_back(needed(methods[i], 3.0 + 7.0 * place, i == 3 ? 4 : 8));
  }
  return {"convergence",
          "Convergence on a9a",
          "The gap after each pass; the curve of a method that did not reach an accuracy ends.",
          {left, right}};
}

Figure profile() {
  Panel panel{"", {"slower than the best by a factor of", true}, {"share of problems", false, false, 0.0, 1.0}, {}};
  const std::vector<std::string> names = {"geod", "lbfgs", "lbfgs:memory=10", hostile};
  for (std::size_t i = 0; i < names.size(); ++i) {
    Curve curve{names[i], {}, {}, true};
    for (int k = 0; k < 9; ++k) {
      curve.x.push_back(std::pow(1.6 + 0.1 * static_cast<double>(i), k));
      curve.y.push_back(std::min(1.0, 0.4 - 0.1 * static_cast<double>(i) + 0.09 * k));
    }
    panel.curves.push_back(curve);
  }
  return {"profile", "Performance profile", "Share of problems solved within a factor of the best method.", {panel}};
}

Table large_table() {
  Table table{"runs", "All runs", "One line a run.", {"data", "method", "passes", "seconds", "note"}, {}, true};
  for (int k = 0; k < 3000; ++k) {
    const double passes = k % 7 == 3 ? not_reached : static_cast<double>((k * 7919) % 10007);
    const Entry note = k % 5 == 0 ? Entry{} : Entry{"note " + std::to_string(k)};
    table.rows.push_back({"data-" + std::to_string(k % 40), methods[static_cast<std::size_t>(k) % 8], passes,
                          0.001 * (k * 31 % 977), note});
  }
  return table;
}

Table small_table() {
  Table table{"summary", "Summary", "Text that tries to be more: " + hostile, {"method", "passes", hostile}, {}, true};
  table.rows = {{"geod", 12.0, hostile}, {"sd", not_reached, "plain"}, {"afg", 100.0, Entry{}}, {"lbfgs", 9.0, "x"}};
  return table;
}

Stepper geometry() {
  Stepper stepper{
      "balls", "Two balls and the one that encloses their intersection", "Leaf through the iterations.", {}};
  for (int k = 0; k < 5; ++k) {
    const std::string radius = std::to_string(90 - 15 * k);
    stepper.frames.push_back({"Iteration " + std::to_string(k) + ": radius " + radius,
                              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 200\">"
                              "<rect width=\"400\" height=\"200\" fill=\"#ffffff\"/>"
                              "<circle cx=\"200\" cy=\"100\" r=\"" +
                                  radius + "\" fill=\"none\" stroke=\"#0072B2\"/></svg>"});
  }
  return stepper;
}

}  // namespace

Report sample_report() {
  Report report;
  report.name = "sample";
  report.title = "A sample of everything";
  report.lead = "Nothing here was measured: the numbers are made up to try out every part of a report.";
  report.warnings = {"The data set rcv1 is missing; a stand-in of the same shape was used.", hostile};
  report.facts = {
      {"date", "2020-02-02"}, {"command", "geodescent bench sample"}, {"machine", "none"}, {"hostile", hostile}};
  report.figures = {convergence(), profile()};
  report.steppers = {geometry()};
  report.claims = {{"section 4.1", "GeoD is not slower than AFG.", "12 of 12 problems", Verdict::holds},
                   {"section 4.2", "GeoD is close to L-BFGS.", "8 of 12 problems", Verdict::holds_in_part},
                   {"section 4.3", "SD is fast.", "not once", Verdict::does_not_hold},
                   {"section 5", hostile, "", Verdict::not_measured}};
  Table hidden = large_table();
  hidden.name = "hidden";
  hidden.in_page = false;
  report.tables = {small_table(), large_table(), hidden};
  return report;
}

}  // namespace geodescent::lab
