#include "data/text/line_limit.hpp"

namespace geodescent {

void append_piece(std::string& line, std::string_view piece, std::size_t line_limit) {
  const std::size_t needed = line.size() + piece.size();
  const std::size_t most = line_limit + least_line_limit;  // the last piece of a line has the start of the next one
  if (needed > line.capacity()) line.reserve(std::max(needed, std::min(2 * line.capacity(), most)));
  line.append(piece);
}

}  // namespace geodescent
