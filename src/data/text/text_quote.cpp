// Showing a piece of a hostile file in a message.
#include "data/text/text_quote.hpp"

#include <cstddef>

#include <fmt/core.h>

namespace geodescent {
namespace {

unsigned byte_at(const char* p) { return static_cast<unsigned char>(*p); }

/// The bytes that follow the first byte of a UTF-8 character; -1 when no character starts so.
int continuation_bytes(unsigned first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first <= 0xdf) return 1;
  if (first >= 0xe0 && first <= 0xef) return 2;
  if (first >= 0xf0 && first <= 0xf4) return 3;
  return -1;
}

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
    const int following = continuation_bytes(byte_at(p));
    if (following < 0 || is_control(byte_at(p))) return p;
    const char* const first = p++;
    for (int k = 0; k < following; ++k, ++p) {
      if (byte_at(p) < 0x80 || byte_at(p) > 0xbf) return first;
    }
  }
  return nullptr;
}

}  // namespace geodescent
