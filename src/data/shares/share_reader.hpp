// Reads the rows of several files, or the share of them that a rank has. Internal to the library.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "data/assemble/chunk_reader.hpp"
#include "data/shares/file_shares.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent {

/// What the rows of all ranks have in common.
struct RowsOfFiles {
  std::size_t columns = 0;
  bool zero_based = false;
  std::size_t rows = 0;
  std::size_t nonzeros = 0;       ///< entries of the text
  std::size_t nonzeros_here = 0;  ///< of the share
};

/// Passes the rows of this rank's share to `sink`, in their order, with indices as in the files.
/// Throws InputError on all ranks: the first error in the order of the files, with its true line.
/// Several files are read as if one followed the other in one file; the last line of each may lack
/// its end.
RowsOfFiles read_share(std::span<const DataFile> files, const LibsvmOptions& options, const Agreement& ranks,
                       const RowChunkSink& sink);

/// "a.svm, b.svm"; of many files the first one and their number.
std::string name_of_files(std::span<const std::string> paths);

}  // namespace geodescent
