#include "base/text/utf8.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace geodescent {
namespace {

unsigned byte_at(const char* p) { return static_cast<unsigned char>(*p); }

struct Start {
  int length = 0;
  unsigned least = 0x80, most = 0xbf;  ///< the range of the second byte
};

/// Table 3-7 of the Unicode standard. The limits of the second byte exclude overlong forms,
/// surrogates and numbers above 0x10ffff.
Start start_of(unsigned first) {
  if (first < 0x80) return {.length = 1};
  if (first < 0xc2) return {};
  if (first < 0xe0) return {.length = 2};
  if (first == 0xe0) return {.length = 3, .least = 0xa0};
  if (first == 0xed) return {.length = 3, .most = 0x9f};
  if (first < 0xf0) return {.length = 3};
  if (first == 0xf0) return {.length = 4, .least = 0x90};
  if (first < 0xf4) return {.length = 4};
  if (first == 0xf4) return {.length = 4, .most = 0x8f};
  return {};
}

}  // namespace

int utf8_length(const char* p) {
  const Start start = start_of(byte_at(p));
  if (start.length < 2) return start.length;
  if (byte_at(p + 1) < start.least || byte_at(p + 1) > start.most) return 0;
  for (int k = 2; k < start.length; ++k)
    if (byte_at(p + k) < 0x80 || byte_at(p + k) > 0xbf) return 0;
  return start.length;
}

std::string as_utf8(const std::string& text) {
  std::string result;
  for (std::size_t k = 0; k < text.size();) {
    const auto length = static_cast<std::size_t>(utf8_length(text.data() + k));
    if (length == 0)
      result += fmt::format("\\x{:02x}", byte_at(text.data() + k));
    else
      result.append(text, k, length);
    k += length == 0 ? 1 : length;
  }
  return result;
}

}  // namespace geodescent
