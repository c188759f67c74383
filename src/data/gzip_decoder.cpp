// Gzip by zlib.
#include "data/gzip_decoder.hpp"

#include <cstddef>
#include <new>
#include <utility>

namespace geodescent {
namespace {

constexpr std::size_t text_size = std::size_t{1} << 18;
constexpr int gzip_window = 15 + 16;  // the largest window, and the gzip header

}  // namespace

GzipDecoder::GzipDecoder(std::function<std::string_view()> next_raw)
    : next_raw_(std::move(next_raw)), text_(text_size) {
  if (inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
}

GzipDecoder::~GzipDecoder() { inflateEnd(&stream_); }

/// Gets more input where there is none; false at its end.
bool GzipDecoder::refill() {
  if (stream_.avail_in > 0) return true;
  const std::string_view raw = next_raw_();
  stream_.next_in = reinterpret_cast<const Bytef*>(raw.data());
  stream_.avail_in = static_cast<uInt>(raw.size());
  return !raw.empty();
}

std::string_view GzipDecoder::read() {
  stream_.next_out = reinterpret_cast<Bytef*>(text_.data());
  stream_.avail_out = static_cast<uInt>(text_.size());
  while (error_ == nullptr && stream_.avail_out == text_.size()) {
    if (!refill()) {
      if (!between_members_) error_ = "unexpected end";
      break;
    }
    const int status = inflate(&stream_, Z_NO_FLUSH);
    between_members_ = status == Z_STREAM_END;
    if (between_members_) {
      inflateReset(&stream_);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      error_ = stream_.msg != nullptr ? stream_.msg : "invalid data";
    }
  }
  return {text_.data(), text_.size() - stream_.avail_out};
}

}  // namespace geodescent
