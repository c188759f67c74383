// Showing a piece of a hostile file in a message.
#include "data/text/text_quote.hpp"

#include <cstddef>

#include <fmt/core.h>

#include "base/text/utf8.hpp"

namespace geodescent {
namespace {

unsigned byte_at(const char* p) { return static_cast<unsigned char>(*p); }

bool is_control(unsigned byte) { return (byte < 0x20 && byte != '\t' && byte != '\r') || byte == 0x7f; }

}  // namespace

std::string quoted(const char* p) {
  constexpr std::size_t longest = 24;
  std::string shown = "'";
  for (std::size_t count = 0; byte_at(p) > ' '; ++p, ++count) {
    if (count == longest) {
      shown += "...";
      break;
    }
    const unsigned byte = byte_at(p);
    if (byte < 0x7f) {
      shown += *p;
    } else {
      shown += fmt::format("\\x{:02x}", byte);
    }
  }
  return shown + "'";
}

const char* first_binary_byte(const char* p) {
  constexpr std::size_t window = 64;
  const char* const end = p + window;
  while (p < end && *p != '\n') {
    const int length = utf8_length(p);
    if (length == 0 || is_control(byte_at(p))) return p;
    p += length;
  }
  return nullptr;
}

}  // namespace geodescent
