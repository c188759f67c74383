#include "learn/model_file/weights.hpp"

#include <string_view>

#include "data/io/text_source.hpp"
#include "data/text/number_lines.hpp"
#include "geodescent/error.hpp"

namespace geodescent {

bool is_list_of_numbers(const std::string& path) {
  constexpr std::string_view white_space = " \t\r\n";
  constexpr std::string_view starts_of_numbers = "0123456789+-.";
  TextSource source(path);
  for (std::string_view piece = source.read(); !piece.empty(); piece = source.read()) {
    const std::size_t first = piece.find_first_not_of(white_space);
    if (first != std::string_view::npos) return starts_of_numbers.find(piece[first]) != std::string_view::npos;
  }
  return true;  // nothing but white_space: a list without a number, which the reader refuses
}

Vector read_weights(const std::string& path) {
  Vector weights = read_number_lines(path);
  if (weights.empty()) throw InputError(path + ": no number; give one weight a line");
  return weights;
}

}  // namespace geodescent
