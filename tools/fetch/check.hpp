// Checks whether a file is the data set of its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "catalogue/catalogue.hpp"
#include "geodescent/error.hpp"

namespace geodescent::cli {

struct Counts {
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t nonzeros = 0;
  lab::LabelCount smaller_label;  ///< of the catalogue; rows with labels that it does not have are in `rows` only
  lab::LabelCount larger_label;

  bool operator==(const Counts&) const = default;
};

/// The contents of a file are wrong. The message is the reason, without the name of the file.
class NotData : public InputError {
 public:
  using InputError::InputError;
};

Counts expected_counts(const lab::CatalogueEntry& set);
/// The largest possible size of the text of the set. Compressed files are shorter.
std::uint64_t most_bytes(const lab::CatalogueEntry& set);
/// Reads the whole file, but no more than most_bytes of text. Throws NotData, and ReadError
/// when the file cannot be read.
Counts counts_in(const std::string& path, const lab::CatalogueEntry& set);
/// "1605 rows (1210 of label -1, 395 of label 1), 119 features, 22249 nonzeros"
std::string text_of(const Counts& counts);

}  // namespace geodescent::cli
