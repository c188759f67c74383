// Bytes from files, pipes and compressed data, and every way in which that can fail.
#include "data/io/text_source.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "geodescent/error.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent {
namespace {

using testing::contents;
using testing::put;
using testing::TemporaryFolder;

std::string all_of(const std::string& path) {
  TextSource source(path);
  std::string text;
  for (std::string_view piece = source.read(); !piece.empty(); piece = source.read()) text.append(piece);
  return text;
}

std::string reading_error(const std::string& path) {
  try {
    all_of(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string sample(const std::string& ending) {
  return (std::filesystem::path(GEODESCENT_TEST_DATA) / "compressed" / ("sample.svm" + ending)).string();
}

/// Puts another file in the place of standard input for its lifetime.
class StandardInput {
 public:
  explicit StandardInput(int descriptor) : saved_(::dup(STDIN_FILENO)) { ::dup2(descriptor, STDIN_FILENO); }
  ~StandardInput() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int saved_;
};

TEST(TextSource, PlainFile) {
  TemporaryFolder folder;
  std::string text;
  for (int k = 0; text.size() < 1000000; ++k) text += std::to_string(k) + "\n";
  put(folder / "a", text);
  EXPECT_EQ(all_of(folder / "a"), text);
  EXPECT_EQ(TextSource(folder / "a").expected_size(), text.size());
}

TEST(TextSource, EmptyAndShortFiles) {
  TemporaryFolder folder;
  for (const std::string text : {"", "1", "\n", "B", "BZ", "\x1f"}) {
    put(folder / "a", text);
    EXPECT_EQ(all_of(folder / "a"), text);
  }
}

TEST(TextSource, Failures) {
  TemporaryFolder folder;
  EXPECT_EQ(reading_error(folder / "none"), folder / "none: no such file; check the path");
  EXPECT_EQ(reading_error(folder / "."), folder / ".: is a folder; give a file of it");
  EXPECT_EQ(reading_error(""), ": no such file; check the path");
  put(folder / "file", "x");
  EXPECT_EQ(reading_error(folder / "file/x"), folder / "file/x: cannot open: Not a directory; check the path");
}

TEST(TextSource, NoPermission) {
  TemporaryFolder folder;
  put(folder / "secret", "1 1:1\n");
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod((folder / "secret").c_str(), 0), 0);
  const testing::WithoutPrivileges nobody;
  EXPECT_EQ(reading_error(folder / "secret"), folder / "secret: no permission to read it; change its mode (chmod +r)");
}

TEST(TextSource, ReadError) {
  // Reading at address 0 of the own memory fails with EIO on every Linux.
  if (::access("/proc/self/mem", R_OK) != 0) GTEST_SKIP() << "no /proc/self/mem here";
  EXPECT_EQ(reading_error("/proc/self/mem").find("/proc/self/mem: cannot read: "), 0U)
      << reading_error("/proc/self/mem");
}

class Compressed : public ::testing::TestWithParam<std::string> {
 protected:
  static constexpr std::size_t magic_ = 6;  ///< the longest: without these bytes nothing says that data is compressed
  std::string packed_ = contents(sample(GetParam()));
  std::string text_ = contents(sample(""));
  TemporaryFolder folder_;
};

TEST_P(Compressed, IsRecognisedByContent) {
  put(folder_ / "no-ending", packed_);
  EXPECT_EQ(all_of(folder_ / "no-ending"), text_);
  EXPECT_EQ(TextSource(folder_ / "no-ending").expected_size(), 0U);
}

TEST_P(Compressed, ComesThroughAPipeByteByByte) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    for (const char c : packed_) EXPECT_EQ(::write(ends[1], &c, 1), 1);
    ::close(ends[1]);
  });
  {
    const StandardInput input(ends[0]);
    EXPECT_EQ(all_of("-"), text_);
  }
  writer.join();
  ::close(ends[0]);
}

TEST_P(Compressed, EveryTruncationIsAnError) {
  for (std::size_t length = magic_; length < packed_.size(); ++length) {
    put(folder_ / "cut", packed_.substr(0, length));
    const std::string error = reading_error(folder_ / "cut");
    ASSERT_NE(error.find("data is truncated or corrupt ("), std::string::npos) << "length " << length << ": " << error;
    ASSERT_NE(error.find("; copy or download the file again"), std::string::npos) << error;
  }
}

TEST_P(Compressed, DamageIsAnError) {
  std::size_t found = 0;
  for (std::size_t k = 0; k < packed_.size(); ++k) {
    std::string damaged = packed_;
    damaged[k] = static_cast<char>(damaged[k] ^ 0x10);
    put(folder_ / "damaged", damaged);
    const std::string error = reading_error(folder_ / "damaged");
    if (error != "no error") {
      ++found;
    } else if (k >= magic_) {
      ASSERT_TRUE(all_of(folder_ / "damaged") == text_) << "byte " << k << " changed the text silently";
    }
  }
  EXPECT_GT(found, packed_.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(Formats, Compressed, ::testing::Values(".gz", ".bz2", ".xz", ".zst"),
                         [](const auto& format) { return format.param.substr(1); });

TEST(TextSource, LegacyLzma) {
  TemporaryFolder folder;
  const std::string packed = contents(sample(".lzma"));
  EXPECT_EQ(all_of(sample(".lzma")), contents(sample("")));
  for (std::size_t length = 6; length < packed.size(); ++length) {
    put(folder / "cut", packed.substr(0, length));
    ASSERT_NE(reading_error(folder / "cut"), "no error") << length;
  }
  // There is one stream in such a file.
  put(folder / "two", packed + packed);
  EXPECT_EQ(reading_error(folder / "two"), folder /
                                               "two: the lzma data is truncated or corrupt (bytes after the end); copy "
                                               "or download the file again");
}

TEST_P(Compressed, WhatFollowsMustBeCompressedToo) {
  // One byte could be the start of another stream, which is then cut off; more cannot.
  for (const std::string after : {"x", "some text that is no stream at all", "\n", "\x1f"}) {
    put(folder_ / "more", packed_ + after);
    EXPECT_NE(reading_error(folder_ / "more").find("data is truncated or corrupt ("), std::string::npos) << after;
  }
}

TEST_P(Compressed, PiecesOfAnyLengthGiveTheSame) {
  for (const std::size_t length : {1, 2, 7, 100, 1000}) {
    std::size_t position = 0;
    const auto next = [&] {
      const std::string_view piece = std::string_view(packed_).substr(std::min(position, packed_.size()), length);
      position += length;
      return piece;
    };
    const std::string ending = GetParam();
    const auto decoder = make_decoder(ending == ".gz"    ? "gzip"
                                      : ending == ".bz2" ? "bzip2"
                                      : ending == ".xz"  ? "xz"
                                                         : "zstd",
                                      next);
    std::string text;
    for (std::string_view piece = decoder->read(); !piece.empty(); piece = decoder->read()) text.append(piece);
    EXPECT_EQ(decoder->error(), nullptr);
    EXPECT_EQ(text, text_) << length;
    EXPECT_TRUE(decoder->read().empty());
  }
}

TEST(TextSource, AnUnknownCompressionIsMisuse) {
  EXPECT_THROW(make_decoder("zip", [] { return std::string_view(); }), std::invalid_argument);
}

TEST(TextSource, XzStreamsMayHaveZerosBetweenThem) {
  TemporaryFolder folder;
  const std::string packed = contents(sample(".xz")), text = contents(sample(""));
  put(folder / "padded", packed + std::string(8, '\0') + packed + std::string(4, '\0'));
  EXPECT_EQ(all_of(folder / "padded"), text + text);
  put(folder / "odd", packed + std::string(3, '\0'));
  EXPECT_NE(reading_error(folder / "odd"), "no error");
}

TEST(TextSource, ManyStreamsFillManyBuffers) {
  TemporaryFolder folder;
  for (const std::string ending : {".gz", ".bz2", ".xz", ".zst"}) {
    const std::string packed = contents(sample(ending)), text = contents(sample(""));
    std::string many, expected;
    while (expected.size() < 1500000) many += packed, expected += text;
    put(folder / "many", many);
    EXPECT_TRUE(all_of(folder / "many") == expected) << ending;
    put(folder / "cut", many.substr(0, many.size() - 1));
    EXPECT_NE(reading_error(folder / "cut"), "no error") << ending;
  }
}

TEST(TextSource, SeveralStreamsInOneFile) {
  TemporaryFolder folder;
  for (const std::string ending : {".gz", ".bz2", ".xz", ".zst"}) {
    const std::string packed = contents(sample(ending));
    put(folder / "two", packed + packed);
    EXPECT_EQ(all_of(folder / "two"), contents(sample("")) + contents(sample(""))) << ending;
  }
}

}  // namespace
}  // namespace geodescent
