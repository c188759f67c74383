// How long a line of text may be. Internal to the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace geodescent {

/// Lines of this length are always read. Text comes in shorter pieces, so only a line that spans
/// several pieces can be too long.
inline constexpr std::size_t least_line_limit = 1'000'000;
/// The largest limit: no memory holds a longer line, and sums with it do not overflow.
inline constexpr std::size_t largest_line_limit = std::numeric_limits<std::size_t>::max() / 4;

inline std::size_t effective_line_limit(std::size_t wanted) {
  return std::clamp(wanted, least_line_limit, largest_line_limit);
}

/// Appends the next piece of a line. The capacity stays below the longest line and the bytes behind
/// it; doubling it would allocate up to twice as much.
void append_piece(std::string& line, std::string_view piece, std::size_t line_limit);

}  // namespace geodescent
