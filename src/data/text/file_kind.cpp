#include "data/text/file_kind.hpp"

#include <algorithm>
#include <array>

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

bool is_csv(std::string_view line) {
  constexpr std::string_view other_formats = "{[<";  // JSON, HTML
  return line.find_first_of(",;") != line.npos && !line.starts_with('#') && !has_pair(line) &&
         other_formats.find(line.front()) == other_formats.npos;
}

}  // namespace

std::string_view foreign_kind(std::string_view line) {
  line = first_line(line);
  for (const FirstBytes& known : known_starts)
    if (line.starts_with(known.bytes)) return known.kind;
  return is_csv(line) ? "CSV" : "";
}

std::string_view kind_of_file(std::string_view line) {
  return has_pair(first_line(line)) ? "LIBSVM text" : foreign_kind(line);
}

}  // namespace geodescent
