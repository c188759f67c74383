// Rows handed on one by one are the rows of the whole file, and the numbering of the features is
// settled early.
#include <gtest/gtest.h>

#include <filesystem>

#include "geodescent/data/libsvm.hpp"
#include "geodescent/error.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent {
namespace {

using testing::put;
using testing::TemporaryFolder;

struct Rows {
  Vector labels;
  std::vector<std::uint32_t> indices;  ///< of all rows, one after the other
  std::vector<double> values;
  std::vector<std::size_t> lengths;
  bool operator==(const Rows&) const = default;
};

Rows rows_of_stream(const std::string& path, IndexBase base = IndexBase::automatic) {
  Rows rows;
  for_each_row(path, {.index_base = base, .features = {}}, [&rows](double label, auto indices, auto values) {
    rows.labels.push_back(label);
    rows.indices.insert(rows.indices.end(), indices.begin(), indices.end());
    rows.values.insert(rows.values.end(), values.begin(), values.end());
    rows.lengths.push_back(indices.size());
  });
  return rows;
}

Rows read_whole(const std::string& path) {
  const LibsvmData data = read_libsvm(path);
  Rows rows;
  rows.labels = data.targets;
  for (std::size_t i = 0; i < data.rows.rows(); ++i) {
    const auto indices = data.rows.indices(i);
    const auto values = data.rows.values(i);
    rows.indices.insert(rows.indices.end(), indices.begin(), indices.end());
    rows.values.insert(rows.values.end(), values.begin(), values.end());
    rows.lengths.push_back(indices.size());
  }
  return rows;
}

TEST(RowStream, HasTheRowsOfTheReader) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GEODESCENT_TEST_DATA "/accept")) {
    if (entry.path().extension() != ".svm") continue;
    const LibsvmData data = read_libsvm(entry.path().string());
    const IndexBase base = data.zero_based ? IndexBase::zero : IndexBase::one;
    EXPECT_EQ(rows_of_stream(entry.path().string(), base), read_whole(entry.path().string())) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 5U);
}

TEST(RowStream, TheFirstEntryDecidesTheBase) {
  const TemporaryFolder folder;
  put(folder / "one", "1\n-1 2:1\n1 1:3\n");
  EXPECT_EQ(rows_of_stream(folder / "one").indices, (std::vector<std::uint32_t>{1, 0}));
  put(folder / "zero", "1\n-1 0:1\n1 1:3\n");
  EXPECT_EQ(rows_of_stream(folder / "zero").indices, (std::vector<std::uint32_t>{0, 1}));
}

TEST(RowStream, ALateIndexZeroIsAnErrorWithARemedy) {
  const TemporaryFolder folder;
  const std::string path = folder / "late";
  put(path, "1 1:1\n-1 0:1\n");
  try {
    rows_of_stream(path);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), path +
                                ":2:4: index 0, but indices are 1-based; let the first index be 1, or read the file "
                                "as 0-based");
  }
  EXPECT_EQ(rows_of_stream(path, IndexBase::zero).indices, (std::vector<std::uint32_t>{1, 0}));
}

TEST(RowStream, RefusesWhatTheReaderRefuses) {
  for (const auto& entry : std::filesystem::directory_iterator(GEODESCENT_TEST_DATA "/reject")) {
    if (entry.path().extension() != ".svm") continue;
    EXPECT_THROW(rows_of_stream(entry.path().string()), InputError) << entry.path();
  }
}

}  // namespace
}  // namespace geodescent
