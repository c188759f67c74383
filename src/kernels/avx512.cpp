// The kernels for x86-64 with AVX-512. CMakeLists.txt sets the compiler flags.
#ifdef __AVX512F__
#define GEODESCENT_VECTOR_WIDTH 8
#define GEODESCENT_KERNELS avx512_kernels
#include "kernels/table.hpp"
#endif
