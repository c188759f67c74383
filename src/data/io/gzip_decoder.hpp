// Gzip by zlib, which compares checksum and length of every member. Internal to the library.
#pragma once

#define ZLIB_CONST  // input is const for zlib, too
#include <zlib.h>

#include "data/io/decoder.hpp"

namespace geodescent {

class GzipDecoder final : public Decoder {
 public:
  explicit GzipDecoder(NextRaw next_raw);
  ~GzipDecoder() override;
  std::size_t library_bytes() const override { return std::size_t{1} << 16; }

 private:
  void step() override;

  z_stream stream_{};
};

}  // namespace geodescent
