// Zstandard by libzstd, which compares the checksum of every frame that has one. Internal to the
// library.
#pragma once

#include <zstd.h>

#include <memory>

#include "data/io/decoder.hpp"

namespace geodescent {

class ZstdDecoder final : public Decoder {
 public:
  explicit ZstdDecoder(NextRaw next_raw);
  std::size_t library_bytes() const override { return ZSTD_sizeof_DCtx(context_.get()); }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  void step() override;

  std::unique_ptr<ZSTD_DCtx, Free> context_;
};

}  // namespace geodescent
