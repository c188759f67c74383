// The kernels for every processor of the architecture. Registers of x86-64 and ARM hold two
// doubles.
#define GEODESCENT_VECTOR_WIDTH 2
#define GEODESCENT_KERNELS portable_kernels
#include "kernels/table.hpp"
