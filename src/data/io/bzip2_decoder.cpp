#include "data/io/bzip2_decoder.hpp"

#include <new>
#include <utility>

namespace geodescent {
namespace {

const char* reason_of(int status) {
  switch (status) {
    case BZ_DATA_ERROR_MAGIC:
      return "not the start of a bzip2 stream";
    case BZ_DATA_ERROR:
      return "a checksum or a code is wrong";
    default:
      return "invalid data";
  }
}

}  // namespace

Bzip2Decoder::Bzip2Decoder(NextRaw next_raw) : Decoder(std::move(next_raw)) { begin(); }

Bzip2Decoder::~Bzip2Decoder() { BZ2_bzDecompressEnd(&stream_); }

void Bzip2Decoder::begin() {
  stream_ = {};
  constexpr int silent = 0, fast = 0;
  if (BZ2_bzDecompressInit(&stream_, silent, fast) != BZ_OK) throw std::bad_alloc();
}

void Bzip2Decoder::step() {
  if (is_complete()) {
    BZ2_bzDecompressEnd(&stream_);
    begin();
  }
  stream_.next_in = const_cast<char*>(input().data());  // only read
  stream_.avail_in = static_cast<unsigned>(input().size());
  stream_.next_out = output();
  stream_.avail_out = static_cast<unsigned>(room());
  const int status = BZ2_bzDecompress(&stream_);
  consumed(input().size() - stream_.avail_in);
  produced(room() - stream_.avail_out);
  completed(status == BZ_STREAM_END);
  if (status == BZ_MEM_ERROR) throw std::bad_alloc();
  if (status != BZ_OK && status != BZ_STREAM_END) fail(reason_of(status));
}

}  // namespace geodescent
