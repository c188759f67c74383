// SHA-256 (FIPS 180-4). Internal to the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace geodescent {

class Sha256 {
 public:
  void update(std::string_view bytes);
  /// 64 hexadecimal digits. To be called once, after the last update.
  std::string hex_digest();

 private:
  static constexpr std::size_t block_size = 64;

  void compress(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, block_size> block_{};
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;  ///< in bytes
};

}  // namespace geodescent
