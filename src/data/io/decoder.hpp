// The base of all decoders of compressed data: each format adds one step of its library. Internal
// to the library.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace geodescent {

/// Text from compressed bytes, however these are divided into pieces. Members (streams, frames) may
/// follow each other. Their checksums are compared. Data that end early or continue with other
/// bytes are an error.
class Decoder {
 public:
  /// Returns the next compressed bytes, valid until its next call; empty at the end.
  using NextRaw = std::function<std::string_view()>;

  virtual ~Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// The next bytes of the text; empty at the end of the last member, or if the data are damaged.
  std::string_view read();
  /// The fault of the data; null if there is none.
  const char* error() const { return error_; }
  /// The bytes that its library has allocated, once there is text. The library touches little more
  /// of them than there is text.
  virtual std::size_t library_bytes() const = 0;

 protected:
  explicit Decoder(NextRaw next_raw);

  /// One call of the library, from input() to output(): reports by consumed(), produced(),
  /// completed() or fail().
  virtual void step() = 0;

  std::string_view input() const { return raw_; }
  bool input_ends() const { return raw_ended_; }  ///< whether input() is the end of the data
  char* output() { return text_.data() + size_; }
  std::size_t room() const { return text_.size() - size_; }
  bool is_complete() const { return complete_; }

  void consumed(std::size_t count) { raw_.remove_prefix(count); }
  void produced(std::size_t count) { size_ += count; }
  void completed(bool at_the_end_of_a_member) { complete_ = at_the_end_of_a_member; }
  void fail(const char* reason) { error_ = reason; }

 private:
  NextRaw next_raw_;
  std::string_view raw_;
  bool raw_ended_ = false;
  std::vector<char> text_;
  std::size_t size_ = 0;
  bool complete_ = false;
  const char* error_ = nullptr;
};

/// For "gzip", "bzip2", "xz", "lzma" or "zstd". Null in a build without compression libraries.
std::unique_ptr<Decoder> make_decoder(std::string_view format, Decoder::NextRaw next_raw);

}  // namespace geodescent
