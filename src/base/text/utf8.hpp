// UTF-8 validation. File names are arbitrary bytes, but JSON, CSV and HTML need UTF-8. Internal to
// the library.
#pragma once

#include <string>

namespace geodescent {

/// The number of bytes of the UTF-8 character at p, or 0 if there is none. Stops at the first byte
/// that does not fit, so text that ends with a newline or a zero needs no length.
int utf8_length(const char* p);

/// The text, with \xNN in place of every byte that is not part of a UTF-8 character.
std::string as_utf8(const std::string& text);

}  // namespace geodescent
