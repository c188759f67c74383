// Lines of LIBSVM text become rows. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "data/assemble/row_buffer.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent {

/// The state of the file after the lines so far.
struct LibsvmState {
  std::uint64_t lines = 0;
  std::uint64_t rows = 0;
  bool zero_based = false;  ///< an index 0 has occurred, or features are numbered from 0
  std::int64_t largest_index = -1;
  /// The line of the first index equal to `features`: fine for 1-based indices, too large for
  /// 0-based ones; 0 for none.
  std::uint64_t line_at_limit = 0;
  std::string_view file_at_limit = {};  ///< the file of this line, if it is another one
};

/// The errors of a line depend on earlier lines by LibsvmState alone.
class LibsvmLines {
 public:
  /// Errors call the file `name`, which must outlive this object; `before` is the state before the
  /// first line.
  LibsvmLines(const std::string& name, const LibsvmOptions& options, const LibsvmState& before = {});

  /// Whole lines: the last byte is a newline, and text_padding bytes behind it can be read. `rows`
  /// has room for them. Throws InputError ("file:line:column: reason; remedy").
  void parse(const char* begin, const char* end, RowBuffer& rows);
  /// The same for one line; returns the start of the next one.
  const char* parse_line(const char* line, RowBuffer& rows);
  /// The newline at `where` was added: the last line of the file has none, perhaps because the file
  /// was cut off.
  void set_end_of_text(const char* where) { end_of_text_ = where; }

  /// Fixes the base as it appears so far. In a file that looks 1-based, a later index 0 is then an
  /// error.
  void settle_base() {
    if (base_ == IndexBase::automatic) base_ = zero_based() ? IndexBase::zero : IndexBase::one;
  }

  /// Throws InputError: the next line is longer than the limit.
  [[noreturn]] void refuse_next_line() const;
  std::size_t line_limit() const { return line_limit_; }

  const LibsvmState& state() const { return state_; }
  bool zero_based() const { return state_.zero_based; }

 private:
  const char* parse_entries(const char* p, double label, RowBuffer& rows);
  const char* end_of_line(const char* p) const;
  const char* parse_number(const char* p, double& number, const char* what) const;
  const char* parse_label(const char* p, double& label) const;
  const char* skip_query(const char* p) const;
  const char* parse_index(const char* p, std::uint32_t& index) const;
  const char* parse_value(const char* p, double& value) const;
  void check_edges(const char* p, std::uint32_t index);
  // libsvm_failures.cpp:
  [[noreturn]] void fail(const char* where, std::string reason, std::string remedy) const;
  [[noreturn]] void fail_number(const char* token, const char* what) const;
  [[noreturn]] void fail_index(const char* token) const;
  [[noreturn]] void fail_contradiction(const char* token, const std::string& reason, const char* usual_advice) const;
  [[noreturn]] void fail_order(const char* token, std::uint32_t index, std::int64_t previous) const;

  const std::string& name_;
  IndexBase base_;
  std::optional<std::size_t> features_;
  std::size_t line_limit_;
  std::string index_advice_;
  std::uint32_t plain_limit_;  ///< indices 1 .. plain_limit_ are fine for every base
  LibsvmState state_;
  const char* line_start_ = nullptr;
  const char* end_of_text_ = nullptr;
};

/// The number of columns: `features` if given, otherwise as many as the largest index needs.
std::size_t columns_of(const LibsvmState& state, const LibsvmOptions& options);
/// Throws InputError if the text has no row.
void require_rows(const LibsvmState& state, const std::string& name);

inline bool is_separator(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '#'; }
/// One less than the largest 32-bit number, so that the number of columns fits 32 bits for both
/// bases.
inline constexpr std::uint32_t largest_libsvm_index = 0xfffffffe;

}  // namespace geodescent
