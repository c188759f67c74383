// A text cut into chunks of whole lines, for several threads to take. Internal to the library.
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

/// Small enough to stay in the second-level cache with what becomes of it, large against the cost of handing it on.
inline constexpr std::size_t usual_chunk = std::size_t{1} << 18;

/// Whole lines: the last byte is a newline, and text_padding bytes behind it can be read.
struct TextChunk {
  std::size_t number = 0;  ///< chunks are numbered from 0 in the order of the text
  std::string_view text;
  bool long_line_follows = false;    ///< the line behind the text is longer than the limit; the chunk is the last one
  bool unterminated = false;         ///< the last newline is ours: the text ends without one
  std::unique_ptr<std::string> own;  ///< holds the text, and padding, where nothing else does
  std::exception_ptr error;          ///< instead of text: what ended the reading
};

class TextChunks {
 public:
  virtual ~TextChunks() = default;
  /// False at the end. May be called from several threads.
  virtual bool next(TextChunk& chunk) = 0;
  /// The text of the chunk has become rows.
  virtual void release(const TextChunk&) {}
};

/// Chunks of a text that lies in memory: nothing is copied but its end.
class ChunksOfMemory final : public TextChunks {
 public:
  /// `file` is what the text is a mapping of, or null.
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

/// Chunks of a text that comes piece by piece: from a pipe, or out of a decoder. With several threads one of their own
/// reads ahead, so that the text is decompressed beside the parsers.
class ChunksOfSource final : public TextChunks {
 public:
  /// `first` was read from the source already.
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
