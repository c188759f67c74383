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

/// Random states and blocks, and what the blocks make of the states one after the other.
struct Messages {
  std::vector<sha256::State> states, expected;
  std::vector<std::vector<unsigned char>> blocks;

  Messages(testing::Random& random, std::size_t messages, std::size_t count) {
    for (std::size_t m = 0; m < messages; ++m) {
      for (std::uint32_t& word : states.emplace_back())
        word = static_cast<std::uint32_t>(random.below(std::size_t{1} << 32));
      blocks.emplace_back(count * sha256::block_size);
      for (unsigned char& byte : blocks.back()) byte = static_cast<unsigned char>(random.below(256));
      expected.push_back(states.back());
      sha256::compress_portably(expected.back(), blocks.back().data(), count);
    }
  }
};

TEST(Sha256, TwoAtOnceAreAsOneAfterTheOther) {
  testing::Random random(2);
  for (std::size_t count = 0; count < 20; ++count) {
    Messages two(random, 2, count);
    sha256::compress_both(two.states[0], two.blocks[0].data(), two.states[1], two.blocks[1].data(), count);
    ASSERT_EQ(two.states, two.expected) << count << " blocks";
  }
}

TEST(Sha256, SixteenAtOnceAreAsOneAfterTheOther) {
  const sha256::CompressLanes in_lanes = sha256::compress_lanes_by_instructions();
  if (in_lanes == nullptr) GTEST_SKIP() << "this processor has no AVX-512";
  testing::Random random(3);
  for (std::size_t count = 0; count < 20; ++count) {
    Messages all(random, sha256::lanes, count);
    std::array<sha256::State*, sha256::lanes> states;
    std::array<const unsigned char*, sha256::lanes> blocks;
    for (std::size_t l = 0; l < sha256::lanes; ++l) {
      states[l] = &all.states[l];
      blocks[l] = all.blocks[l].data();
    }
    in_lanes(states, blocks, count);
    ASSERT_EQ(all.states, all.expected) << count << " blocks";
  }
}

}  // namespace
}  // namespace geodescent
