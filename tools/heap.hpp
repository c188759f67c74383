// How the program's memory is taken from the system.
#pragma once

namespace geodescent::cli {

/// Vectors of up to a few megabytes come from memory that stays with the program and lies in huge pages. Otherwise each
/// is mapped when it is made, page by page, and given back: a tenth of a short training. Longer ones are mapped as
/// before, so that what a large training takes is what it needs.
void keep_short_vectors();

}  // namespace geodescent::cli
