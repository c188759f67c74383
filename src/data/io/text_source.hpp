// The bytes of a file or of standard input, decompressed if their content is compressed. Internal
// to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "data/io/decoder.hpp"
#include "geodescent/error.hpp"

namespace geodescent {

/// A file cannot be opened, or its device fails. The contents may be right.
class ReadError : public InputError {
 public:
  using InputError::InputError;
};

/// An open file descriptor; standard input for the path "-".
class InputFile {
 public:
  /// Throws ReadError when the path cannot be opened or is a folder.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Reads at most buffer.size() bytes; 0 at the end. Throws ReadError when the device fails.
  std::size_t read(std::span<char> buffer);
  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }  ///< 0 when it is not a regular file

 private:
  std::string name_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// Gzip, bzip2, xz, lzma and zstd are recognised by their first bytes, never by the name; all else
/// is passed through.
class TextSource {
 public:
  /// Throws InputError ("path: reason; remedy").
  explicit TextSource(const std::string& path);
  ~TextSource();
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;

  /// The next bytes, valid until the next call; empty at the end of the text. Throws ReadError when
  /// reading fails, InputError when the compressed data is truncated or corrupt.
  std::string_view read();

  const std::string& name() const { return file_.name(); }
  /// Bytes that a decoder has allocated; 0 for plain text, and before and after there is text.
  std::size_t decoder_bytes() const { return decoder_ ? decoder_->library_bytes() : 0; }
  /// The length of the whole text, where it is known beforehand (a plain file); else 0.
  std::uint64_t expected_size() const { return format_.empty() ? file_.size() : 0; }

 private:
  std::string_view next_raw();
  [[noreturn]] void throw_broken(const char* detail) const;

  InputFile file_;
  std::unique_ptr<char[]> buffer_;
  std::size_t pending_ = 0;  ///< bytes at the start of the buffer that were read to recognise the format
  std::string format_;       ///< of the compression; empty for plain text
  std::unique_ptr<Decoder> decoder_;
};

/// Memory for decompressing this file; 0 for a source that cannot be read again, such as a pipe.
std::size_t decoder_bytes(const std::string& path);

}  // namespace geodescent
