// Showing a piece of a hostile file in a message. Internal to the library.
#pragma once

#include <string>

namespace geodescent {

/// The token at p in quotes, shortened, with \xNN for every byte that is not printable ASCII. The
/// text must end with a newline.
std::string quoted(const char* p);

/// The first byte among the next few of the line that is a control character or not UTF-8; null if
/// there is none.
const char* first_binary_byte(const char* p);

}  // namespace geodescent
