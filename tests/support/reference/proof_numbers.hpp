// Conversion of the numbers of proofs to 113 bits.
#pragma once

#include "certificate/numbers/double_double.hpp"
#include "support/reference/quad.hpp"

namespace geodescent::testing {

inline Quad quad(const proof::DoubleDouble& x) { return static_cast<Quad>(x.high) + x.low; }

}  // namespace geodescent::testing
