// Whether this machine, at this moment, computes as the proof assumes. Internal to the library.
#pragma once

namespace geodescent::proof {

/// Throws InputError unless the calling thread rounds to nearest, keeps numbers below the smallest normal one,
/// multiplies exactly where it should, and knows a few logarithms and exponentials.
void require_sound_arithmetic();

}  // namespace geodescent::proof
