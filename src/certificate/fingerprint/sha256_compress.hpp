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
/// Every round of a state waits for the one before; the rounds of two states fill each other's waiting. Null where
/// there are no instructions.
CompressBoth compress_both_by_instructions();

}  // namespace geodescent::sha256
