// Functions that are compiled once for each instruction set. Internal to the library.
#pragma once

// Compiled for these instruction sets and selected at run time. The bits are the same, because
// lanes fix the order of additions. std::fma is a slow function on processors older than 2013. As
// in parallel.hpp, only GCC supports this.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GEODESCENT_FMA_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GEODESCENT_FMA_CLONES
#endif
/// Functions that a clone calls for each entry must be inlined into it.
#define GEODESCENT_PROOF_INLINE inline __attribute__((always_inline))
