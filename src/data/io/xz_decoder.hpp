// Xz, and the older lzma, by liblzma, which compares the checksums of xz; lzma has none. Internal
// to the library.
#pragma once

#include <lzma.h>

#include "data/io/decoder.hpp"

namespace geodescent {

class XzDecoder final : public Decoder {
 public:
  enum class Container { xz, lzma };

  XzDecoder(NextRaw next_raw, Container container);
  ~XzDecoder() override;
  std::size_t library_bytes() const override { return static_cast<std::size_t>(lzma_memusage(&stream_)); }

 private:
  void step() override;

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace geodescent
