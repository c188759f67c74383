// SHA-256 by the SHA extensions of x86 processors (Intel's manual, volume 2, SHA256RNDS2,
// SHA256MSG1 and SHA256MSG2).
#include "certificate/fingerprint/sha256_compress.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace geodescent::sha256 {

#if defined(__x86_64__) && defined(__GNUC__)
namespace {

bool has_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned ssse3 = 1U << 9, sse41 = 1U << 19, sha = 1U << 29;
  if ((c & ssse3) == 0 || (c & sse41) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0;
}

int word(std::uint32_t x) { return static_cast<int>(x); }

#define GEODESCENT_SHA_INSTRUCTIONS __attribute__((target("sha,sse4.1,ssse3")))
#define GEODESCENT_SHA_INLINE GEODESCENT_SHA_INSTRUCTIONS __attribute__((always_inline)) inline

// The instructions keep the state in two registers, from the highest word down: A B E F and C D G
// H. Two rounds make the new A B E F, and the old one becomes C D G H.
struct Registers {
  __m128i abef, cdgh;
};

GEODESCENT_SHA_INLINE Registers registers_of(const State& state) {
  return {_mm_set_epi32(word(state[0]), word(state[1]), word(state[4]), word(state[5])),
          _mm_set_epi32(word(state[2]), word(state[3]), word(state[6]), word(state[7]))};
}

GEODESCENT_SHA_INLINE State state_of(const Registers& registers) {
  alignas(16) std::array<std::uint32_t, 4> high{}, low{};
  _mm_store_si128(reinterpret_cast<__m128i*>(high.data()), registers.abef);
  _mm_store_si128(reinterpret_cast<__m128i*>(low.data()), registers.cdgh);
  return {high[3], high[2], low[3], low[2], high[1], high[0], low[1], low[0]};
}

/// Rounds 4 t to 4 t + 3 of the block at `block`. `w`: the last 16 words of the schedule, four to a
/// register; group t is w[t % 4].
GEODESCENT_SHA_INLINE void four_rounds(int t, const unsigned char* block, __m128i (&w)[4], Registers& registers) {
  const __m128i big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
  __m128i& now = w[t % 4];
  if (t < 4) {
    now = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + t), big_endian);
  } else {
    const __m128i last = w[(t + 3) % 4];
    const __m128i seven_before = _mm_alignr_epi8(last, w[(t + 2) % 4], 4);
    now = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, w[(t + 1) % 4]), seven_before), last);
  }
  const __m128i constants = _mm_loadu_si128(reinterpret_cast<const __m128i*>(round_constants.data()) + t);
  const __m128i sums = _mm_add_epi32(now, constants);
  registers.cdgh = _mm_sha256rnds2_epu32(registers.cdgh, registers.abef, sums);
  registers.abef = _mm_sha256rnds2_epu32(registers.abef, registers.cdgh, _mm_srli_si128(sums, 8));
}

GEODESCENT_SHA_INLINE void add(Registers& sum, const Registers& term) {
  sum.abef = _mm_add_epi32(sum.abef, term.abef);
  sum.cdgh = _mm_add_epi32(sum.cdgh, term.cdgh);
}

GEODESCENT_SHA_INSTRUCTIONS void compress_one_message(State& state, const unsigned char* blocks, std::size_t count) {
  Registers registers = registers_of(state);
  for (std::size_t k = 0; k < count; ++k, blocks += block_size) {
    const Registers before = registers;
    __m128i w[4];
#pragma GCC unroll 16
    for (int t = 0; t < 16; ++t) four_rounds(t, blocks, w, registers);
    add(registers, before);
  }
  state = state_of(registers);
}

GEODESCENT_SHA_INSTRUCTIONS void compress_two_messages(State& a, const unsigned char* blocks_of_a, State& b,
                                                       const unsigned char* blocks_of_b, std::size_t count) {
  Registers of_a = registers_of(a), of_b = registers_of(b);
  for (std::size_t k = 0; k < count; ++k, blocks_of_a += block_size, blocks_of_b += block_size) {
    const Registers a_before = of_a, b_before = of_b;
    __m128i words_of_a[4], words_of_b[4];
#pragma GCC unroll 16
    for (int t = 0; t < 16; ++t) {
      four_rounds(t, blocks_of_a, words_of_a, of_a);
      four_rounds(t, blocks_of_b, words_of_b, of_b);
    }
    add(of_a, a_before);
    add(of_b, b_before);
  }
  a = state_of(of_a);
  b = state_of(of_b);
}

}  // namespace

Compress compress_by_instructions() { return has_instructions() ? compress_one_message : nullptr; }
CompressBoth compress_both_by_instructions() { return has_instructions() ? compress_two_messages : nullptr; }
#else
Compress compress_by_instructions() { return nullptr; }
CompressBoth compress_both_by_instructions() { return nullptr; }
#endif

}  // namespace geodescent::sha256
