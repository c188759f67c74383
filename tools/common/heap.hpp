// How the program's memory is taken from the system.
#pragma once

namespace geodescent::cli {

/// Vectors come from 64 MB that stay with the program and lie in huge pages, as long as these last. Otherwise most are
/// mapped when they are made, touched page by page, and given back: a tenth of a short training. What does not fit
/// there and is longer than a few megabytes is mapped as before, so that a large training takes what it needs.
void keep_short_vectors();

}  // namespace geodescent::cli
