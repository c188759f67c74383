#include "report/page/page_data.hpp"

#include "report/figures/figure.hpp"
#include "report/figures/figure_axis.hpp"
#include "report/figures/figure_points.hpp"

namespace geodescent::lab {
namespace {

Json style_json(const std::string& method, const Style& style) {
  return {{"name", method},     {"label", style.label},   {"colour", style.colour},
          {"dash", style.dash}, {"marker", style.marker}, {"width", style.width}};
}

Json axis_json(const Axis& axis, const Scale& scale) {
  Json values = Json::array(), labels = Json::array();
  for (const Tic& tic : scale.tics) {
    values.push_back(tic.value);
    labels.push_back(label_for_page(tic));
  }
  return {{"label", axis.label},        {"logarithmic", scale.logarithmic},
          {"reversed", scale.reversed}, {"low", scale.low},
          {"high", scale.high},         {"tics", values},
          {"ticLabels", labels}};
}

Json panel_json(const Panel& panel) {
  const Scale x = x_scale(panel), y = y_scale(panel);
  Json curves = Json::array();
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const DrawnCurve points = drawn(panel.curves[i], x, y, i);
    curves.push_back({{"method", panel.curves[i].method},
                      {"steps", panel.curves[i].steps},
                      {"x", json_numbers(points.x)},
                      {"y", json_numbers(points.y)},
                      {"markers", points.markers}});
  }
  return {{"title", panel.title}, {"x", axis_json(panel.x, x)}, {"y", axis_json(panel.y, y)}, {"curves", curves}};
}

Json figure_json(const Figure& figure, const std::map<std::string, std::string>& pictures) {
  Json panels = Json::array();
  for (const Panel& panel : figure.panels) panels.push_back(panel_json(panel));
  const auto picture = pictures.find(figure.name);
  return {{"name", figure.name},
          {"title", figure.title},
          {"caption", figure.caption},
          {"svg", picture == pictures.end() ? "" : picture->second},
          {"panels", panels}};
}

}  // namespace

Json page_data(const Report& report, const std::map<std::string, std::string>& pictures) {
  Report rest = report;
  rest.figures.clear();
  std::erase_if(rest.tables, [](const Table& table) { return !table.in_page; });
  Json data = json_of(rest);

  data["methods"] = Json::array();
  const std::vector<std::string> methods = methods_in(report.figures);
  const std::map<std::string, Style> styles = styles_for(methods);
  for (const std::string& method : methods) data["methods"].push_back(style_json(method, styles.at(method)));
  for (const Figure& figure : report.figures) data["figures"].push_back(figure_json(figure, pictures));
  return data;
}

}  // namespace geodescent::lab
