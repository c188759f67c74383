// The kernels for x86-64 with AVX2. CMakeLists.txt sets the compiler flags.
#ifdef __AVX2__
#define GEODESCENT_VECTOR_WIDTH 4
#define GEODESCENT_KERNELS avx2_kernels
#include "kernels/table.hpp"
#endif
