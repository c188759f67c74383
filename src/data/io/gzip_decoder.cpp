#include "data/io/gzip_decoder.hpp"

#include <new>
#include <utility>

namespace geodescent {
namespace {

constexpr int gzip_window = 15 + 16;  // the largest window, and the gzip header

}  // namespace

GzipDecoder::GzipDecoder(NextRaw next_raw) : Decoder(std::move(next_raw)) {
  if (inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
}

GzipDecoder::~GzipDecoder() { inflateEnd(&stream_); }

void GzipDecoder::step() {
  if (is_complete()) inflateReset(&stream_);
  stream_.next_in = reinterpret_cast<const Bytef*>(input().data());
  stream_.avail_in = static_cast<uInt>(input().size());
  stream_.next_out = reinterpret_cast<Bytef*>(output());
  stream_.avail_out = static_cast<uInt>(room());
  const int status = inflate(&stream_, Z_NO_FLUSH);
  consumed(input().size() - stream_.avail_in);
  produced(room() - stream_.avail_out);
  completed(status == Z_STREAM_END);
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR) return;
  fail(stream_.msg != nullptr ? stream_.msg : "invalid data");
}

}  // namespace geodescent
