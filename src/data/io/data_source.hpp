// The source of data at a path: text or binary, mapped or read in pieces. Internal to the
// library.
#pragma once

#include <memory>
#include <string>

#include "data/binary/binary_reader.hpp"
#include "data/io/text_source.hpp"
#include "data/text/text_chunks.hpp"

namespace geodescent {

class DataSource {
 public:
  /// Throws InputError if it cannot be opened.
  explicit DataSource(const std::string& path);

  const std::string& name() const { return source_.name(); }
  /// The mapping of a plain file; null for others.
  const std::shared_ptr<const MappedFile>& mapped() const { return file_; }
  bool is_binary() const { return geodescent::is_binary(file_ ? file_->bytes() : std::string_view(start_)); }
  BinaryData binary();                         ///< when it is; throws InputError
  TextChunks& chunks(std::size_t line_limit);  ///< when it is not
  /// The text in pieces: the next bytes, valid until the next call; empty at the end.
  std::string_view read();

 private:
  TextSource source_;
  std::shared_ptr<const MappedFile> file_;
  std::string start_;  ///< the bytes that were read to recognise the format, if the file is not mapped
  std::string given_;  ///< the bytes of start_, once read() has returned them
  std::unique_ptr<TextChunks> chunks_;
};

}  // namespace geodescent
