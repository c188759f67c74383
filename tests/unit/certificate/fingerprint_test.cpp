// The fingerprint of a data set: the same for the same data, for no others.
#include <gtest/gtest.h>

#include "geodescent/certificate.hpp"
#include "geodescent/threads.hpp"
#include "support/certificate_problems.hpp"

namespace geodescent::testing {
namespace {

TEST(Fingerprint, SaysWhatTheDataSay) {
  const Dataset data = dataset_of({{1, 0}, {0, 2}}, {1, -1});
  const std::string print = fingerprint(data);
  EXPECT_EQ(print.substr(0, 7), "sha256:");
  EXPECT_EQ(print.size(), 7U + 64);
  Dataset dense = data;
  dense.rows = std::make_shared<DenseRows>(Vector{1, 0, 0, 2}, 2);
  dense.name = "other";
  dense.weights = {1, 1};
  EXPECT_EQ(fingerprint(dense), print) << "neither storage nor name nor weights of 1 change what they say";
  EXPECT_NE(fingerprint(dataset_of({{1, 0}, {0, 2}}, {1, -2})), print);
  EXPECT_NE(fingerprint(dataset_of({{1, 0}, {0, 2}}, {1, -1}, {1, 2})), print);
  EXPECT_NE(fingerprint(dataset_of({{1, 0}, {2, 0}}, {1, -1})), print);
  EXPECT_NE(fingerprint(dataset_of({{0, 2}, {1, 0}}, {1, -1})), print);
  EXPECT_NE(fingerprint(dataset_of({{1, 0, 0}, {0, 2, 0}}, {1, -1})), print);
}

/// Rows enough for several blocks, some without zeros, some of ones alone, one of them empty.
Dataset many_rows(std::size_t rows) {
  Random random(5);
  std::vector<Vector> entries(rows, Vector(7));
  Vector targets(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    targets[i] = random.chance(0.5) ? 1 : -1;
    const bool ones = random.chance(0.5);
    const double density = random.chance(0.5) ? 1 : 0.5;
    for (double& x : entries[i])
      if (i > 0 && random.chance(density)) x = ones ? 1 : random.normal();
  }
  return dataset_of(entries, targets);
}

TEST(Fingerprint, IsTheSameForEveryStorageAndNumberOfThreads) {
  for (const std::size_t rows : {1, 255, 256, 257, 512, 5000}) {
    const Dataset data = many_rows(rows);
    Dataset dense = data;
    Vector entries;
    std::vector<std::uint32_t> indices;
    Vector values;
    for (std::size_t i = 0; i < rows; ++i) {
      data.rows->copy_row(i, indices, values);
      entries.resize((i + 1) * data.rows->columns());
      for (std::size_t k = 0; k < indices.size(); ++k) entries[i * data.rows->columns() + indices[k]] = values[k];
    }
    dense.rows = std::make_shared<DenseRows>(entries, data.rows->columns());
    const int before = threads();
    set_threads(1);
    const std::string print = fingerprint(data);
    EXPECT_EQ(fingerprint(dense), print) << rows;
    for (const int count : {2, 3, 8}) {
      set_threads(count);
      EXPECT_EQ(fingerprint(data), print) << rows;
    }
    set_threads(before);
  }
}

TEST(Fingerprint, NoticesAChangeInAnyBlock) {
  const Dataset data = many_rows(1000);
  const std::string print = fingerprint(data);
  for (const std::size_t i : {0, 255, 256, 700, 999}) {
    Dataset other = data;
    other.targets[i] = -other.targets[i];
    EXPECT_NE(fingerprint(other), print) << i;
    other = data;
    other.weights.assign(1000, 1.0);
    EXPECT_EQ(fingerprint(other), print);
    other.weights[i] = 2;
    EXPECT_NE(fingerprint(other), print) << i;
  }
}

TEST(Fingerprint, ValuesOfOneAreNotTheirAbsence) {
  EXPECT_NE(fingerprint(dataset_of({{1, 1}}, {1})), fingerprint(dataset_of({{1, 0}}, {1})));
  EXPECT_NE(fingerprint(dataset_of({{1, 1}}, {1})), fingerprint(dataset_of({{1, 2}}, {1})));
  EXPECT_NE(fingerprint(dataset_of({{1, 1}}, {1})), fingerprint(dataset_of({{2, 2}}, {1})));
}

/// As docs/reference/certificate.md defines it, byte by byte.
TEST(Fingerprint, IsTheSameForEver) {
  EXPECT_EQ(fingerprint(dataset_of({{1, 0}, {0, 2}}, {1, -1})),
            "sha256:a5ecb9d29167e0b1483214bfbb9d2871389e434e841edfd7a59876f6f1f51537");
}

}  // namespace
}  // namespace geodescent::testing
