#include "report/figures/figure_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace geodescent::lab {
namespace {

constexpr std::size_t few = 2000;  // points up to which nothing is left out
constexpr double columns = 500.0;  // of a longer curve, each column of the picture keeps at most four points
constexpr double markers = 10.0;   // a curve, about
constexpr double gap = std::numeric_limits<double>::quiet_NaN();

struct Point {
  double x, y;
};

/// The points that can be drawn, with one gap wherever some in between cannot.
std::vector<Point> drawable_points(const Curve& curve, const Scale& x, const Scale& y) {
  std::vector<Point> points;
  bool interrupted = false;
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (!x.drawable(curve.x[i]) || !y.drawable(curve.y[i])) {
      interrupted = !points.empty();
      continue;
    }
    if (interrupted) points.push_back({curve.x[i], gap});
    interrupted = false;
    points.push_back({curve.x[i], curve.y[i]});
  }
  return points;
}

/// Of the points in one column of the picture: the first, the lowest, the highest, the last, and
/// the gaps. The line through them covers the same pixels.
void keep_extremes(const std::vector<Point>& points, std::size_t begin, std::size_t end, std::vector<Point>& kept) {
  std::size_t low = begin, high = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isnan(points[low].y) || points[i].y < points[low].y) low = i;
    if (std::isnan(points[high].y) || points[i].y > points[high].y) high = i;
  }
  for (std::size_t i = begin; i < end; ++i) {
    const bool extreme = i == begin || i == low || i == high || i + 1 == end;
    if (extreme || std::isnan(points[i].y)) kept.push_back(points[i]);
  }
}

std::vector<Point> thinned(const std::vector<Point>& points, const Scale& x) {
  if (points.size() <= few) return points;
  const auto column = [&](const Point& p) { return std::floor(columns * x.position(p.x)); };
  std::vector<Point> kept;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= points.size(); ++i) {
    if (i < points.size() && column(points[i]) == column(points[begin])) continue;
    keep_extremes(points, begin, i, kept);
    begin = i;
  }
  return kept;
}

/// Markers at about equal distances along the axis, for any density of the points, and the last
/// point has one: it is where the method stopped.
std::vector<std::size_t> marked_evenly(const std::vector<Point>& points, const Scale& x, double shift) {
  std::vector<std::size_t> result;
  double place = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double here = std::floor(markers * x.position(points[i].x) - shift);
    if (std::isnan(points[i].y) || here == place) continue;
    place = here;
    result.push_back(i);
  }
  if (!points.empty() && (result.empty() || result.back() + 1 != points.size())) result.push_back(points.size() - 1);
  return result;
}

std::vector<std::size_t> all_marked(const std::vector<Point>& points) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!std::isnan(points[i].y)) result.push_back(i);
  return result;
}

}  // namespace

DrawnCurve drawn(const Curve& curve, const Scale& x, const Scale& y, std::size_t which) {
  const std::vector<Point> points = thinned(drawable_points(curve, x, y), x);
  DrawnCurve result;
  for (const Point& point : points) {
    result.x.push_back(point.x);
    result.y.push_back(point.y);
  }
  // Multiples of the golden ratio spread evenly.
  const double golden = 0.6180339887498949 * static_cast<double>(which);
  result.markers = curve.all_marked ? all_marked(points) : marked_evenly(points, x, golden - std::floor(golden));
  return result;
}

}  // namespace geodescent::lab
