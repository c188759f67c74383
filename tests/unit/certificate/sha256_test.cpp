// The test vectors of the standard (FIPS 180-4 and NIST's examples), whatever the pieces.
#include "certificate/fingerprint/sha256.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/random.hpp"

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

TEST(Sha256, DigestInBytesAndInDigits) {
  Sha256 hash_of_abc;
  hash_of_abc.update("abc");
  const std::array<char, 32> bytes = hash_of_abc.digest();
  EXPECT_EQ(bytes[0], '\xba');
  EXPECT_EQ(bytes[1], '\x78');
  EXPECT_EQ(bytes[31], '\xad');
}

TEST(Sha256, InstructionsOfTheProcessorGiveTheSameBits) {
  const sha256::Compress by_instructions = sha256::compress_by_instructions();
  if (by_instructions == nullptr) GTEST_SKIP() << "this processor has no SHA instructions";
  testing::Random random(1);
  for (std::size_t count = 0; count < 20; ++count) {
    for (int repetition = 0; repetition < 20; ++repetition) {
      std::vector<unsigned char> blocks(count * sha256::block_size);
      for (unsigned char& byte : blocks) byte = static_cast<unsigned char>(random.below(256));
      sha256::State expected;
      for (std::uint32_t& word : expected) word = static_cast<std::uint32_t>(random.below(std::size_t{1} << 32));
      sha256::State found = expected;
      sha256::compress_portably(expected, blocks.data(), count);
      by_instructions(found, blocks.data(), count);
      ASSERT_EQ(found, expected) << count << " blocks";
    }
  }
}

TEST(Sha256, TwoAtOnceAreAsOneAfterTheOther) {
  testing::Random random(2);
  const auto random_text = [&](std::size_t length) {
    std::string text(length, '\0');
    for (char& byte : text) byte = static_cast<char>(random.below(256));
    return text;
  };
  for (int repetition = 0; repetition < 200; ++repetition) {
    Sha256 a, b;
    std::string all_of_a, all_of_b;
    for (std::size_t pieces = random.below(5); pieces > 0; --pieces) {
      const std::string of_a = random_text(random.below(300)), of_b = random_text(random.below(300));
      update_both(a, of_a, b, of_b);
      all_of_a += of_a;
      all_of_b += of_b;
    }
    ASSERT_EQ(a.hex_digest(), hash(all_of_a)) << all_of_a.size() << " bytes";
    ASSERT_EQ(b.hex_digest(), hash(all_of_b)) << all_of_b.size() << " bytes";
  }
}

}  // namespace
}  // namespace geodescent
