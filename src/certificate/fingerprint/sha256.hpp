// SHA-256 (FIPS 180-4). Internal to the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "certificate/fingerprint/sha256_compress.hpp"

namespace geodescent {

class Sha256 {
 public:
  void update(std::string_view bytes);
  /// Its 32 bytes. To be called once, after the last update; so is hex_digest.
  std::array<char, 32> digest();
  /// The same as 64 hexadecimal digits.
  std::string hex_digest();

  /// a.update(bytes_of_a) and b.update(bytes_of_b), in much less time where the processor works on both at once.
  friend void update_both(Sha256& a, std::string_view bytes_of_a, Sha256& b, std::string_view bytes_of_b);

 private:
  void finish();
  /// Takes as many bytes as are missing to a whole block and returns the others.
  std::string_view complete_block(std::string_view bytes);

  sha256::State state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, sha256::block_size> block_{};
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;  ///< in bytes
};

void update_both(Sha256& a, std::string_view bytes_of_a, Sha256& b, std::string_view bytes_of_b);

}  // namespace geodescent
