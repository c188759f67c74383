// The test vectors of the standard (FIPS 180-4 and NIST's examples), whatever the pieces.
#include "certificate/sha256.hpp"

#include <gtest/gtest.h>

namespace geodescent {
namespace {

std::string hash(std::string_view text, std::size_t piece = std::string_view::npos) {
  Sha256 hash;
  for (; text.size() > piece; text.remove_prefix(piece)) hash.update(text.substr(0, piece));
  hash.update(text);
  return hash.hex_digest();
}

TEST(Sha256, StandardVectors) {
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      hash("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqr"
           "stnopqrstu"),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(hash(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(hash("\xbd"), "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
}

TEST(Sha256, PiecesDoNotMatter) {
  for (std::size_t length = 0; length < 200; ++length) {
    const std::string text(length, 'x');
    for (const std::size_t piece : {1, 7, 55, 64, 65, 128}) EXPECT_EQ(hash(text, piece), hash(text)) << length;
  }
}

}  // namespace
}  // namespace geodescent
