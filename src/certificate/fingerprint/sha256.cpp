#include "certificate/fingerprint/sha256.hpp"

#include <algorithm>
#include <cstring>

namespace geodescent {

void sha256::compress(State& state, const unsigned char* blocks, std::size_t count) {
  static const Compress by_instructions = compress_by_instructions();
  (by_instructions != nullptr ? by_instructions : compress_portably)(state, blocks, count);
}

void sha256::compress_both(State& a, const unsigned char* blocks_of_a, State& b, const unsigned char* blocks_of_b,
                           std::size_t count) {
  static const CompressBoth by_instructions = compress_both_by_instructions();
  if (by_instructions != nullptr) return by_instructions(a, blocks_of_a, b, blocks_of_b, count);
  compress_portably(a, blocks_of_a, count);
  compress_portably(b, blocks_of_b, count);
}

sha256::Padding sha256::padding_after(std::uint64_t length) {
  Padding padding;
  padding.bytes[0] = 0x80;
  padding.size = 1 + (block_size + 56 - (length + 1) % block_size) % block_size;
  const std::uint64_t bits = 8 * length;
  for (int shift = 56; shift >= 0; shift -= 8)
    padding.bytes[padding.size++] = static_cast<unsigned char>(bits >> shift);
  return padding;
}

std::array<char, 32> sha256::digest_of(const State& state) {
  std::array<char, 32> bytes{};
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<char>(state[k / 4] >> (24 - 8 * (k % 4)));
  return bytes;
}

namespace {

const unsigned char* data_of(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

}  // namespace

void Sha256::update(std::string_view bytes) {
  length_ += bytes.size();
  const unsigned char* p = data_of(bytes);
  std::size_t left = bytes.size();
  while (left > 0) {
    if (filled_ == 0 && left >= sha256::block_size) {
      const std::size_t blocks = left / sha256::block_size;
      sha256::compress(state_, p, blocks);
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
    sha256::compress(state_, block_.data(), 1);
    filled_ = 0;
  }
}

void Sha256::finish() {
  const sha256::Padding padding = sha256::padding_after(length_);
  update({reinterpret_cast<const char*>(padding.bytes.data()), padding.size});
}

std::vector<double> Sha256::numbers() const {
  std::vector<double> numbers(state_.begin(), state_.end());
  numbers.insert(numbers.end(), block_.begin(), block_.end());
  numbers.push_back(static_cast<double>(filled_));
  numbers.push_back(static_cast<double>(length_));
  return numbers;
}

void Sha256::take(std::span<const double> numbers) {
  const double* next = numbers.data();
  for (std::uint32_t& word : state_) word = static_cast<std::uint32_t>(*next++);
  for (unsigned char& byte : block_) byte = static_cast<unsigned char>(*next++);
  filled_ = static_cast<std::size_t>(*next++);
  length_ = static_cast<std::uint64_t>(*next);
}

std::array<char, 32> Sha256::digest() {
  finish();
  return sha256::digest_of(state_);
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
