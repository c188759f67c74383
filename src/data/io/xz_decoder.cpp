#include "data/io/xz_decoder.hpp"

#include <cstdint>
#include <limits>
#include <new>
#include <utility>

namespace geodescent {
namespace {

constexpr std::uint64_t any_memory = std::numeric_limits<std::uint64_t>::max();

const char* reason_of(lzma_ret status) {
  switch (status) {
    case LZMA_FORMAT_ERROR:
      return "not the start of a stream";
    case LZMA_OPTIONS_ERROR:
      return "made with options that this liblzma does not know";
    case LZMA_UNSUPPORTED_CHECK:
      return "a checksum of a kind that this liblzma cannot compute";
    case LZMA_DATA_ERROR:
      return "a checksum or a code is wrong";
    default:
      return "invalid data";
  }
}

}  // namespace

XzDecoder::XzDecoder(NextRaw next_raw, Container container) : Decoder(std::move(next_raw)) {
  // An xz file may have several streams, with zeros between them; an lzma file has one.
  const lzma_ret status =
      container == Container::xz
          ? lzma_stream_decoder(&stream_, any_memory, LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK)
          : lzma_alone_decoder(&stream_, any_memory);
  if (status != LZMA_OK) throw std::bad_alloc();
}

XzDecoder::~XzDecoder() { lzma_end(&stream_); }

void XzDecoder::step() {
  if (is_complete()) return fail("bytes after the end");
  stream_.next_in = reinterpret_cast<const std::uint8_t*>(input().data());
  stream_.avail_in = input().size();
  stream_.next_out = reinterpret_cast<std::uint8_t*>(output());
  stream_.avail_out = room();
  const lzma_ret status = lzma_code(&stream_, input_ends() ? LZMA_FINISH : LZMA_RUN);
  consumed(input().size() - stream_.avail_in);
  produced(room() - stream_.avail_out);
  completed(status == LZMA_STREAM_END);
  if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
  if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR) fail(reason_of(status));
}

}  // namespace geodescent
