#include "report/figures/figure_layout.hpp"

#include <algorithm>
#include <numeric>

#include "report/figures/figure_axis.hpp"

namespace geodescent::lab {
namespace {

constexpr int legend_row = 15;
constexpr int letter = 6;         // approximate width of a letter at 10 points
constexpr int legend_space = 24;  // between a name and the next sample
constexpr int below_panel = 42;   // tics and label of the x axis
constexpr int label_width = 28;
constexpr int right_margin = 18;  // half of the last number below the x axis

int columns_for(std::size_t panels) {
  if (panels == 4) return 2;
  return static_cast<int>(std::clamp<std::size_t>(panels, 1, 3));
}

/// Two panels fill the width of a printed page at its text size; three are slightly smaller.
int frame_width(int columns) { return columns == 1 ? 330 : columns == 2 ? 205 : 165; }
int frame_height(int columns) { return columns == 1 ? 200 : columns == 2 ? 160 : 140; }

bool same_y_label(const Figure& figure) {
  return std::ranges::all_of(figure.panels, [&](const Panel& p) { return p.y.label == figure.panels[0].y.label; });
}

/// The width of the tic labels left of a panel.
int tics_width(const Panel& panel) {
  int widest = 3 * letter;
  for (const Tic& tic : y_scale(panel).tics) widest = std::max(widest, text_width(label_for_page(tic)));
  return widest + 8;
}

/// The largest such width of a column, so that its panels are aligned.
int tics_width(const Figure& figure, std::size_t column, std::size_t columns) {
  int widest = 0;
  for (std::size_t i = column; i < figure.panels.size(); i += columns) {
    widest = std::max(widest, tics_width(figure.panels[i]));
  }
  return widest;
}

/// The widths of the legend's columns if its names are arranged in `columns` columns.
std::vector<int> column_widths(const std::vector<std::string>& legend, std::size_t columns) {
  std::vector<int> widths(columns, 0);
  for (std::size_t i = 0; i < legend.size(); ++i) {
    int& width = widths[i % columns];
    width = std::max(width, sample_width + text_width(legend[i]) + legend_space);
  }
  return widths;
}

int sum(const std::vector<int>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0); }

/// Places as many names per row as fit, evenly distributed and centred. Returns the height of the
/// legend.
int place_legend(Layout& layout, const std::vector<std::string>& legend) {
  const std::size_t count = std::max<std::size_t>(1, legend.size());
  std::size_t columns = count;
  while (columns > 1 && sum(column_widths(legend, columns)) > layout.width) --columns;
  const std::size_t rows = (count + columns - 1) / columns;
  columns = (count + rows - 1) / rows;
  const std::vector<int> widths = column_widths(legend, columns);
  const int left = std::max(4, (layout.width - sum(widths) + legend_space) / 2);
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const auto before = widths.begin() + static_cast<std::ptrdiff_t>(i % columns);
    const int row = static_cast<int>(rows - 1 - i / columns);
    layout.legend.push_back({std::accumulate(widths.begin(), before, left), row * legend_row + legend_row / 2 + 2});
  }
  return static_cast<int>(rows) * legend_row + 6;
}

}  // namespace

int text_width(const std::string& text) {
  // Counts characters: continuation bytes of UTF-8 are skipped.
  return letter * static_cast<int>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

Layout lay_out(const Figure& figure, const std::vector<std::string>& legend) {
  const int count = static_cast<int>(figure.panels.size());
  const int columns = columns_for(figure.panels.size());
  const int rows = (count + columns - 1) / columns;
  const bool titled = std::ranges::any_of(figure.panels, [](const Panel& p) { return !p.title.empty(); });
  const bool once = same_y_label(figure);
  const int frame = frame_width(columns);
  const int row_height = frame_height(columns) + below_panel + (titled ? 22 : 10);

  Layout layout;
  std::vector<int> lefts;
  for (int column = 0; column < columns; ++column) {
    const int tics = tics_width(figure, static_cast<std::size_t>(column), static_cast<std::size_t>(columns));
    layout.width += tics + (column == 0 || !once ? label_width : 0);
    lefts.push_back(layout.width);
    layout.width += frame + right_margin;
  }
  const int legend_height = place_legend(layout, legend);
  layout.height = legend_height + rows * row_height;
  for (int i = 0; i < count; ++i) {
    const int left = lefts[static_cast<std::size_t>(i % columns)];
    const int bottom = legend_height + (rows - 1 - i / columns) * row_height + below_panel;
    layout.panels.push_back({left, left + frame, bottom, bottom + frame_height(columns), !once || i % columns == 0});
  }
  return layout;
}

}  // namespace geodescent::lab
