// The errors of a line: reason and remedy.
#include <cstring>

#include <fmt/core.h>

#include "data/libsvm/libsvm_lines.hpp"
#include "data/text/file_kind.hpp"
#include "data/text/libsvm_number.hpp"
#include "data/text/text_quote.hpp"
#include "geodescent/error.hpp"

namespace geodescent {

void LibsvmLines::refuse_next_line() const {
  throw InputError(
      fmt::format("{}:{}: the line is longer than {} bytes; check the file, or raise the limit (--line-limit, "
                  "LibsvmOptions::line_limit)",
                  name_, state_.lines + 1, line_limit_));
}

void LibsvmLines::fail_contradiction(const char* token, const std::string& reason, const char* usual_advice) const {
  fail(token, reason, index_advice_.empty() ? usual_advice : index_advice_);
}

void LibsvmLines::fail_order(const char* token, std::uint32_t index, std::int64_t previous) const {
  fail(token,
       index == previous ? fmt::format("index {} occurs twice", index)
                         : fmt::format("index {} after {}", index, previous),
       "indices must increase");
}

void LibsvmLines::fail_index(const char* token) const {
  const char* p = token;
  const bool sign = *p == '-' || *p == '+';
  if (sign) ++p;
  while (is_digit(*p)) ++p;
  const std::string shown = quoted(token);
  if (*token == ':') fail(token, fmt::format("no index before the colon in {}", shown), "write index:value");
  if (p == token + (sign ? 1 : 0)) {
    const bool query = std::strncmp(token, "qid:", 4) == 0;
    fail(token,
         query ? fmt::format("query {} among the entries", shown) : fmt::format("{} is not an index:value pair", shown),
         query ? "put qid directly after the label" : "indices are whole numbers, comments start with #");
  }
  const std::string_view index(token, static_cast<std::size_t>(p - token));
  if (is_separator(*p)) {
    const bool cut_off = p == end_of_text_;
    fail(p, fmt::format("no colon after index {}", shown),
         cut_off ? "the text ends here: complete the file, it may be cut off" : "write index:value");
  }
  if (*p != ':') fail(token, fmt::format("{} is not an index:value pair", shown), "indices are whole numbers");
  if (*token == '-') fail(token, fmt::format("index {} is negative", index), "indices start at 0 or 1");
  if (sign) fail(token, fmt::format("index {} has a sign", index), "indices are whole numbers without sign");
  fail(token, fmt::format("index {} is too large", shown.substr(1, shown.find(':') - 1)),
       fmt::format("the largest index is {}", largest_libsvm_index));
}

void LibsvmLines::fail_number(const char* token, const char* what) const {
  double value = 0;
  const char* const end = scan_any_number(token, value);
  const std::string shown = quoted(token);
  if (is_separator(*token)) {
    const bool cut_off = token == end_of_text_;
    fail(token, fmt::format("no {} after the colon", what),
         cut_off ? "the text ends here: complete the file, it may be cut off" : "write index:value without blanks");
  }
  if (end != token && *end == ':' && std::strcmp(what, "label") == 0) {
    fail(token, fmt::format("the line starts with {} and has no label", shown), "write the label before the entries");
  }
  if (end == token || !is_separator(*end)) {
    fail(token, fmt::format("{} {} is not a number", what, shown), "write a decimal number such as -1.5 or 2e-3");
  }
  const char first = *(token + (*token == '-' || *token == '+' ? 1 : 0));
  if (is_digit(first) || first == '.') {
    fail(token, fmt::format("{} {} is too large", what, shown),
         "the largest number is about 1.8e308: rescale the data");
  }
  fail(token, fmt::format("{} {} is not finite", what, shown), "remove the row or replace the missing number");
}

void LibsvmLines::fail(const char* where, std::string reason, std::string remedy) const {
  const std::string_view kind = foreign_kind({line_start_, std::strcspn(line_start_, "\n")});
  if (const char* const odd = first_binary_byte(where)) {
    where = odd;
    reason = fmt::format("byte 0x{:02x} is not text{}", static_cast<unsigned>(static_cast<unsigned char>(*odd)),
                         kind.empty() ? ", the file looks binary" : "");
    remedy = "give LIBSVM text, plain or compressed by gzip, bzip2, xz or zstd";
  }
  if (!kind.empty())
    remedy = fmt::format(
        "this looks like {}; geodescent reads LIBSVM text, one line 'label index:value ...' for each row, as "
        "scikit-learn's dump_svmlight_file writes it",
        kind);
  throw InputError(fmt::format("{}:{}:{}: {}; {}", name_, state_.lines, where - line_start_ + 1, reason, remedy));
}

}  // namespace geodescent
