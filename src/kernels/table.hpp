// All kernels in one table, whose name GEODESCENT_KERNELS is given by the source of an instruction set.
#pragma once

#include "kernels/kernels.hpp"
#include "kernels/vector_kernels.hpp"

namespace geodescent {

extern const Kernels GEODESCENT_KERNELS;
const Kernels GEODESCENT_KERNELS = {
    .dot = dot,
    .axpby = axpby,
    .multi_dot = multi_dot,
    .multi_axpy = multi_axpy,
};

}  // namespace geodescent
