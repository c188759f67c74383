// Whether a file is the data set it claims to be.
#pragma once

#include <cstddef>
#include <string>

#include "catalogue/catalogue.hpp"

namespace geodescent::cli {

struct Counts {
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t nonzeros = 0;

  bool operator==(const Counts&) const = default;
};

Counts expected_counts(const lab::CatalogueEntry& set);
/// Reads the whole file. Throws InputError when it is no LIBSVM data.
Counts counts_in(const std::string& path);
/// "1605 rows, 119 features, 22249 nonzeros"
std::string text_of(const Counts& counts);

/// What is wrong with a file that cannot be read as data: a web page is named as such, everything else is left to the
/// words of the reader.
std::string reason_not_data(const std::string& path, const std::string& words_of_the_reader);

}  // namespace geodescent::cli
