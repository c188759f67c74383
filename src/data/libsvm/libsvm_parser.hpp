// LIBSVM text, fed in pieces of any size and handed on row by row. Internal to the library.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "data/libsvm/libsvm_lines.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent {

/// Receives one row: its label, its indices as they are in the file (increasing, 0- or 1-based),
/// its values. The spans are valid during the call only.
using LibsvmRowSink =
    std::function<void(double label, std::span<const std::uint32_t> indices, std::span<const double> values)>;

/// Rows and errors do not depend on the pieces. After an InputError the parser cannot be used.
class LibsvmParser {
 public:
  /// Errors call the file `name`.
  LibsvmParser(std::string name, const LibsvmOptions& options, LibsvmRowSink sink);
  LibsvmParser(const LibsvmParser&) = delete;  // the lines refer to the name
  LibsvmParser& operator=(const LibsvmParser&) = delete;

  /// The next piece of the text, at most least_line_limit bytes if lines are to be limited. Throws
  /// InputError ("file:line:column: reason; remedy").
  void feed(std::string_view piece);
  /// The end of the text: parses a last line without newline; throws InputError when there was no
  /// row at all.
  void finish();

  /// Fixes the base as it appears so far. In a file that looks 1-based, a later index 0 is then an
  /// error.
  void settle_base() { lines_.settle_base(); }

  /// The state so far; final after finish().
  bool zero_based() const { return lines_.zero_based(); }
  std::size_t columns() const { return columns_of(lines_.state(), options_); }

 private:
  void keep_unfinished(std::string_view part);
  void parse_unfinished();
  void parse(const char* begin, const char* end);

  std::string name_;
  LibsvmOptions options_;
  LibsvmRowSink sink_;
  LibsvmLines lines_;
  RowBuffer row_;
  std::string unfinished_;  ///< lines without an end so far, or too close to the end of the piece
};

}  // namespace geodescent
