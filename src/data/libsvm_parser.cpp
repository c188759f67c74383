// The LIBSVM parser. Lines are parsed in place: every line it sees ends with a newline, which stops every scan, so no
// scan has to compare with the end of the buffer. Lines cut by the end of a piece are joined first.
#include "data/libsvm_parser.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "data/libsvm_number.hpp"
#include "data/text_quote.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

// One less than the largest 32-bit number, so that the number of columns fits 32 bits for both bases.
constexpr std::uint32_t largest_index = std::numeric_limits<std::uint32_t>::max() - 1;

const char* skip_blanks(const char* p) {
  while (*p == ' ' || *p == '\t') ++p;
  return p;
}

bool is_separator(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '#'; }

std::uint32_t plain_limit(const std::optional<std::size_t>& features) {
  if (!features || *features > largest_index) return largest_index;
  return *features == 0 ? 0 : static_cast<std::uint32_t>(*features - 1);
}

}  // namespace

LibsvmParser::LibsvmParser(std::string name, const LibsvmOptions& options, LibsvmRowSink sink)
    : name_(std::move(name)),
      sink_(std::move(sink)),
      base_(options.index_base),
      features_(options.features),
      plain_limit_(plain_limit(options.features)),
      zero_based_(options.index_base == IndexBase::zero) {}

std::size_t LibsvmParser::columns() const {
  if (features_) return *features_;
  return static_cast<std::size_t>(std::max<std::int64_t>(0, zero_based_ ? largest_index_ + 1 : largest_index_));
}

void LibsvmParser::feed(std::string_view piece) {
  if (!unfinished_.empty()) {
    const std::size_t newline = piece.find('\n');
    if (newline == std::string_view::npos) return keep_unfinished(piece);
    unfinished_.append(piece.substr(0, newline + 1));
    piece.remove_prefix(newline + 1);
    parse_lines(unfinished_.data(), unfinished_.data() + unfinished_.size());
    unfinished_.clear();
  }
  const std::size_t last_newline = piece.rfind('\n');
  if (last_newline != std::string_view::npos) {
    parse_lines(piece.data(), piece.data() + last_newline + 1);
    piece.remove_prefix(last_newline + 1);
  }
  keep_unfinished(piece);
}

void LibsvmParser::keep_unfinished(std::string_view part) {
  const std::size_t nul = part.find('\0');
  unfinished_.append(part.substr(0, nul));
  if (nul == std::string_view::npos) return;
  // A NUL is always an error. Meeting it now, and not at the end of its line, ends endless input such as /dev/zero.
  unfinished_.append("\0\n", 2);
  parse_lines(unfinished_.data(), unfinished_.data() + unfinished_.size());
}

void LibsvmParser::finish() {
  if (!unfinished_.empty()) {
    at_end_of_text_ = true;
    unfinished_.push_back('\n');
    parse_lines(unfinished_.data(), unfinished_.data() + unfinished_.size());
    unfinished_.clear();
  }
  if (rows_ > 0) return;
  const char* const reason = line_ == 0 ? "the file is empty" : "the file has no rows, only blank lines and comments";
  throw InputError(fmt::format("{}:{}:1: {}; give LIBSVM text, one line 'label index:value ...' for each row", name_,
                               std::max<std::uint64_t>(line_, 1), reason));
}

void LibsvmParser::parse_lines(const char* p, const char* end) {
  assert(p == end || end[-1] == '\n');
  while (p != end) p = parse_line(p);
}

const char* LibsvmParser::parse_line(const char* p) {
  line_start_ = p;
  ++line_;
  if (line_ == 1 && std::strncmp(p, "\xef\xbb\xbf", 3) == 0) p += 3;  // a byte order mark, as Windows editors write it
  p = skip_blanks(p);
  if (const char* next = end_of_line(p)) return next;

  double label = 0;
  p = skip_blanks(parse_label(p, label));
  if (*p == 'q') p = skip_blanks(skip_query(p));
  indices_.clear();
  values_.clear();
  previous_index_ = -1;
  const char* next = nullptr;
  while ((next = end_of_line(p)) == nullptr) p = skip_blanks(parse_entry(p));
  largest_index_ = std::max(largest_index_, previous_index_);
  sink_(label, indices_, values_);
  ++rows_;
  return next;
}

/// The start of the next line when nothing but a comment follows at p; else null.
inline const char* LibsvmParser::end_of_line(const char* p) const {
  if (is_digit(*p)) return nullptr;
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

inline const char* LibsvmParser::parse_label(const char* p, double& label) const {
  const char* const end = scan_number(p, label);
  if (end == p || !is_separator(*end) || !std::isfinite(label)) [[unlikely]]
    fail_number(p, "label");
  return end;
}

const char* LibsvmParser::skip_query(const char* p) const {
  const char* const token = p;
  if (std::strncmp(p, "qid:", 4) != 0) fail_index(token);
  p += 4;
  if (*p == '-' || *p == '+') ++p;
  const char* const digits = p;
  while (is_digit(*p)) ++p;
  if (p == digits || !is_separator(*p)) {
    fail(token, fmt::format("query {} is no whole number", quoted(token)), "write qid:<int>");
  }
  return p;
}

inline const char* LibsvmParser::parse_entry(const char* p) {
  const char* const token = p;
  std::uint32_t index = 0;
  double value = 0;
  p = parse_index(p, index);
  if (index - 1 >= plain_limit_) [[unlikely]]
    check_edges(token, index);  // 0 - 1 is the largest number
  if (index <= previous_index_) [[unlikely]] {
    const bool repeated = index == previous_index_;
    fail(token,
         repeated ? fmt::format("index {} occurs twice", index)
                  : fmt::format("index {} after {}", index, previous_index_),
         "indices must increase");
  }
  previous_index_ = index;
  p = parse_value(p, value);
  indices_.push_back(index);
  values_.push_back(value);
  return p;
}

/// Reads "index:".
inline const char* LibsvmParser::parse_index(const char* p, std::uint32_t& index) const {
  constexpr std::ptrdiff_t safe_digits = 19;
  const char* const token = p;
  std::uint64_t number = 0;
  for (; is_digit(*p); ++p) number = 10 * number + static_cast<std::uint64_t>(*p - '0');
  if (p == token || *p != ':' || number > largest_index || p - token > safe_digits) [[unlikely]]
    fail_index(token);
  index = static_cast<std::uint32_t>(number);
  return p + 1;
}

inline const char* LibsvmParser::parse_value(const char* p, double& value) const {
  const char* const end = scan_number(p, value);
  if (end == p || !is_separator(*end) || !std::isfinite(value)) [[unlikely]]
    fail_number(p, "value");
  return end;
}

/// The rare indices: 0, and those from `features` on. In automatic mode the base is known only once an index 0 occurs.
void LibsvmParser::check_edges(const char* p, std::uint32_t index) {
  if (index == 0 && base_ == IndexBase::one) {
    fail(p, "index 0, but indices are 1-based", "let the first index be 1, or read the file as 0-based");
  }
  if (index == 0) zero_based_ = true;
  if (!features_) return;
  if (index > *features_ || (zero_based_ && index == *features_)) {
    fail(p, fmt::format("index {} is over the limit of {} features ({}-based)", index, *features_, zero_based_ ? 0 : 1),
         "raise the number of features or check the file");
  }
  if (index == *features_ && base_ == IndexBase::automatic && line_at_limit_ == 0) line_at_limit_ = line_;
  if (zero_based_ && line_at_limit_ != 0) {
    fail(p,
         fmt::format("index 0 makes the file 0-based, so index {} in line {} is over the limit of {} features",
                     *features_, line_at_limit_, *features_),
         "raise the number of features or check the file");
  }
}

void LibsvmParser::fail_index(const char* token) const {
  const char* p = token;
  const bool sign = *p == '-' || *p == '+';
  if (sign) ++p;
  while (is_digit(*p)) ++p;
  const std::string shown = quoted(token);
  if (*token == ':') fail(token, fmt::format("no index before the colon in {}", shown), "write index:value");
  if (p == token + (sign ? 1 : 0)) {
    const bool query = std::strncmp(token, "qid:", 4) == 0;
    fail(token,
         query ? fmt::format("query {} among the entries", shown) : fmt::format("{} is no index:value pair", shown),
         query ? "put qid directly after the label" : "indices are whole numbers, comments start with #");
  }
  const std::string_view index(token, static_cast<std::size_t>(p - token));
  if (is_separator(*p)) {
    const bool cut_off = *p == '\n' && at_end_of_text_;
    fail(p, fmt::format("no colon after index {}", shown),
         cut_off ? "the text ends here: complete the file, it may be cut off" : "write index:value");
  }
  if (*p != ':') fail(token, fmt::format("{} is no index:value pair", shown), "indices are whole numbers");
  if (*token == '-') fail(token, fmt::format("index {} is negative", index), "indices start at 0 or 1");
  if (sign) fail(token, fmt::format("index {} has a sign", index), "indices are whole numbers without sign");
  fail(token, fmt::format("index {} is too large", shown.substr(1, shown.find(':') - 1)),
       fmt::format("the largest index is {}", largest_index));
}

void LibsvmParser::fail_number(const char* token, const char* what) const {
  double value = 0;
  const char* const end = scan_any_number(token, value);
  const std::string shown = quoted(token);
  if (is_separator(*token)) {
    const bool cut_off = *token == '\n' && at_end_of_text_;
    fail(token, fmt::format("no {} after the colon", what),
         cut_off ? "the text ends here: complete the file, it may be cut off" : "write index:value without blanks");
  }
  if (end != token && *end == ':' && std::strcmp(what, "label") == 0) {
    fail(token, fmt::format("the line starts with {} and has no label", shown), "write the label before the entries");
  }
  if (end == token || !is_separator(*end)) {
    fail(token, fmt::format("{} {} is no number", what, shown), "write a decimal number such as -1.5 or 2e-3");
  }
  const char first = *(token + (*token == '-' || *token == '+' ? 1 : 0));
  if (is_digit(first) || first == '.') {
    fail(token, fmt::format("{} {} is too large", what, shown),
         "the largest number is about 1.8e308: rescale the data");
  }
  fail(token, fmt::format("{} {} is not finite", what, shown), "remove the row or replace the missing number");
}

void LibsvmParser::fail(const char* where, const std::string& reason, const std::string& remedy) const {
  if (const char* const odd = first_binary_byte(where)) {
    throw InputError(
        fmt::format("{}:{}:{}: byte 0x{:02x} is not text, the file looks binary; give LIBSVM text, plain or "
                    "compressed by gzip, bzip2, xz or zstd",
                    name_, line_, odd - line_start_ + 1, static_cast<unsigned>(static_cast<unsigned char>(*odd))));
  }
  throw InputError(fmt::format("{}:{}:{}: {}; {}", name_, line_, where - line_start_ + 1, reason, remedy));
}

}  // namespace geodescent
