// Showing a piece of a hostile file in a message. Internal to the library.
#pragma once

#include <string>

namespace geodescent {

/// The token at p in quotes; shortened, and with every byte that is no printable ASCII written as \xNN. The text must
/// end with a newline.
std::string quoted(const char* p);

/// The first byte among the next few of the line that cannot be text (a control character or no UTF-8); else null.
const char* first_binary_byte(const char* p);

}  // namespace geodescent
