// Which rank reads which parts of the files of a data set. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/ranks/agreement.hpp"

namespace geodescent {

enum class FileForm {
  text,    ///< plain text: divided at any line
  binary,  ///< a converted file: divided at any row
  whole,   ///< compressed, or empty: read by one rank
  stream   ///< standard input or a pipe: read by the first rank, which alone has it
};

struct DataFile {
  std::string path;
  FileForm form = FileForm::stream;
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;    ///< of a converted file
  std::uint32_t sample = 0;  ///< a checksum of some of the bytes, to tell files apart
};

/// A part of a file. Of text the lines that begin in these bytes; of a converted file these rows;
/// else all of it.
struct FilePart {
  std::size_t file = 0;
  std::uint64_t begin = 0, end = 0;
};

/// Looks at the files. Throws InputError on all ranks if one cannot open them, or they do not see
/// the same files.
std::vector<DataFile> files_at(std::span<const std::string> paths, const Agreement& ranks);

/// The parts of each rank: about the same number of bytes. The parts of rank 0 come first, then
/// those of rank 1, and so on. Throws InputError for a stream behind what other ranks read.
std::vector<std::vector<FilePart>> shares_of(std::span<const DataFile> files, std::size_t ranks);

}  // namespace geodescent
