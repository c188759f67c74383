// The LIBSVM reader: what it accepts and to what, what it rejects and where, and that cutting the
// text into pieces changes neither.
#include "geodescent/data/libsvm.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <random>

#include <fmt/core.h>

#include "data/libsvm/libsvm_parser.hpp"
#include "geodescent/error.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent {
namespace {

using testing::contents;

struct Row {
  double label;
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  bool operator==(const Row&) const = default;
};

std::vector<Row> rows_of(const LibsvmData& data) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < data.rows.rows(); ++i) {
    const auto indices = data.rows.indices(i);
    const auto values = data.rows.values(i);
    rows.push_back({data.targets[i], {indices.begin(), indices.end()}, {values.begin(), values.end()}});
  }
  return rows;
}

std::string text_error(std::string_view text, const LibsvmOptions& options = {}) {
  try {
    (void)parse_libsvm(text, "t", options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::filesystem::path> corpus(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(GEODESCENT_TEST_DATA) / folder)) {
    if (entry.path().extension() == ".svm") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Rows and outcome of a parse in pieces, as one comparable text.
std::string outcome_in_pieces(std::string_view text, const std::vector<std::size_t>& cuts,
                              const LibsvmOptions& options = {}) {
  std::string log;
  LibsvmParser parser("t", options, [&](double label, auto indices, auto values) {
    log += fmt::format("{:a}", label);
    for (std::size_t k = 0; k < indices.size(); ++k) {
      log += fmt::format(" {}:{:a}", indices[k], values[k]);
    }
    log += "\n";
  });
  try {
    std::size_t begin = 0;
    for (const std::size_t cut : cuts) {
      // A copy of exact length, so that a sanitizer sees every read beyond the piece.
      const std::vector<char> piece(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                    text.begin() + static_cast<std::ptrdiff_t>(cut));
      parser.feed({piece.data(), piece.size()});
      begin = cut;
    }
    parser.feed(text.substr(begin));
    parser.finish();
    log += fmt::format("columns {} from {}", parser.columns(), parser.zero_based() ? 0 : 1);
  } catch (const InputError& error) {
    log += error.what();
  }
  return log;
}

TEST(LibsvmReader, AcceptsTheCorpus) {
  const auto files = corpus("accept");
  ASSERT_GE(files.size(), 15U);
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename().string());
    LibsvmData data = read_libsvm(file.string());
    EXPECT_GT(data.rows.rows(), 0U);
    EXPECT_EQ(rows_of(data), rows_of(parse_libsvm(contents(file.string()), "t")));
  }
}

TEST(LibsvmReader, RejectsTheCorpusWithPlaceAndReason) {
  const auto files = corpus("reject");
  ASSERT_GE(files.size(), 45U);
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename().string());
    std::string expected = contents(std::filesystem::path(file).replace_extension(".expected").string());
    expected = file.string() + ":" + expected.substr(0, expected.find('\n'));
    try {
      (void)read_libsvm(file.string());
      ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, expected.size()), expected);
      EXPECT_NE(std::string(error.what()).find("; "), std::string::npos) << "no remedy: " << error.what();
    }
  }
}

TEST(LibsvmReader, CutsChangeNothing) {
  std::mt19937_64 random(11);
  std::vector<std::filesystem::path> files = corpus("accept");
  const auto rejected = corpus("reject");
  files.insert(files.end(), rejected.begin(), rejected.end());
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename().string());
    const std::string text = contents(file.string());
    const std::string whole = outcome_in_pieces(text, {});
    std::vector<std::size_t> every_byte;
    for (std::size_t k = 0; k <= text.size(); ++k) every_byte.push_back(k);
    EXPECT_EQ(outcome_in_pieces(text, every_byte), whole);
    for (std::size_t k = 0; k <= text.size(); ++k) EXPECT_EQ(outcome_in_pieces(text, {k}), whole) << "cut at " << k;
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<std::size_t> cuts;
      for (std::size_t k = random() % 9; k < text.size(); k += random() % 9) cuts.push_back(k);
      EXPECT_EQ(outcome_in_pieces(text, cuts), whole);
    }
  }
}

TEST(LibsvmReader, Rows) {
  const LibsvmData data = parse_libsvm("# c\n+1 1:0.5 3:-2 # c\n\n-1 qid:4\r\n 2.5\t2:1e-3 4:0", "t");
  const std::vector<Row> expected{{1, {0, 2}, {0.5, -2}}, {-1, {}, {}}, {2.5, {1, 3}, {1e-3, 0}}};
  EXPECT_EQ(rows_of(data), expected);
  EXPECT_EQ(data.rows.columns(), 4U);
  EXPECT_EQ(data.rows.nonzeros(), 4U) << "an explicit zero is a stored entry";
  EXPECT_FALSE(data.zero_based);
}

TEST(LibsvmReader, BaseIsZeroWhenAnIndexZeroOccurs) {
  const LibsvmData data = parse_libsvm("1 2:1\n-1 0:3\n", "t");
  EXPECT_TRUE(data.zero_based);
  EXPECT_EQ(rows_of(data), (std::vector<Row>{{1, {2}, {1}}, {-1, {0}, {3}}}));
  EXPECT_EQ(data.rows.columns(), 3U);
}

TEST(LibsvmReader, ForcedBase) {
  const LibsvmData zero = parse_libsvm("1 2:1\n", "t", {.index_base = IndexBase::zero, .features = {}});
  EXPECT_TRUE(zero.zero_based);
  EXPECT_EQ(zero.rows.columns(), 3U);
  EXPECT_EQ(zero.rows.indices(0)[0], 2U);
  EXPECT_EQ(text_error("1 1:1\n1 0:1\n", {.index_base = IndexBase::one, .features = {}}),
            "t:2:3: index 0, but indices are 1-based; let the first index be 1, or read the file as 0-based");
}

TEST(LibsvmReader, FeatureLimit) {
  const auto limited = [](std::size_t features, IndexBase base = IndexBase::automatic) {
    return LibsvmOptions{.index_base = base, .features = features};
  };
  EXPECT_EQ(parse_libsvm("1 1:1\n", "t", limited(10)).rows.columns(), 10U);
  EXPECT_EQ(parse_libsvm("1 3:1\n", "t", limited(3)).rows.columns(), 3U);
  EXPECT_EQ(parse_libsvm("1 0:1 2:1\n", "t", limited(3)).rows.columns(), 3U);
  EXPECT_EQ(parse_libsvm("1\n", "t", limited(0)).rows.columns(), 0U);
  EXPECT_EQ(parse_libsvm("1 5:1\n", "t", limited(std::size_t{1} << 40)).rows.columns(), std::size_t{1} << 40);
  const std::string over = " is over the limit of 3 features ";
  const std::string remedy = "; raise the number of features or check the file";
  EXPECT_EQ(text_error("1 1:1 4:1\n", limited(3)), "t:1:7: index 4" + over + "(1-based)" + remedy);
  EXPECT_EQ(text_error("1 4:1\n", limited(3, IndexBase::one)), "t:1:3: index 4" + over + "(1-based)" + remedy);
  EXPECT_EQ(text_error("1 3:1\n", limited(3, IndexBase::zero)),
            "t:1:3: index 3" + over + "(0-based; is the file numbered from 1?)" + remedy);
  EXPECT_EQ(text_error("1 4:1\n", limited(3, IndexBase::zero)), "t:1:3: index 4" + over + "(0-based)" + remedy);
  EXPECT_EQ(text_error("1 0:1\n1 3:1\n", limited(3)), "t:2:3: index 3" + over + "(0-based)" + remedy);
  EXPECT_EQ(text_error("1 3:1\n1 0:1\n", limited(3)),
            "t:2:3: index 0 makes the file 0-based, so index 3 in line 1 is over the limit of 3 features" + remedy);
  EXPECT_EQ(text_error("1 1:1\n", limited(0)), "t:1:3: index 1 is over the limit of 0 features (1-based)" + remedy);
}

TEST(LibsvmReader, LargestIndexFitsBothBases) {
  EXPECT_EQ(parse_libsvm("1 4294967294:1\n", "t").rows.columns(), 4294967294U);
  EXPECT_EQ(parse_libsvm("1 0:1 4294967294:1\n", "t").rows.columns(), 4294967295U);
}

TEST(LibsvmReader, NumbersAreRoundedLikeStrtod) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string number = random() % 2 ? "-" : "";
    const auto digits = [&](std::size_t most) {
      for (std::size_t k = random() % (most + 1); k > 0; --k) number += static_cast<char>('0' + random() % 10);
    };
    number += static_cast<char>('0' + random() % 10);
    digits(20);
    if (random() % 4) {
      number += '.';
      digits(25);
    }
    if (random() % 3 == 0) number += fmt::format("e{}", static_cast<int>(random() % 640) - 330);
    const double expected = std::strtod(number.c_str(), nullptr);
    if (!std::isfinite(expected)) continue;
    const LibsvmData data = parse_libsvm("1 1:" + number + "\n", "t");
    ASSERT_EQ(std::bit_cast<std::uint64_t>(data.rows.values(0)[0]), std::bit_cast<std::uint64_t>(expected)) << number;
  }
}

TEST(LibsvmReader, UnderflowIsZero) {
  const LibsvmData data = parse_libsvm("1 1:1e-400 2:-1e-400\n", "t");
  EXPECT_EQ(data.rows.values(0)[0], 0);
  EXPECT_EQ(data.rows.values(0)[1], 0);
}

TEST(LibsvmReader, LinesOfAnyLength) {
  std::string text = "1";
  const std::uint32_t entries = 300000;
  for (std::uint32_t k = 1; k <= entries; ++k) text += fmt::format(" {}:0.5", k);
  testing::TemporaryFolder folder;
  testing::put(folder / "long.svm", text + "\n-1 1:2\n");
  const LibsvmData data = read_libsvm(folder / "long.svm");
  EXPECT_EQ(data.rows.longest_row(), entries);
  EXPECT_EQ(data.rows.rows(), 2U);
  // The column counts from the start of the line although the line came in several pieces.
  testing::put(folder / "long.svm", "# c\n" + text + " x:1\n");
  try {
    (void)read_libsvm(folder / "long.svm");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    const std::string place = fmt::format("long.svm:2:{}: 'x:1' is not an index:value pair", text.size() + 2);
    EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
  }
}

TEST(LibsvmReader, EndlessBinaryInputEnds) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  try {
    (void)read_libsvm("/dev/zero");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 40), "/dev/zero:1:1: byte 0x00 is not text, th");
  }
}

TEST(LibsvmReader, DatasetIsInBestForm) {
  testing::TemporaryFolder folder;
  testing::put(folder / "dense.svm", "1 1:1 2:2\n-1 1:3 2:4\n");
  const Dataset dense = read_dataset(folder / "dense.svm");
  EXPECT_EQ(dense.name, folder / "dense.svm");
  EXPECT_NE(dynamic_cast<const DenseRows*>(dense.rows.get()), nullptr);
  EXPECT_EQ(dense.targets, Vector({1, -1}));
  testing::put(folder / "sparse.svm", "1 1:1\n-1 9:4\n");
  EXPECT_NE(dynamic_cast<const SparseRows*>(read_dataset(folder / "sparse.svm").rows.get()), nullptr);
}

}  // namespace
}  // namespace geodescent
