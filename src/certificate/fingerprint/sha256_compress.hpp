// The inner loop of SHA-256, in ways that give the same bits. Internal to the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace geodescent::sha256 {

inline constexpr std::size_t block_size = 64;
using State = std::array<std::uint32_t, 8>;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
extern const std::array<std::uint32_t, 64> round_constants;

/// Takes `count` blocks of 64 bytes into the state.
using Compress = void (*)(State& state, const unsigned char* blocks, std::size_t count);

/// On every machine.
void compress_portably(State& state, const unsigned char* blocks, std::size_t count);
/// By the SHA instructions of the processor; null where it has none.
Compress compress_by_instructions();

/// Takes `count` blocks into each of two states.
using CompressBoth = void (*)(State& a, const unsigned char* blocks_of_a, State& b, const unsigned char* blocks_of_b,
                              std::size_t count);
/// Every round of a state waits for the one before; the rounds of two states fill each other's
/// waiting. Null where there are no instructions.
CompressBoth compress_both_by_instructions();

inline constexpr std::size_t lanes = 16;
/// Takes `count` blocks into each state. A state may be given for several lanes if its result is
/// not used.
using CompressLanes = void (*)(const std::array<State*, lanes>& states,
                               const std::array<const unsigned char*, lanes>& blocks, std::size_t count);
/// Null where the processor has no AVX-512.
CompressLanes compress_lanes_by_instructions();

/// The fastest one for this processor.
void compress(State& state, const unsigned char* blocks, std::size_t count);
void compress_both(State& a, const unsigned char* blocks_of_a, State& b, const unsigned char* blocks_of_b,
                   std::size_t count);

/// The padding of a message of this length: a bit 1, zeros and the number of bits fill its last
/// block.
struct Padding {
  std::array<unsigned char, 2 * block_size> bytes{};
  std::size_t size = 0;
};
Padding padding_after(std::uint64_t length);

inline constexpr State first_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
/// The hash is the last state, highest byte of a word first.
std::array<char, 32> digest_of(const State& state);

}  // namespace geodescent::sha256
