// Bzip2 by libbz2, which compares the checksums of every block and stream. Internal to the library.
#pragma once

#include <bzlib.h>

#include "data/io/decoder.hpp"

namespace geodescent {

class Bzip2Decoder final : public Decoder {
 public:
  explicit Bzip2Decoder(NextRaw next_raw);
  ~Bzip2Decoder() override;
  std::size_t library_bytes() const override { return 4 * 900'000; }

 private:
  void step() override;
  void begin();

  bz_stream stream_{};
};

}  // namespace geodescent
