// Guesses the format of a file of another kind from one of its lines. Internal to the library.
#pragma once

#include <string_view>

namespace geodescent {

/// "CSV", "a Parquet file", "a model"; empty for LIBSVM text and for what is unknown. Only the
/// bytes before a newline or NUL count.
std::string_view foreign_kind(std::string_view line);

/// The same, or "LIBSVM text" for a line that has an index:value pair.
std::string_view kind_of_file(std::string_view line);

}  // namespace geodescent
