// Every real data set parses to the counts of its MANIFEST. Skipped where the data is not at hand.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "geodescent/data/libsvm.hpp"

namespace geodescent {
namespace {

/// "-1:1210,+1:395" as counts; empty for "28 distinct".
std::map<double, std::size_t> label_counts(const std::string& text) {
  std::map<double, std::size_t> counts;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) {
    const std::size_t colon = item.find(':');
    if (colon == std::string::npos) return {};
    counts[std::stod(item.substr(0, colon))] = std::stoul(item.substr(colon + 1));
  }
  return counts;
}

TEST(SharedData, EverySetParsesToItsManifest) {
  const std::filesystem::path folder = GEODESCENT_SHARED_DATA;
  std::ifstream manifest(folder / "MANIFEST.tsv");
  if (!manifest) GTEST_SKIP() << "no MANIFEST.tsv in '" << folder.string() << "': real data is not here";
  std::string line;
  std::getline(manifest, line);
  std::size_t sets = 0;
  while (std::getline(manifest, line)) {
    std::istringstream fields(line);
    std::string name;
    std::string rows;
    std::string max_index;
    std::string nonzeros;
    std::string labels;
    for (std::string* field : {&name, &rows, &max_index, &nonzeros, &labels}) std::getline(fields, *field, '\t');
    SCOPED_TRACE(name);
    const LibsvmData data = read_libsvm((folder / (name + ".xz")).string());
    EXPECT_EQ(data.rows.rows(), std::stoul(rows));
    EXPECT_EQ(data.rows.columns(), std::stoul(max_index));
    EXPECT_EQ(data.rows.nonzeros(), std::stoul(nonzeros));
    std::map<double, std::size_t> found;
    for (const double target : data.targets) ++found[target];
    const auto expected = label_counts(labels);
    if (expected.empty()) {
      EXPECT_EQ(found.size(), std::stoul(labels));
    } else {
      EXPECT_EQ(found, expected);
    }
    ++sets;
  }
  EXPECT_GT(sets, 0U);
}

}  // namespace
}  // namespace geodescent
