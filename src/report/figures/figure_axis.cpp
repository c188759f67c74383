#include "report/figures/figure_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geodescent::lab {
namespace {

constexpr int most_tics = 6;

/// Empty while low > high.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Range range_of(const Panel& panel, std::vector<double> Curve::*values, const Scale& scale) {
  Range range;
  for (const Curve& curve : panel.curves) {
    for (const double value : curve.*values) {
      if (!scale.drawable(value)) continue;
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  }
  return range;
}

/// Widens an empty or single-point range, because an axis needs two different ends.
Range widened(Range range, bool logarithmic) {
  if (range.low > range.high) return logarithmic ? Range{1.0, 10.0} : Range{0.0, 1.0};
  if (range.low < range.high) return range;
  const double centre = range.low;
  if (logarithmic) return {centre / 3.0, centre * 3.0};
  const double half = centre == 0.0 ? 1.0 : std::abs(centre) / 2.0;
  return {centre - half, centre + half};
}

/// The smallest of 1, 2, 5, 10, 20, ... times a power of ten that gives at most most_tics pieces.
double nice_step(double length) {
  const double power = std::pow(10.0, std::floor(std::log10(length / most_tics)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (length / (factor * power) <= most_tics) return factor * power;
  }
  return 10.0 * power;
}

/// Whether a tic lies on the axis. Tics on the ends count, with slack for rounding.
bool inside(const Scale& scale, double value) {
  const double position = scale.position(value);
  return position > -1e-9 && position < 1.0 + 1e-9;
}

void add_linear_tics(Scale& scale) {
  const double step = nice_step(scale.high - scale.low);
  for (double k = std::ceil(scale.low / step - 1e-9); k * step <= scale.high + 1e-9 * step; k += 1.0) {
    scale.tics.push_back({k * step + 0.0, false});  // never -0
  }
}

/// Adds every decade, or every second, third, ... one if there are many.
void add_decades(Scale& scale) {
  const int first = static_cast<int>(std::ceil(std::log10(scale.low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(scale.high) + 1e-9));
  const int stride = (last - first) / most_tics + 1;
  const bool power = first < -2 || last > 3;
  for (int k = first; k <= last; ++k) {
    if (k % stride == 0) {
      scale.tics.push_back({std::pow(10.0, k), power});
    } else {
      scale.minor.push_back(std::pow(10.0, k));
    }
  }
  for (int k = first - 1; stride == 1 && k <= last; ++k) {
    for (int digit = 2; digit <= 9; ++digit) {
      const double value = digit * std::pow(10.0, k);
      if (inside(scale, value)) scale.minor.push_back(value);
    }
  }
}

/// For less than two decades powers of ten alone are too few tics.
void add_ones_twos_fives(Scale& scale) {
  for (double decade = std::pow(10.0, std::floor(std::log10(scale.low))); decade <= scale.high; decade *= 10.0) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (inside(scale, factor * decade)) scale.tics.push_back({factor * decade, false});
    }
  }
  if (scale.tics.size() >= 3) return;
  scale.tics.clear();
  add_linear_tics(scale);
}

void add_tics(Scale& scale) {
  if (!scale.logarithmic) {
    add_linear_tics(scale);
  } else if (std::log10(scale.high / scale.low) >= 1.9) {
    add_decades(scale);
  } else {
    add_ones_twos_fives(scale);
  }
}

/// Rounds the ends that the experiment has not set.
void round_outwards(Scale& scale, bool low_is_free, bool high_is_free) {
  double low = scale.low, high = scale.high;
  if (!scale.logarithmic) {
    const double step = nice_step(high - low);
    low = step * std::floor(low / step + 1e-9);
    high = step * std::ceil(high / step - 1e-9);
  } else if (std::log10(high / low) >= 1.5) {
    low = std::pow(10.0, std::floor(std::log10(low) + 1e-9));
    high = std::pow(10.0, std::ceil(std::log10(high) - 1e-9));
  }
  if (low_is_free) scale.low = low;
  if (high_is_free) scale.high = high;
}

Scale scale_for(const Panel& panel, const Axis& axis, std::vector<double> Curve::*values) {
  Scale scale;
  scale.logarithmic = axis.logarithmic;
  scale.reversed = axis.reversed;
  const bool least = axis.least && scale.drawable(*axis.least);
  const bool most = axis.most && scale.drawable(*axis.most);
  Range range = range_of(panel, values, scale);
  if (least) range.low = *axis.least;
  if (most) range.high = *axis.most;
  range = widened(range, scale.logarithmic);
  scale.low = range.low;
  scale.high = range.high;
  // A logarithmic x axis (time, passes) is not rounded, because an empty decade would waste width.
  const bool tight = scale.logarithmic && values == &Curve::x;
  round_outwards(scale, !least && !tight, !most && !tight);
  add_tics(scale);
  return scale;
}

struct Scientific {
  std::string mantissa;
  std::string exponent;  ///< empty: show the plain number
};

Scientific split(const Tic& tic) {
  if (tic.power) return {"", fmt::format("{}", std::lround(std::log10(tic.value)))};
  const std::string text = fmt::format("{:.6g}", tic.value);
  const std::size_t e = text.find('e');
  if (e == text.npos) return {text, ""};
  return {text.substr(0, e), fmt::format("{}", std::stoi(text.substr(e + 1)))};
}

std::string label(const Tic& tic, const std::string& exponent) {
  const Scientific number = split(tic);
  if (number.exponent.empty()) return number.mantissa;
  const bool bare = number.mantissa.empty() || number.mantissa == "1";
  return bare ? "10" + exponent : number.mantissa + "·10" + exponent;
}

}  // namespace

double Scale::position(double value) const {
  if (logarithmic) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

bool Scale::drawable(double value) const { return std::isfinite(value) && (!logarithmic || value > 0.0); }

Scale x_scale(const Panel& panel) { return scale_for(panel, panel.x, &Curve::x); }
Scale y_scale(const Panel& panel) { return scale_for(panel, panel.y, &Curve::y); }

std::string label_for_gnuplot(const Tic& tic) { return label(tic, "^{" + split(tic).exponent + "}"); }

std::string label_for_page(const Tic& tic) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string exponent;
  for (const char c : split(tic).exponent) exponent += c == '-' ? "⁻" : digits[c - '0'];
  return label(tic, exponent);
}

}  // namespace geodescent::lab
