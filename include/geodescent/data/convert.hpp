// Converts LIBSVM text to a binary file that is mapped into memory (docs/reference/data-format.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "geodescent/data/libsvm.hpp"

namespace geodescent {

/// The result of a conversion.
struct Conversion {
  std::size_t rows = 0;      ///< number of rows
  std::size_t columns = 0;   ///< number of columns
  std::size_t nonzeros = 0;  ///< entries of the text
  bool zero_based = false;   ///< whether the text numbers its features from 0
  bool dense = false;        ///< the form of the matrix
  std::uint64_t bytes = 0;   ///< of the file
};

/// Reads the text at `path`, or standard input when it is "-", and writes it to `output` as a
/// binary file, which read_dataset(), read_libsvm() and for_each_row() recognise. Memory does not
/// depend on the size of the text; the disk needs room for the result twice. Throws InputError,
/// also for data that are binary already.
Conversion convert_libsvm(const std::string& path, const std::string& output, const LibsvmOptions& options = {});

}  // namespace geodescent
