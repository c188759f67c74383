#include "peers/data.hpp"

#include <gtest/gtest.h>

#include "geodescent/error.hpp"
#include "peers/programs/vw.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::lab {
namespace {

LibsvmData parsed(const std::string& text) { return parse_libsvm(text, "data.svm"); }

TEST(PeersData, TheLargerOfTwoLabelsIsPositive) {
  LibsvmData data = parsed("2 1:1\n1 1:2\n2 1:3\n");
  EXPECT_EQ(make_binary(data, "data.svm"), "");
  EXPECT_EQ(data.targets, (Vector{1, -1, 1}));
}

TEST(PeersData, MoreClassesBecomeTwoByParity) {
  LibsvmData data = parsed("0 1:1\n1 1:2\n2 1:3\n3 1:4\n-1 1:5\n");
  EXPECT_EQ(make_binary(data, "data.svm"), "5 classes, made two by parity: odd is +1");
  EXPECT_EQ(data.targets, (Vector{-1, 1, -1, 1, 1}));
}

TEST(PeersData, WhatHasNoTwoClassesIsRefused) {
  for (const char* text : {"1 1:1\n1 1:2\n", "0.5 1:1\n1.5 1:2\n2 1:3\n", "2 1:1\n4 1:2\n6 1:3\n"}) {
    LibsvmData data = parsed(text);
    EXPECT_THROW(make_binary(data, "data.svm"), InputError) << text;
  }
}

TEST(PeersData, FilesSayTheSameInBothFormats) {
  const testing::TemporaryFolder folder;
  testing::put(folder / "data.svm", "0 0:0.1 2:3\n7 1:-2e-300\n0\n");
  const ScratchFolder scratch;
  const PeerData data = prepare_data("data", folder / "data.svm", scratch, {.vw = true});
  EXPECT_EQ(testing::contents(data.libsvm_file), "-1 1:0.1 3:3\n+1 2:-2e-300\n-1\n") << "features counted from 1";
  EXPECT_EQ(testing::contents(data.vw_file), "-1 | 1:0.1 3:3\n+1 | 2:-2e-300\n-1 |\n");
  EXPECT_EQ(data.rows, 3u);
  EXPECT_EQ(data.features, 3u);
  EXPECT_EQ(data.nonzeros, 3u);
  EXPECT_EQ(data.data.targets, (Vector{-1, 1, -1}));
  EXPECT_EQ(prepare_data("data", folder / "data.svm", scratch, {}).vw_file, "");
}

TEST(PeersData, TargetsOfARegressionStayAsTheyAre) {
  const testing::TemporaryFolder folder;
  testing::put(folder / "data.svm", "0.25 1:1\n-3e-20 2:1\n7 1:2\n");
  const ScratchFolder scratch;
  const PeerData data = prepare_data("data", folder / "data.svm", scratch, {.regression = true, .vw = true});
  EXPECT_EQ(testing::contents(data.libsvm_file), "0.25 1:1\n-3e-20 2:1\n7 1:2\n");
  EXPECT_EQ(testing::contents(data.vw_file), "0.25 | 1:1\n-3e-20 | 2:1\n7 | 1:2\n");
  EXPECT_EQ(data.data.targets, (Vector{0.25, -3e-20, 7}));
  EXPECT_EQ(data.note, "");
}

TEST(PeersData, SeveralClassesAreNumberedFromOne) {
  const testing::TemporaryFolder folder;
  testing::put(folder / "data.svm", "7 1:1\n-1.5 2:1\n7 1:2\n100 1:3\n");
  const ScratchFolder scratch;
  const PeerData data = prepare_data("data", folder / "data.svm", scratch, {.classes = true});
  EXPECT_EQ(testing::contents(data.libsvm_file), "2 1:1\n1 2:1\n2 1:2\n3 1:3\n");
  EXPECT_EQ(data.data.targets, (Vector{2, 1, 2, 3}));
  EXPECT_EQ(data.classes, 3u);
  testing::put(folder / "data.svm", "7 1:1\n-1 2:1\n");
  EXPECT_THROW(prepare_data("data", folder / "data.svm", scratch, {.classes = true}), InputError);
}

TEST(PeersData, TheFolderGoesAway) {
  std::string path;
  {
    const ScratchFolder scratch;
    path = scratch.path();
    testing::put(scratch / "file", "text");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(PeersVw, ReadsItsModel) {
  const std::string header = "Version 9.11.9\nId \nMin label:-50\nbits:2\noptions: --bfgs\nChecksum: 1\n:0\n";
  EXPECT_EQ(parse_vw_weights(header + "1:-1.5\n3:2e-05\n", "vw.model", 3), (Vector{-1.5, 0, 2e-05}));
  EXPECT_EQ(parse_vw_weights(header, "vw.model", 2), (Vector{0, 0})) << "weights of 0 are not written";
  for (const std::string& text : {std::string("no header\n"), header + "1\n", header + "x:1\n", header + "4:1\n"})
    EXPECT_THROW(parse_vw_weights(text, "vw.model", 3), InputError) << text;
}

}  // namespace
}  // namespace geodescent::lab
