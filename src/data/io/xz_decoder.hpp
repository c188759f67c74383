// Xz, and the older lzma, by liblzma, which compares the checksums of xz; lzma has none. Internal to the library.
#pragma once

#include <lzma.h>

#include "data/io/decoder.hpp"

namespace geodescent {

class XzDecoder final : public Decoder {
 public:
  enum class Container { xz, lzma };

  XzDecoder(NextRaw next_raw, Container container);
  ~XzDecoder() override;

 private:
  void step() override;

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace geodescent
