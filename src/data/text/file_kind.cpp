#include "data/text/file_kind.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text/utf8.hpp"
#include "data/binary/binary_layout.hpp"
#include "data/text/libsvm_number.hpp"

namespace geodescent {
namespace {

struct FirstBytes {
  std::string_view bytes;
  std::string_view kind;
};
// No LIBSVM text begins with any of these.
constexpr std::array known_starts{
    FirstBytes{"PAR1", "a Parquet file"},
    FirstBytes{"PK\x03\x04", "a zip archive, such as npz or xlsx"},
    FirstBytes{"\x93NUMPY", "a NumPy array"},
    FirstBytes{"%%MatrixMarket", "a Matrix Market file"},
    FirstBytes{"@relation", "ARFF"},
    FirstBytes{"@RELATION", "ARFF"},
    FirstBytes{"% ", "ARFF"},
    FirstBytes{"solver_type ", "a model"},
    FirstBytes{"geodescent-certificate ", "a certificate"},
    FirstBytes{binary_start, "converted data"},
};

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find_first_of(std::string_view("\n\0", 2)));
}

/// A number, a blank, digits and a colon.
bool has_pair(std::string_view line) {
  const std::size_t colon = std::min(line.find(':'), line.size());
  std::size_t index = colon;
  while (index > 0 && is_digit(line[index - 1])) --index;
  if (colon == line.size() || index == colon || index < 2) return false;
  const bool number = is_digit(line[0]) || line[0] == '-' || line[0] == '+' || line[0] == '.';
  return number && (line[index - 1] == ' ' || line[index - 1] == '\t');
}

/// Without control characters and with few bytes that are not ASCII. Binary files may contain
/// commas, too.
bool is_text(std::string_view line) {
  const auto count = [line](auto&& is_one) {
    return std::ranges::count_if(line, [&](char c) { return is_one(static_cast<unsigned char>(c)); });
  };
  const auto controls = count([](unsigned char c) { return (c < ' ' && c != '\t' && c != '\r') || c == 0x7f; });
  const auto others = count([](unsigned char c) { return c >= 0x80; });
  return controls == 0 && (4 * others <= std::ssize(line) || as_utf8(std::string(line)) == line);
}

bool is_csv(std::string_view line) {
  return line.find_first_of(",;") != line.npos && !line.starts_with('#') && !has_pair(line);
}

/// At least three numbers, and no colon.
bool is_table(std::string_view line) {
  int numbers = 0;
  for (std::size_t begin = line.find_first_not_of(" \t\r"); begin != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    if (line.substr(begin, end - begin).find_first_not_of("0123456789.+-eE") != line.npos) return false;
    ++numbers;
    begin = line.find_first_not_of(" \t\r", end);
  }
  return numbers >= 3;
}

std::string_view kind_of_text(std::string_view line) {
  if (line.empty() || !is_text(line)) return "";
  if (line.front() == '{' || line.front() == '[') return "JSON";
  if (line.front() == '<') return "HTML or XML";
  if (is_csv(line)) return "CSV";
  return is_table(line) ? "a table of numbers without indices" : "";
}

}  // namespace

std::string_view foreign_kind(std::string_view line) {
  line = first_line(line);
  for (const FirstBytes& known : known_starts)
    if (line.starts_with(known.bytes)) return known.kind;
  return kind_of_text(line);
}

std::string_view kind_of_file(std::string_view line) {
  return has_pair(first_line(line)) ? "LIBSVM text" : foreign_kind(line);
}

}  // namespace geodescent
