// A binary file says what its text said, bit by bit; and one that was damaged, cut off or made to
// deceive says nothing.
#include <gtest/gtest.h>

#include <filesystem>

#include <fmt/core.h>

#include "data/binary/binary_reader.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/data/convert.hpp"
#include "geodescent/error.hpp"
#include "geodescent/threads.hpp"
#include "support/binary_file.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent {
namespace {

using testing::contents;
using testing::header_of;
using testing::put;
using testing::seal;
using testing::TemporaryFolder;

/// Everything about a data set but its name.
std::string described(const Dataset& data) {
  std::string text = fmt::format("{} rows {} columns {} nonzeros {} bytes base {} {}\n", data.rows->rows(),
                                 data.rows->columns(), data.nonzeros, data.rows->bytes(), data.zero_based ? 0 : 1,
                                 dynamic_cast<const DenseRows*>(data.rows.get()) ? "dense" : "sparse");
  return text + fingerprint(data);
}

std::string streamed(const std::string& path) {
  std::string log;
  for_each_row(path, {}, [&log](double label, auto indices, auto values) {
    log += fmt::format("{:a}", label);
    for (std::size_t k = 0; k < indices.size(); ++k) log += fmt::format(" {}:{:a}", indices[k], values[k]);
    log += '\n';
  });
  return log;
}

std::string binary_error(const std::string& path, const LibsvmOptions& options = {}) {
  try {
    (void)read_dataset(path, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// One text for each form of the matrix.
const std::vector<std::string>& texts() {
  static const std::vector<std::string> all{"1 3:1\n-1 9:1\n",
                                            "1 3:0.5\n-1 9:-2\n1\n",
                                            "1 3:0.1 4:0\n-1 9:3\n",
                                            "1 70000:1\n-1 70001:1\n",
                                            "1 0:2 70000:1\n-1 3:1",
                                            "1 7:0.1 70000:1\n-1 3:1",
                                            "1 1:1 2:2\n-1 1:3 2:4\n",
                                            "1 1:0.1 2:2\n-1 2:4\n0\n",
                                            "2.5 1:0.1\n-1.5 1:-0\n",
                                            "1\n-1\n",
                                            "1 0:1 65535:1 # \n\n-1 qid:3\n",
                                            "3 5:0 9:0\n"};
  return all;
}

TEST(BinaryData, SaysWhatTheTextSaid) {
  const TemporaryFolder folder;
  std::vector<std::string> all = texts();
  for (const auto& entry : std::filesystem::directory_iterator(GEODESCENT_TEST_DATA "/accept"))
    if (entry.path().extension() == ".svm") all.push_back(contents(entry.path().string()));
  for (const std::string& text : all) {
    SCOPED_TRACE(text.substr(0, 200));
    put(folder / "t.svm", text);
    const Conversion made = convert_libsvm(folder / "t.svm", folder / "t.gdm");
    const Dataset read = read_dataset(folder / "t.svm"), binary = read_dataset(folder / "t.gdm");
    EXPECT_EQ(described(binary), described(read));
    EXPECT_EQ(binary.targets, read.targets);
    EXPECT_EQ(made.rows, read.rows->rows());
    EXPECT_EQ(made.columns, read.rows->columns());
    EXPECT_EQ(made.nonzeros, read.nonzeros);
    EXPECT_EQ(made.bytes, std::filesystem::file_size(folder / "t.gdm"));
    const LibsvmData rows = read_libsvm(folder / "t.gdm");
    EXPECT_EQ(described(dataset_of(LibsvmData(rows), "t")).substr(0, 6), described(read).substr(0, 6));
    if (!made.dense) {
      EXPECT_EQ(streamed(folder / "t.gdm"), streamed(folder / "t.svm"));
    }
    EXPECT_EQ(folder.files(), 2U) << "nothing else is left";
  }
}

TEST(BinaryData, ManyChunksAndThreadsGiveTheSameBytes) {
  const TemporaryFolder folder;
  std::string text;
  for (int k = 0; text.size() < 1500000; ++k)
    text += fmt::format("{} {}:{} {}:1\n", k % 3, k % 100, k > 40000 ? 0.1 : 0.5, 200 + k);
  put(folder / "t.svm", text);
  const int before = threads();
  for (const int count : {1, 3}) {
    set_threads(count);
    convert_libsvm(folder / "t.svm", folder / fmt::format("{}.gdm", count));
  }
  set_threads(before);
  EXPECT_EQ(contents(folder / "1.gdm"), contents(folder / "3.gdm"));
  EXPECT_EQ(described(read_dataset(folder / "1.gdm")), described(read_dataset(folder / "t.svm")));
}

TEST(BinaryData, OptionsAreHeeded) {
  const TemporaryFolder folder;
  put(folder / "t.svm", "1 1:1 2:2\n-1 1:3 2:4\n");
  convert_libsvm(folder / "t.svm", folder / "t.gdm");
  for (const std::size_t features : {2, 3, 5, 100})
    EXPECT_EQ(described(read_dataset(folder / "t.gdm", LibsvmOptions{.features = features})),
              described(read_dataset(folder / "t.svm", LibsvmOptions{.features = features})));
  EXPECT_EQ(binary_error(folder / "t.gdm", {.features = 1}),
            folder / "t.gdm: 2 features, over the limit of 1; raise the number of features or check the file");
  EXPECT_EQ(binary_error(folder / "t.gdm", {.index_base = IndexBase::one, .features = {}}), "no error");
  EXPECT_EQ(binary_error(folder / "t.gdm", {.index_base = IndexBase::zero, .features = {}}),
            folder /
                "t.gdm: the features were numbered from 1 when the text was converted, but from 0 is asked for; "
                "convert the text with --index-base 0");
  convert_libsvm(folder / "t.svm", folder / "zero.gdm", {.index_base = IndexBase::zero, .features = 9});
  EXPECT_EQ(described(read_dataset(folder / "zero.gdm")),
            described(read_dataset(folder / "t.svm", {.index_base = IndexBase::zero, .features = 9})));
}

TEST(BinaryData, BadTextLeavesNothingBehind) {
  const TemporaryFolder folder;
  put(folder / "t.svm", "1 1:1\n1 x\n");
  put(folder / "old.gdm", "old");
  EXPECT_THROW(convert_libsvm(folder / "t.svm", folder / "old.gdm"), InputError);
  EXPECT_THROW(convert_libsvm(folder / "t.svm", folder / "new.gdm"), InputError);
  EXPECT_EQ(contents(folder / "old.gdm"), "old");
  EXPECT_EQ(folder.files(), 2U);
}

TEST(BinaryData, IsNotConvertedTwice) {
  const TemporaryFolder folder;
  put(folder / "t.svm", "1 1:1\n");
  convert_libsvm(folder / "t.svm", folder / "t.gdm");
  EXPECT_THROW(convert_libsvm(folder / "t.gdm", folder / "u.gdm"), InputError);
}

class DamagedBinaryData : public ::testing::Test {
 protected:
  /// The file of the text, and a place to put a changed one.
  std::string file_of(const std::string& text) {
    put(folder_ / "t.svm", text);
    convert_libsvm(folder_ / "t.svm", folder_ / "t.gdm");
    return contents(folder_ / "t.gdm");
  }
  std::string error_with(const std::string& file) {
    put(folder_ / "t.gdm", file);
    return binary_error(folder_ / "t.gdm");
  }
  /// The same without a file.
  static std::string error_in_memory(const std::string& file) {
    const auto aligned = std::make_shared<std::vector<std::uint64_t>>(file.size() / 8 + 1);
    std::memcpy(aligned->data(), file.data(), file.size());
    try {
      read_binary({reinterpret_cast<const char*>(aligned->data()), file.size()}, aligned, "b");
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  void expect_error(const std::string& file, const std::string& words) {
    const std::string error = error_with(file);
    EXPECT_EQ(error.find(folder_ / "t.gdm: "), 0U) << error;
    EXPECT_NE(error.find(words), std::string::npos) << error;
    EXPECT_NE(error.find("; "), std::string::npos) << "no remedy: " << error;
  }

  TemporaryFolder folder_;
};

TEST_F(DamagedBinaryData, EveryChangedBitIsSeen) {
  for (const std::string& text : texts()) {
    const std::string file = file_of(text);
    for (std::size_t k = 0; k < file.size(); ++k) {
      std::string damaged = file;
      damaged[k] = static_cast<char>(damaged[k] ^ (1 << (k % 8)));
      ASSERT_NE(error_in_memory(damaged), "no error") << "byte " << k;
    }
  }
}

TEST_F(DamagedBinaryData, EveryTruncationIsSeen) {
  const std::string file = file_of("1 3:0.5\n-1 9:-2\n1\n");
  ASSERT_EQ(error_in_memory(file), "no error");
  for (std::size_t size = 0; size < file.size(); ++size) ASSERT_NE(error_in_memory(file.substr(0, size)), "no error");
  expect_error(file.substr(0, 100), "ends within its header");
  expect_error(file.substr(0, file.size() - 1), "bytes instead of");
  expect_error(file + "x", "bytes instead of");
}

TEST_F(DamagedBinaryData, ForeignFilesAreNamed) {
  const std::string file = file_of("1 3:0.5\n-1 9:-2\n1\n");
  BinaryHeader header = header_of(file);
  header.version = 2;
  std::string changed = file;
  seal(changed, header);
  expect_error(changed, "version 2, but this program supports version 1; convert the text");
  header = header_of(file);
  header.byte_order = __builtin_bswap32(byte_order_mark);
  seal(changed = file, header);
  expect_error(changed, "another byte order; convert the text on this machine");
  changed = file;
  changed.erase(4, 1);  // \r\n became \n
  expect_error(changed, "transfer as text");
  expect_error(file.substr(0, 4), "ends within its header");
}

TEST_F(DamagedBinaryData, LiesWithTheRightChecksumsAreSeen) {
  const std::string file = file_of("1 3:0.5 5:1\n-1 9:-2\n1\n");
  const auto layout = *layout_of(header_of(file));
  const auto with = [&](std::uint64_t offset, auto number) {
    std::string changed = file;
    std::memcpy(changed.data() + offset, &number, sizeof number);
    seal(changed);
    return changed;
  };
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  expect_error(with(layout.indices, std::uint16_t{9}), "indices of a sparse row must increase");
  expect_error(with(layout.indices + 2, std::uint16_t{9}), "beyond the number of columns");
  expect_error(with(layout.offsets, std::uint64_t{1}), "begin at 0");
  expect_error(with(layout.offsets + 8, std::uint64_t{1} << 60), "must not decrease");
  expect_error(with(layout.offsets + 24, std::uint64_t{1} << 60), "end at the number of entries");
  expect_error(with(layout.targets, nan), "not finite");
  expect_error(with(layout.values, std::numeric_limits<float>::infinity()), "not finite");

  const auto changed_header = [&](auto change) {
    BinaryHeader header = header_of(file);
    change(header);
    std::string changed = file;
    seal(changed, header);
    return changed;
  };
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    EXPECT_NE(error_with(changed_header([=](BinaryHeader& h) { h.rows = size; })), "no error");
    EXPECT_NE(error_with(changed_header([=](BinaryHeader& h) { h.entries = size; })), "no error");
  }
  expect_error(changed_header([](BinaryHeader& h) { h.columns = 8; }), "beyond the number of columns");
  expect_error(changed_header([](BinaryHeader& h) { h.index_bytes = 3; }), "damaged header");
  expect_error(changed_header([](BinaryHeader& h) { h.value_bytes = 2; }), "damaged header");
  expect_error(changed_header([](BinaryHeader& h) { h.dense = 1; }), "damaged header");
  expect_error(changed_header([](BinaryHeader& h) { h.repeated = std::numeric_limits<double>::infinity(); }),
               "not finite");
}

TEST_F(DamagedBinaryData, LargeFiniteNumbersAreNoLies) {
  EXPECT_EQ(error_with(file_of("1 1:1e300 2:1\n-1 1:1\n")), "no error");
  EXPECT_EQ(error_with(file_of("1 1:1e300\n-1 9:1\n")), "no error");
}

}  // namespace
}  // namespace geodescent
