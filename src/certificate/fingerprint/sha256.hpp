// SHA-256 (FIPS 180-4). Internal to the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "certificate/fingerprint/sha256_compress.hpp"

namespace geodescent {

class Sha256 {
 public:
  void update(std::string_view bytes);
  /// The 32 bytes of the hash. Call it once, after the last update; the same holds for hex_digest.
  std::array<char, 32> digest();
  /// The same as 64 hexadecimal digits.
  std::string hex_digest();

  /// What has been hashed so far, as numbers for another process, which goes on by `take`.
  std::vector<double> numbers() const;
  void take(std::span<const double> numbers);

 private:
  void finish();

  sha256::State state_ = sha256::first_state;
  std::array<unsigned char, sha256::block_size> block_{};
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;  ///< in bytes
};

}  // namespace geodescent
