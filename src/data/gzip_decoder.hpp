// Gzip by zlib, which compares checksum and length of every member; libarchive's gzip filter does not, and hands on
// damaged text without a word. Internal to the library.
#pragma once

#define ZLIB_CONST  // input is const for zlib, too
#include <zlib.h>

#include <functional>
#include <string_view>
#include <vector>

namespace geodescent {

class GzipDecoder {
 public:
  /// `next_raw` gives the next compressed bytes, valid until its next call; empty at their end.
  explicit GzipDecoder(std::function<std::string_view()> next_raw);
  ~GzipDecoder();
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  /// The next bytes of the text; empty at the end of the last member, or when the data is broken.
  std::string_view read();
  /// What is wrong with the data; null while nothing is.
  const char* error() const { return error_; }

 private:
  bool refill();

  std::function<std::string_view()> next_raw_;
  std::vector<char> text_;
  z_stream stream_{};
  bool between_members_ = false;
  const char* error_ = nullptr;
};

}  // namespace geodescent
