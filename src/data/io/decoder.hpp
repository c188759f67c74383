// What the decoders of compressed data have in common: each format adds one step of its library. Internal to the
// library.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace geodescent {

/// Text from compressed bytes, however these are cut into pieces. Members (streams, frames) may follow each other, the
/// checksums in them are compared, and what ends early or goes on with anything else is an error.
class Decoder {
 public:
  /// Gives the next compressed bytes, valid until its next call; empty at their end.
  using NextRaw = std::function<std::string_view()>;

  virtual ~Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// The next bytes of the text; empty at the end of the last member, or when the data is broken.
  std::string_view read();
  /// What is wrong with the data; null while nothing is.
  const char* error() const { return error_; }
  /// What its library has allocated, once there is text. It touches no more of that than there is text, and little
  /// else.
  virtual std::size_t library_bytes() const = 0;

 protected:
  explicit Decoder(NextRaw next_raw);

  /// One call of the library, from input() to output(): reports by consumed(), produced(), completed() or fail().
  virtual void step() = 0;

  std::string_view input() const { return raw_; }
  bool input_ends() const { return raw_ended_; }  ///< nothing follows input()
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
