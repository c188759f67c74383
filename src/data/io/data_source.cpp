#include "data/io/data_source.hpp"

#include <cstring>
#include <utility>

#include "base/machine/memory_block.hpp"
#include "base/parallel.hpp"
#include "data/binary/binary_layout.hpp"

namespace geodescent {

DataSource::DataSource(const std::string& path) : source_(path) {
  // Part of standard input may have been read already, and it cannot be read from its start again.
  if (source_.expected_size() > 0 && path != "-") file_ = MappedFile::open(path);
  if (file_) return;
  while (start_.size() < binary_start.size()) {
    const std::string_view piece = source_.read();
    if (piece.empty()) break;
    start_.append(piece);
  }
}

BinaryData DataSource::binary() {
  if (file_) return read_binary(file_->bytes(), file_, name());
  std::string all = std::exchange(start_, {});
  for (std::string_view piece = source_.read(); !piece.empty(); piece = source_.read()) all.append(piece);
  // The data of a string are aligned for bytes only.
  const auto block = std::make_shared<MemoryBlock>(all.size());
  std::memcpy(block->data(), all.data(), all.size());
  return read_binary({reinterpret_cast<const char*>(block->data()), all.size()}, block, name());
}

TextChunks& DataSource::chunks(std::size_t line_limit) {
  if (file_)
    chunks_ = std::make_unique<ChunksOfMemory>(file_->bytes(), usual_chunk, line_limit, file_.get());
  else
    chunks_ = std::make_unique<ChunksOfSource>(source_, start_, usual_chunk, threads(), line_limit);
  return *chunks_;
}

std::string_view DataSource::read() {
  if (start_.empty()) return source_.read();
  given_ = std::exchange(start_, {});
  return given_;
}

}  // namespace geodescent
