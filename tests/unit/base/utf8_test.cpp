#include "base/text/utf8.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace geodescent {
namespace {

TEST(Utf8, CharactersStayAndOtherBytesAreWrittenOut) {
  EXPECT_EQ(as_utf8(""), "");
  EXPECT_EQ(as_utf8("a \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), "a \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(as_utf8("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(as_utf8("\xe2\x82"), "\\xe2\\x82") << "cut off";
  EXPECT_EQ(as_utf8(std::string("a\0\xff", 3)), std::string("a\0\\xff", 6));
}

// The judge is the library that writes the journals: it throws for what it does not take.
TEST(Utf8, AgreesWithTheJsonLibraryOnEveryStartOfACharacter) {
  const auto taken = [](const std::string& text) {
    try {
      return !nlohmann::json(text).dump().empty();
    } catch (const nlohmann::json::type_error&) {
      return false;
    }
  };
  for (int first = 0x80; first < 0x100; ++first)
    for (const int second : {0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0})
      for (const std::string end : {"", "\x80", "\xbf\x80", "\xbf\xbf\xbf", "\xbf\xc0"}) {
        const std::string text = std::string{static_cast<char>(first), static_cast<char>(second)} + end;
        EXPECT_EQ(as_utf8(text) == text, taken(text)) << first << " " << second;
        EXPECT_TRUE(taken(as_utf8(text)));
      }
}

}  // namespace
}  // namespace geodescent
