// Every line ends with a newline, which stops every scan, so no scan has to compare with the end of
// the text.
#include "data/libsvm/libsvm_lines.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include <fmt/core.h>

#include "data/text/libsvm_number.hpp"
#include "data/text/line_limit.hpp"
#include "data/text/text_quote.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

inline const char* skip_blanks(const char* p) {
  while (*p == ' ' || *p == '\t') ++p;
  return p;
}

std::uint32_t plain_limit(const std::optional<std::size_t>& features) {
  if (!features || *features > largest_libsvm_index) return largest_libsvm_index;
  return *features == 0 ? 0 : static_cast<std::uint32_t>(*features - 1);
}

}  // namespace

std::size_t columns_of(const LibsvmState& state, const LibsvmOptions& options) {
  if (options.features) return *options.features;
  return static_cast<std::size_t>(
      std::max<std::int64_t>(0, state.zero_based ? state.largest_index + 1 : state.largest_index));
}

void require_rows(const LibsvmState& state, const std::string& name) {
  if (state.rows > 0) return;
  const char* const reason =
      state.lines == 0 ? "the file is empty" : "the file has no rows, only blank lines and comments";
  throw InputError(fmt::format("{}:{}:1: {}; give LIBSVM text, one line 'label index:value ...' for each row", name,
                               std::max<std::uint64_t>(state.lines, 1), reason));
}

LibsvmLines::LibsvmLines(const std::string& name, const LibsvmOptions& options, const LibsvmState& before)
    : name_(name),
      base_(options.index_base),
      features_(options.features),
      line_limit_(effective_line_limit(options.line_limit)),
      index_advice_(options.index_advice),
      plain_limit_(plain_limit(options.features)),
      state_(before) {
  if (base_ == IndexBase::zero) state_.zero_based = true;
}

void LibsvmLines::parse(const char* begin, const char* end, RowBuffer& rows) {
  assert(begin == end || end[-1] == '\n');
  for (const char* p = begin; p != end;) p = parse_line(p, rows);
}

const char* LibsvmLines::parse_line(const char* p, RowBuffer& rows) {
  line_start_ = p;
  ++state_.lines;
  // A byte order mark, as Windows editors write it.
  if (state_.lines == 1 && std::strncmp(p, "\xef\xbb\xbf", 3) == 0) p += 3;
  p = skip_blanks(p);
  if (const char* next = end_of_line(p)) return next;

  double label = 0;
  p = skip_blanks(parse_label(p, label));
  if (*p == 'q') p = skip_blanks(skip_query(p));
  ++state_.rows;
  return parse_entries(p, label, rows);
}

inline const char* LibsvmLines::parse_entries(const char* p, double label, RowBuffer& rows) {
  std::uint32_t* const first_index = rows.next_index();
  std::uint32_t* index_out = first_index;
  double* value_out = rows.next_value();
  std::int64_t previous = -1;
  const char* next = nullptr;
  while (is_digit(*p) || (next = end_of_line(p)) == nullptr) {
    const char* const token = p;
    std::uint32_t index = 0;
    p = parse_index(p, index);
    if (index - 1 >= plain_limit_) [[unlikely]]
      check_edges(token, index);  // 0 - 1 is the largest number
    if (index <= previous) [[unlikely]]
      fail_order(token, index, previous);
    previous = index;
    *index_out++ = index;
    p = parse_value(p, *value_out++);
    if (*p == ' ') ++p;  // most entries are separated by one blank
    p = skip_blanks(p);
  }
  state_.largest_index = std::max(state_.largest_index, previous);
  rows.add_row(label, static_cast<std::size_t>(index_out - first_index));
  return next;
}

/// The start of the next line if only a comment follows at p, otherwise null.
inline const char* LibsvmLines::end_of_line(const char* p) const {
  if (*p == '\n') return p + 1;
  if (*p == '\r') {
    if (p[1] == '\n') return p + 2;
    fail(p, "a carriage return inside a line", "end the lines with LF or CRLF");
  }
  if (*p != '#') return nullptr;
  while (*p != '\n' && *p != '\0') ++p;
  if (*p == '\0') fail(p, "", "");
  return p + 1;
}

/// Reads a finite number up to the end of its token; `what` names it in errors.
inline const char* LibsvmLines::parse_number(const char* p, double& number, const char* what) const {
  const char* end = scan_plain_number(p, number);
  if (end == nullptr) [[unlikely]] {
    end = scan_any_number(p, number);
    if (end == p || !std::isfinite(number)) fail_number(p, what);
  }
  if (!is_separator(*end)) [[unlikely]]
    fail_number(p, what);
  return end;
}

inline const char* LibsvmLines::parse_label(const char* p, double& label) const {
  return parse_number(p, label, "label");
}

const char* LibsvmLines::skip_query(const char* p) const {
  const char* const token = p;
  if (std::strncmp(p, "qid:", 4) != 0) fail_index(token);
  p += 4;
  if (*p == '-' || *p == '+') ++p;
  const char* const digits = p;
  while (is_digit(*p)) ++p;
  if (p == digits || !is_separator(*p)) {
    fail(token, fmt::format("query {} is not a whole number", quoted(token)), "write qid:<int>");
  }
  return p;
}

/// Reads "index:".
inline const char* LibsvmLines::parse_index(const char* p, std::uint32_t& index) const {
  constexpr std::ptrdiff_t safe_digits = 19;
  // With few features this holds for every index, so the branch is predicted and the next number is
  // read before the length of this one is known.
  if (p[1] == ':' && is_digit(*p)) [[unlikely]] {
    index = static_cast<std::uint32_t>(*p - '0');
    return p + 2;
  }
  const LeadingDigits head = leading_digits(p);
  if (p[head.count] == ':' && head.count != 0) [[likely]] {
    index = static_cast<std::uint32_t>(head.number);
    return p + head.count + 1;
  }
  const char* const token = p;
  std::uint64_t number = 0;
  p = scan_digits(p, number);
  if (p == token || *p != ':' || number > largest_libsvm_index || p - token > safe_digits) fail_index(token);
  index = static_cast<std::uint32_t>(number);
  return p + 1;
}

inline const char* LibsvmLines::parse_value(const char* p, double& value) const {
  return parse_number(p, value, "value");
}

/// The rare indices: 0, and those from `features` on. In automatic mode the base is known only once
/// an index 0 occurs.
void LibsvmLines::check_edges(const char* p, std::uint32_t index) {
  constexpr const char* more_features = "raise the number of features or check the file";
  if (index == 0 && base_ == IndexBase::one) {
    fail_contradiction(p, "index 0, but indices are 1-based", "let the first index be 1, or read the file as 0-based");
  }
  if (index == 0) state_.zero_based = true;
  if (!features_) return;
  if (index > *features_ || (zero_based() && index == *features_)) {
    const bool just_beyond = base_ == IndexBase::zero && index == *features_;
    fail_contradiction(p,
                       fmt::format("index {} is over the limit of {} features ({}-based{})", index, *features_,
                                   zero_based() ? 0 : 1, just_beyond ? "; is the file numbered from 1?" : ""),
                       more_features);
  }
  if (index == *features_ && base_ == IndexBase::automatic && state_.line_at_limit == 0)
    state_.line_at_limit = state_.lines;
  if (zero_based() && state_.line_at_limit != 0) {
    fail_contradiction(
        p,
        fmt::format("index 0 makes the {} 0-based, so index {} in line {}{}{} is over the limit of {} features",
                    state_.file_at_limit.empty() ? "file" : "data", *features_, state_.line_at_limit,
                    state_.file_at_limit.empty() ? "" : " of ", state_.file_at_limit, *features_),
        more_features);
  }
}

}  // namespace geodescent
