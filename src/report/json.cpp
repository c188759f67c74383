#include "report/json.hpp"

#include <cmath>
#include <cstdint>

namespace geodescent::lab {
namespace {

struct AsJson {
  Json operator()(std::monostate) const { return ""; }
  Json operator()(const std::string& text) const { return text; }
  Json operator()(double number) const { return json_number(number); }
};

Json json_of(const Axis& axis) {
  Json json = {{"label", axis.label}, {"logarithmic", axis.logarithmic}, {"reversed", axis.reversed}};
  if (axis.least) json["least"] = json_number(*axis.least);
  if (axis.most) json["most"] = json_number(*axis.most);
  return json;
}

Json json_of(const Curve& c) {
  return {{"method", c.method}, {"steps", c.steps}, {"x", json_numbers(c.x)}, {"y", json_numbers(c.y)}};
}

/// The JSON of each element, in a list.
template <class Elements, class Convert>
Json list_of(const Elements& elements, Convert convert) {
  Json json = Json::array();
  for (const auto& element : elements) json.push_back(convert(element));
  return json;
}

Json json_of(const Panel& panel) {
  return {{"title", panel.title},
          {"x", json_of(panel.x)},
          {"y", json_of(panel.y)},
          {"curves", list_of(panel.curves, [](const Curve& c) { return json_of(c); })}};
}

Json json_of(const Figure& figure) {
  return {{"name", figure.name},
          {"title", figure.title},
          {"caption", figure.caption},
          {"panels", list_of(figure.panels, [](const Panel& p) { return json_of(p); })}};
}

Json json_of(const Stepper& stepper) {
  const auto frame = [](const Frame& f) { return Json{{"caption", f.caption}, {"svg", f.svg}}; };
  return {{"name", stepper.name},
          {"title", stepper.title},
          {"caption", stepper.caption},
          {"frames", list_of(stepper.frames, frame)}};
}

Json json_of(const Claim& c) {
  return {
      {"source", c.source}, {"statement", c.statement}, {"measured", c.measured}, {"verdict", to_string(c.verdict)}};
}

}  // namespace

Json json_number(double number) {
  constexpr double largest_exact = 9007199254740992.0;
  if (!std::isfinite(number)) return nullptr;
  if (std::trunc(number) == number && std::abs(number) <= largest_exact) return static_cast<std::int64_t>(number);
  return number;
}

Json json_numbers(std::span<const double> numbers) { return list_of(numbers, json_number); }

Json json_of(const Table& table) {
  const auto row = [](const std::vector<Entry>& entries) {
    return list_of(entries, [](const Entry& e) { return std::visit(AsJson{}, e); });
  };
  return {{"name", table.name},
          {"title", table.title},
          {"caption", table.caption},
          {"columns", table.columns},
          {"upper_bounds", table.upper_bounds},
          {"lower_bounds", table.lower_bounds},
          {"rows", list_of(table.rows, row)}};
}

Json json_of(const Report& report) {
  Json facts = Json::object();
  for (const auto& [name, value] : report.facts) facts[name] = value;
  return {{"experiment", report.name},
          {"title", report.title},
          {"lead", report.lead},
          {"warnings", report.warnings},
          {"facts", facts},
          {"figures", list_of(report.figures, [](const Figure& f) { return json_of(f); })},
          {"steppers", list_of(report.steppers, [](const Stepper& s) { return json_of(s); })},
          {"claims", list_of(report.claims, [](const Claim& c) { return json_of(c); })},
          {"tables", list_of(report.tables, [](const Table& t) { return json_of(t); })}};
}

std::string json_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace geodescent::lab
