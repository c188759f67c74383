// Lines are parsed where they lie; those at the end of a piece are copied, to join them with the
// next piece and to have padding behind them.
#include "data/libsvm/libsvm_parser.hpp"

#include <utility>

#include "data/text/digits.hpp"
#include "data/text/line_limit.hpp"

namespace geodescent {

LibsvmParser::LibsvmParser(std::string name, const LibsvmOptions& options, LibsvmRowSink sink)
    : name_(std::move(name)), options_(options), sink_(std::move(sink)), lines_(name_, options) {}

void LibsvmParser::feed(std::string_view piece) {
  if (!unfinished_.empty()) {
    const std::size_t newline = piece.find('\n');
    if (newline == std::string_view::npos) return keep_unfinished(piece);
    append_piece(unfinished_, piece.substr(0, newline), lines_.line_limit());
    if (unfinished_.size() > lines_.line_limit()) lines_.refuse_next_line();
    unfinished_ += '\n';
    piece.remove_prefix(newline + 1);
    parse_unfinished();
  }
  if (piece.size() > text_padding) {
    const std::size_t last = piece.rfind('\n', piece.size() - text_padding - 1);
    if (last != std::string_view::npos) {
      parse(piece.data(), piece.data() + last + 1);
      piece.remove_prefix(last + 1);
    }
  }
  if (const std::size_t last = piece.rfind('\n'); last != std::string_view::npos) {
    unfinished_ = piece.substr(0, last + 1);
    piece.remove_prefix(last + 1);
    parse_unfinished();
  }
  keep_unfinished(piece);
}

void LibsvmParser::keep_unfinished(std::string_view part) {
  const std::size_t nul = part.find('\0');
  append_piece(unfinished_, part.substr(0, nul), lines_.line_limit());
  if (unfinished_.size() > lines_.line_limit()) lines_.refuse_next_line();
  if (nul == std::string_view::npos) return;
  // A NUL is always an error. Meeting it now, and not at the end of its line, ends endless input
  // such as /dev/zero.
  unfinished_.append("\0\n", 2);
  parse_unfinished();
}

void LibsvmParser::parse_unfinished() {
  const std::size_t size = unfinished_.size();
  unfinished_.append(text_padding, '\n');
  parse(unfinished_.data(), unfinished_.data() + size);
  unfinished_.clear();
}

void LibsvmParser::finish() {
  if (!unfinished_.empty()) {
    unfinished_.append(1 + text_padding, '\n');  // the newline that is missing, and padding
    const char* const end = unfinished_.data() + unfinished_.size() - text_padding;
    lines_.set_end_of_text(end - 1);
    parse(unfinished_.data(), end);
    unfinished_.clear();
  }
  require_rows(lines_.state(), name_);
}

void LibsvmParser::parse(const char* begin, const char* end) {
  row_.make_room(static_cast<std::size_t>(end - begin));
  for (const char* p = begin; p != end;) {
    p = lines_.parse_line(p, row_);
    if (row_.rows() == 0) continue;
    sink_(row_.targets()[0], row_.indices(), row_.values());
    row_.clear();
  }
}

}  // namespace geodescent
