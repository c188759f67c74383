// LIBSVM text, fed in pieces of any size and handed on row by row. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geodescent/libsvm.hpp"

namespace geodescent {

/// Receives one row: its label, its indices as they are in the file (increasing, 0- or 1-based), its values. The spans
/// are valid during the call only.
using LibsvmRowSink =
    std::function<void(double label, std::span<const std::uint32_t> indices, std::span<const double> values)>;

/// Rows and errors do not depend on where the text is cut into pieces. After an InputError the parser is spent.
class LibsvmParser {
 public:
  /// `name` stands for the file in errors.
  LibsvmParser(std::string name, const LibsvmOptions& options, LibsvmRowSink sink);

  /// The next piece of the text. Throws InputError ("file:line:column: reason; remedy").
  void feed(std::string_view piece);
  /// The end of the text: parses a last line without newline; throws InputError when there was no row at all.
  void finish();

  /// From now on the base is what it seems to be: an index 0 in a file that looks 1-based becomes an error.
  void settle_base() {
    if (base_ == IndexBase::automatic) base_ = zero_based_ ? IndexBase::zero : IndexBase::one;
  }

  /// What is known so far; final after finish().
  std::uint64_t rows() const { return rows_; }
  bool zero_based() const { return zero_based_; }
  /// The number of columns: `features` where it was given, else what the largest index needs.
  std::size_t columns() const;

 private:
  void keep_unfinished(std::string_view part);
  void parse_lines(const char* p, const char* end);
  const char* parse_line(const char* line);
  const char* parse_label(const char* p, double& label) const;
  const char* skip_query(const char* p) const;
  const char* parse_entry(const char* p);
  const char* parse_index(const char* p, std::uint32_t& index) const;
  const char* parse_value(const char* p, double& value) const;
  const char* end_of_line(const char* p) const;
  void check_edges(const char* p, std::uint32_t index);
  [[noreturn]] void fail(const char* where, const std::string& reason, const std::string& remedy) const;
  [[noreturn]] void fail_number(const char* token, const char* what) const;
  [[noreturn]] void fail_index(const char* token) const;

  std::string name_;
  LibsvmRowSink sink_;
  IndexBase base_;
  std::optional<std::size_t> features_;
  std::uint32_t plain_limit_;  ///< indices 1 .. plain_limit_ are fine for every base

  std::string unfinished_;       ///< the start of a line whose end has not come yet
  bool at_end_of_text_ = false;  ///< the line has no newline: perhaps the file was cut off
  const char* line_start_ = nullptr;
  std::uint64_t line_ = 0;
  std::uint64_t rows_ = 0;
  bool zero_based_;
  std::int64_t largest_index_ = -1;
  /// The line of the first index equal to `features`: fine for 1-based indices, too large for 0-based ones; 0 for none.
  std::uint64_t line_at_limit_ = 0;
  std::int64_t previous_index_ = -1;  ///< in the row
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
};

}  // namespace geodescent
