// The memory of the program.
#pragma once

namespace geodescent::cli {

/// Keeps 64 MB of huge pages for vectors until the program ends. By default the C library maps most
/// vectors one by one, touches them page by page and returns them, which takes a tenth of a short
/// training. Vectors of more than a few megabytes that do not fit are mapped as usual.
void keep_short_vectors();

}  // namespace geodescent::cli
