#include "certificate/fingerprint/sha256.hpp"

#include <algorithm>
#include <cstring>

namespace geodescent {
namespace {

void compress(sha256::State& state, const unsigned char* blocks, std::size_t count) {
  static const sha256::Compress by_instructions = sha256::compress_by_instructions();
  (by_instructions != nullptr ? by_instructions : sha256::compress_portably)(state, blocks, count);
}

void compress_both(sha256::State& a, const unsigned char* blocks_of_a, sha256::State& b,
                   const unsigned char* blocks_of_b, std::size_t count) {
  static const sha256::CompressBoth by_instructions = sha256::compress_both_by_instructions();
  if (by_instructions != nullptr) return by_instructions(a, blocks_of_a, b, blocks_of_b, count);
  sha256::compress_portably(a, blocks_of_a, count);
  sha256::compress_portably(b, blocks_of_b, count);
}

const unsigned char* data_of(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

}  // namespace

void Sha256::update(std::string_view bytes) {
  length_ += bytes.size();
  const unsigned char* p = data_of(bytes);
  std::size_t left = bytes.size();
  while (left > 0) {
    if (filled_ == 0 && left >= sha256::block_size) {
      const std::size_t blocks = left / sha256::block_size;
      compress(state_, p, blocks);
      p += blocks * sha256::block_size;
      left -= blocks * sha256::block_size;
      continue;
    }
    const std::size_t taken = std::min(left, sha256::block_size - filled_);
    std::memcpy(block_.data() + filled_, p, taken);
    filled_ += taken;
    p += taken;
    left -= taken;
    if (filled_ < sha256::block_size) continue;
    compress(state_, block_.data(), 1);
    filled_ = 0;
  }
}

std::string_view Sha256::complete_block(std::string_view bytes) {
  const std::size_t missing = filled_ == 0 ? 0 : std::min(bytes.size(), sha256::block_size - filled_);
  update(bytes.substr(0, missing));
  return bytes.substr(missing);
}

void update_both(Sha256& a, std::string_view bytes_of_a, Sha256& b, std::string_view bytes_of_b) {
  bytes_of_a = a.complete_block(bytes_of_a);
  bytes_of_b = b.complete_block(bytes_of_b);
  // Where bytes are left a block is complete: no other is begun.
  const std::size_t blocks = std::min(bytes_of_a.size(), bytes_of_b.size()) / sha256::block_size;
  const std::size_t together = blocks * sha256::block_size;
  compress_both(a.state_, data_of(bytes_of_a), b.state_, data_of(bytes_of_b), blocks);
  a.length_ += together;
  b.length_ += together;
  a.update(bytes_of_a.substr(together));
  b.update(bytes_of_b.substr(together));
}

/// A bit 1, zeros, and the number of bits fill the last block.
void Sha256::finish() {
  constexpr std::size_t block = sha256::block_size;
  std::array<char, 2 * block> padding{'\x80'};
  const std::uint64_t bits = 8 * length_;
  std::size_t size = 1 + (block + 56 - (length_ + 1) % block) % block;
  for (int shift = 56; shift >= 0; shift -= 8) padding[size++] = static_cast<char>(bits >> shift);
  update({padding.data(), size});
}

std::array<char, 32> Sha256::digest() {
  finish();
  std::array<char, 32> bytes{};
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<char>(state_[k / 4] >> (24 - 8 * (k % 4)));
  return bytes;
}

std::string Sha256::hex_digest() {
  finish();
  std::string digits;
  for (const std::uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) digits.push_back("0123456789abcdef"[(word >> shift) & 15]);
  }
  return digits;
}

}  // namespace geodescent
