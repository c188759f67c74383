// The kernels for every processor of the architecture. Two doubles are what a register of x86-64 and of ARM holds.
#define GEODESCENT_VECTOR_WIDTH 2
#define GEODESCENT_KERNELS portable_kernels
#include "kernels/table.hpp"
