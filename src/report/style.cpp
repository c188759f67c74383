#include "report/style.hpp"

#include <algorithm>
#include <array>

namespace geodescent::lab {
namespace {

struct Named {
  std::string_view name;
  Style style;
};

/// The methods of the library. Yellow of the Okabe-Ito palette is omitted, because thin yellow
/// lines on white are hard to see.
const std::vector<Named>& named_styles() {
  static const std::vector<Named> table = {
      {"geod", {"GeoD", "#0072B2", {}, 0, 2.2}},
      {"geod-fixed", {"GeoD, fixed steps", "#56B4E9", {6, 3}, 5, 1.5}},
      {"geod-memory", {"GeoD with memory", "#882255", {9, 3}, 3, 2.0}},
      {"ball", {"Ball method", "#CC79A7", {2, 2}, 7, 1.5}},
      {"sd", {"SD", "#E69F00", {8, 3, 2, 3}, 2, 1.5}},
      {"afg", {"AFG", "#009E73", {4, 2}, 4, 1.5}},
      {"afgwr", {"AFGwR", "#D55E00", {10, 3}, 1, 1.5}},
      {"lbfgs", {"L-BFGS", "#000000", {3, 1}, 6, 1.4}},
      {"lower bound", {"best possible", "#555555", {}, no_marker, 1.0}},
      {"theory", {"theory", "#8C8C8C", {1, 3}, no_marker, 1.5}},
      // The kept earlier points (bench balls).
      {"balls alone", {"balls alone", "#D55E00", {10, 3}, 1, 2.0}},
      {"directions alone", {"directions alone", "#009E73", {4, 2}, 4, 2.0}},
      {"balls and directions", {"balls and directions", "#882255", {9, 3}, 3, 2.0}},
      {"L-BFGS", {"L-BFGS with memory m", "#000000", {3, 1}, 6, 1.4}},
      // Programs (bench peers). geodescent has the style of its default method.
      {"geodescent", {"geodescent", "#882255", {}, 3, 2.2}},
      {"liblinear", {"liblinear", "#0072B2", {6, 3}, 0, 1.5}},
      {"scikit-learn", {"scikit-learn", "#E69F00", {8, 3, 2, 3}, 2, 1.5}},
      {"vw", {"vw", "#009E73", {2, 2}, 4, 1.5}},
      // Cross-validation: the mean and its uncertainty.
      {"held-out", {"mean over the folds", "#0072B2", {}, 0, 2.0}},
      {"held-out, more", {"one standard error more", "#56B4E9", {6, 3}, no_marker, 1.3}},
      {"held-out, less", {"one standard error less", "#56B4E9", {2, 2}, no_marker, 1.3}},
      {"chosen", {"chosen", "#D55E00", {8, 3, 2, 3}, no_marker, 1.3}},
  };
  return table;
}

/// Styles for other names. The colours differ from those above. The lengths of the three lists are
/// coprime, so names share all three properties only after 8 * 5 * 9 of them.
Style extra_style(std::size_t index) {
  static constexpr std::array<const char*, 8> colours = {"#332288", "#999933", "#44AA99", "#AA4499",
                                                         "#661100", "#6699CC", "#117733", "#DD7788"};
  static const std::array<std::vector<int>, 5> dashes = {{{3, 3}, {}, {7, 2}, {5, 2, 1, 2}, {10, 4}}};
  Style style;
  style.colour = colours[index % colours.size()];
  style.dash = dashes[index % dashes.size()];
  style.marker = static_cast<int>((index + 4) % 9);
  return style;
}

const Named* find_named(std::string_view name) {
  const auto found = std::ranges::find(named_styles(), name, &Named::name);
  return found == named_styles().end() ? nullptr : &*found;
}

}  // namespace

Style style_of(std::string_view method, std::size_t index) {
  if (const Named* const named = find_named(method)) return named->style;
  Style style = extra_style(index);
  const std::size_t colon = method.find(':');
  const Named* const base = colon == method.npos ? nullptr : find_named(method.substr(0, colon));
  style.label =
      base == nullptr ? std::string(method) : base->style.label + " (" + std::string(method.substr(colon + 1)) + ")";
  return style;
}

}  // namespace geodescent::lab
