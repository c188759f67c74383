#include "fetch/check.hpp"

#include <fmt/format.h>

#include <fstream>

#include "geodescent/data/libsvm.hpp"

namespace geodescent::cli {

Counts expected_counts(const lab::CatalogueEntry& set) { return {set.rows, set.features, set.nonzeros}; }

Counts counts_in(const std::string& path) {
  const LibsvmData data = read_libsvm(path);
  return {data.rows.rows(), data.rows.columns(), data.rows.nonzeros()};
}

std::string text_of(const Counts& c) {
  return fmt::format("{} rows, {} features, {} nonzeros", c.rows, c.features, c.nonzeros);
}

std::string reason_not_data(const std::string& path, const std::string& words_of_the_reader) {
  std::ifstream in(path, std::ios::binary);
  char first = 0;
  if (in >> first && first == '<') return "a web page instead of data";
  return fmt::format("no LIBSVM data ({})", words_of_the_reader);
}

}  // namespace geodescent::cli
