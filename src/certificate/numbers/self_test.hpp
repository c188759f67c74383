// Checks that the arithmetic of the calling thread is what proofs assume. Internal to the library.
#pragma once

namespace geodescent::proof {

/// Throws InputError unless the calling thread rounds to nearest, keeps subnormal numbers, computes
/// exact products with fma, and computes some known logarithms and exponentials correctly.
void require_sound_arithmetic();

}  // namespace geodescent::proof
