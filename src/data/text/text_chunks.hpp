// Divides a text into chunks of whole lines for several threads. Internal to the library.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "data/io/text_source.hpp"
#include "files/mapped_file.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent {

/// A chunk and its rows fit the second-level cache; handing over a chunk costs little beside its
/// work.
inline constexpr std::size_t usual_chunk = std::size_t{1} << 18;

/// Whole lines: the last byte is a newline, and text_padding bytes behind it can be read.
struct TextChunk {
  std::size_t number = 0;  ///< chunks are numbered from 0 in the order of the text
  std::string_view text;
  bool long_line_follows = false;    ///< the line behind the text is longer than the limit; the chunk is the last one
  bool unterminated = false;         ///< whether the last newline was added, because the text ends without one
  std::unique_ptr<std::string> own;  ///< owns the text and its padding if nothing else does
  std::exception_ptr error;          ///< set instead of text: the exception that ended the reading
};

class TextChunks {
 public:
  virtual ~TextChunks() = default;
  /// False at the end. May be called from several threads.
  virtual bool next(TextChunk& chunk) = 0;
  /// To be called when the text of the chunk has been parsed.
  virtual void release(const TextChunk&) {}
};

/// Chunks of a text in memory. Only its end is copied.
class ChunksOfMemory final : public TextChunks {
 public:
  /// `file`: the mapping that the text belongs to, or null.
  ChunksOfMemory(std::string_view text, std::size_t chunk_size, std::size_t line_limit = default_line_limit,
                 const MappedFile* file = nullptr);
  bool next(TextChunk& chunk) override;
  void release(const TextChunk& chunk) override;

 private:
  std::mutex mutex_;
  std::string_view rest_;
  std::size_t chunk_size_, line_limit_;
  const MappedFile* file_;
  std::size_t count_ = 0;
};

/// Chunks of a text that arrives in pieces, from a pipe or a decoder. With several threads an
/// additional one reads ahead, so that decompression and parsing overlap.
class ChunksOfSource final : public TextChunks {
 public:
  /// `first`: bytes that were already read from the source.
  ChunksOfSource(TextSource& source, std::string_view first, std::size_t chunk_size, int threads,
                 std::size_t line_limit = default_line_limit);
  ~ChunksOfSource() override;
  bool next(TextChunk& chunk) override;

 private:
  bool produce(TextChunk& chunk);
  bool fill(std::string& text, bool& long_line_follows);
  void read_ahead();

  TextSource& source_;
  std::size_t chunk_size_, line_limit_;
  std::string begun_;  ///< the start of the next chunk
  bool ended_ = false;
  std::size_t count_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<TextChunk> ready_;  ///< never more than most_ready_
  std::size_t most_ready_;
  bool finished_ = false;
  bool stop_ = false;
  std::thread reader_;
};

}  // namespace geodescent
