#include "data/io/zstd_decoder.hpp"

#include <new>
#include <utility>

namespace geodescent {

ZstdDecoder::ZstdDecoder(NextRaw next_raw) : Decoder(std::move(next_raw)), context_(ZSTD_createDCtx()) {
  if (!context_) throw std::bad_alloc();
}

void ZstdDecoder::step() {
  ZSTD_inBuffer in{input().data(), input().size(), 0};
  ZSTD_outBuffer out{output(), room(), 0};
  const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &in);
  if (ZSTD_isError(status) != 0) return fail(ZSTD_getErrorName(status));
  consumed(in.pos);
  produced(out.pos);
  completed(status == 0);
}

}  // namespace geodescent
