// What rows count: integer weights are repetitions, weight 0 is absence; and the errors.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "geodescent/data/convert.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/cross_validation.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "support/input_errors.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

constexpr const char* text = "1 1:1 3:2\n-1 2:1\n2 1:5\n1 2:3 3:1\n-1 1:1 2:2 3:3\n";

LibsvmData sample() { return parse_libsvm(text, "sample"); }

std::string file_with(const TemporaryFolder& folder, const std::string& content) {
  std::ofstream(folder / "weights") << content;
  return folder / "weights";
}

std::string weighting_error(const DatasetOptions& options) {
  try {
    (void)dataset_of(sample(), "sample", options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RowWeights, WithoutAnyTheDataAreAsRead) {
  const Dataset data = dataset_of(sample(), "sample", {});
  EXPECT_EQ(data.rows->rows(), 5u);
  EXPECT_TRUE(data.weights.empty());
  EXPECT_EQ(total_weight(data), 5);
}

TEST(RowWeights, AllOnesAreNoWeights) {
  const TemporaryFolder folder;
  EXPECT_TRUE(dataset_of(sample(), "sample", {.row_weights = file_with(folder, "1\n1\n1\n1\n1\n")}).weights.empty());
}

TEST(RowWeights, ALineHasALimit) {
  const TemporaryFolder folder;
  EXPECT_EQ(weighting_error({.row_weights = file_with(folder, "1\n" + std::string(3'000'000, '1') + "\n1\n1\n1\n")}),
            folder / "weights:2: the line is longer than 1000000 bytes; give one number a line");
}

TEST(RowWeights, ZeroIsAbsence) {
  // The class 2 is absent, so the problem has two classes.
  const Dataset data = dataset_of(sample(), "sample", {.class_weights = {{2, 0}, {-1, 3}}});
  EXPECT_EQ(data.targets, (Vector{1, -1, 1, -1}));
  EXPECT_EQ(data.weights, (Vector{1, 3, 1, 3}));
  EXPECT_EQ(data.nonzeros, 8u);
  EXPECT_NO_THROW((void)binary_labels(data));
}

TEST(RowWeights, BalancedClassesShareTheTotalWeight) {
  const auto weights = [](const char* of, const DatasetOptions& options) {
    return dataset_of(parse_libsvm(of, "t"), "t", options).weights;
  };
  EXPECT_EQ(weights("1 1:1\n1 1:2\n-1 1:3\n1 1:4\n", {.balanced_classes = true}),
            (Vector{4.0 / 6, 4.0 / 6, 2, 4.0 / 6}));
  EXPECT_EQ(weights("1 1:1\n-1 1:3\n", {.balanced_classes = true}), Vector{}) << "all weights are 1";
  // A row of weight 2 counts like two rows, one of weight 0 is absent: the first class has 1 + 3,
  // the second 2.
  EXPECT_EQ(weights("1 1:1 2:1\n1 1:2 2:3\n-1 1:3 2:2\n1 1:4\n", {.weight_feature = 2, .balanced_classes = true}),
            (Vector{0.75, 2.25, 3}));
  // Twice the weight of the first class, 2^1023, is no double.
  EXPECT_EQ(weights("1 1:1 2:8.9884656743115795e307\n-1 1:3 2:4.4942328371557898e307\n",
                    {.weight_feature = 2, .balanced_classes = true}),
            (Vector{std::ldexp(0.75, 1023), std::ldexp(0.75, 1023)}));
  const auto error_of_text = [&](const std::string& text) {
    return error_of([&] { (void)weights(text.c_str(), {.balanced_classes = true}); });
  };
  EXPECT_EQ(weights("5 1:1\n2 1:2\n9 1:3\n2 1:4\n9 1:5\n2 1:4\n", {.balanced_classes = true}),
            (Vector{2, 6.0 / 3 / 3, 1, 6.0 / 3 / 3, 1, 6.0 / 3 / 3}));
  EXPECT_NE(error_of_text("1 1:1\n1 1:2\n").find("1 label; balanced class weights are for 2 to 64"), std::string::npos);
  std::string many;
  for (int label = 0; label < 65; ++label) many += std::to_string(label) + " 1:1\n";
  EXPECT_NE(error_of_text(many).find("65 labels; balanced class weights are for 2 to 64; give rows weights of their "),
            std::string::npos);
}

TEST(RowWeights, FilesClassesAndFeaturesAreMultiplied) {
  const TemporaryFolder folder;
  const Dataset data = dataset_of(
      sample(), "sample",
      {.row_weights = file_with(folder, "1\n2\n3\n\n4\n 5 "), .weight_feature = 3, .class_weights = {{1, 0.5}}});
  EXPECT_EQ(data.targets, (Vector{1, 1, -1})) << "a row without feature 3 has weight 0";
  EXPECT_EQ(data.weights, (Vector{1, 2, 15}));
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  data.rows->copy_row(2, indices, values);
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{0, 1})) << "the weight is no feature";
}

TEST(RowWeights, WhatIsSaidOfAClassIsMultipliedAndKept) {
  EXPECT_EQ(combined(std::vector<ClassWeight>{{2, 3}, {-1, 0.5}, {2, 0.25}}),
            (std::vector<ClassWeight>{{-1, 0.5}, {2, 0.75}}));
  const TemporaryFolder folder;
  const Dataset data = dataset_of(
      sample(), "sample",
      {.row_weights = file_with(folder, "0.1\n0.2\n0.3\n0.4\n0.5\n"), .class_weights = {{2, 3}, {-1, 0.1}, {2, 0.1}}});
  EXPECT_EQ(data.class_weights, (std::vector<ClassWeight>{{-1, 0.1}, {2, 3 * 0.1}}));
  EXPECT_TRUE(dataset_of(sample(), "sample", {.weight_feature = 3}).class_weights.empty());
  EXPECT_EQ(rows_of(data, std::vector<std::size_t>{0, 1}).class_weights, data.class_weights);
}

// So that whoever has the other weights and the class weights has the product, to the last bit.
TEST(RowWeights, ClassWeightsAreTheLastFactor) {
  const TemporaryFolder folder;
  const Dataset data = dataset_of(sample(), "sample",
                                  {.row_weights = file_with(folder, "0.1\n0.1\n0.1\n0.1\n0.1\n"),
                                   .weight_feature = 3,
                                   .class_weights = {{1, 0.7}, {-1, 0.7}}});
  const Dataset without = dataset_of(sample(), "sample", {.row_weights = folder / "weights", .weight_feature = 3});
  ASSERT_EQ(data.weights.size(), without.weights.size());
  for (std::size_t i = 0; i < data.weights.size(); ++i)
    EXPECT_EQ(data.weights[i], without.weights[i] * (data.targets[i] == 2 ? 1 : 0.7)) << i;
}

/// Rows as text writes them.
std::string text_of(const Dataset& data) {
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  std::string all;
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    all += fmt::format("{} *{}", data.targets[i], data.weights.empty() ? 1 : data.weights[i]);
    data.rows->copy_row(i, indices, values);
    for (std::size_t k = 0; k < indices.size(); ++k) all += fmt::format(" {}:{}", indices[k], values[k]);
    all += "\n";
  }
  return all;
}

/// More than one chunk of text. Feature 1 is a weight, sometimes 0, sometimes not there.
std::string many_rows(bool zero_based, bool dense) {
  std::string rows;
  for (int i = 0; i < 20000; ++i) {
    rows += i % 3 == 0 ? "-1" : "1";
    if (i % 13 != 0) {
      if (zero_based) rows += " 0:1";
      if (i % 5 != 0) rows += fmt::format(" 1:{}", i % 7);
      rows += fmt::format(" 2:{} {}:0.5", 1 + i % 11, dense ? 3 : 40);
    }
    rows += "\n";
  }
  return rows;
}

/// A dense matrix, but for those who do not count the zeros.
std::string written_zeros() {
  std::string rows;
  for (int i = 0; i < 300; ++i) rows += fmt::format("{} 1:{} 2:0 3:0 4:{} 5:0\n", i % 2 == 0 ? 1 : -1, i % 3, i % 5);
  return rows;
}

// Text is changed before there is a matrix, a binary file and what is in memory after.
TEST(RowWeights, AreTheSameForTextBinaryAndMemory) {
  const TemporaryFolder folder;
  const std::string texts[] = {many_rows(false, false), many_rows(false, true), many_rows(true, false),
                               many_rows(true, true), written_zeros()};
  const DatasetOptions all_options[] = {{.weight_feature = 1},
                                        {.class_weights = {{-1, 0}}},
                                        {.libsvm = {.features = 50}, .class_weights = {{1, 0}}},
                                        {.weight_feature = 1, .class_weights = {{-1, 0.5}}}};
  for (const std::string& rows : texts) {
    SCOPED_TRACE(rows.substr(0, 30));
    put(folder / "data.svm", rows);
    convert_libsvm(folder / "data.svm", folder / "data.gdm");
    for (const DatasetOptions& o : all_options) {
      const Dataset from_text = read_dataset(folder / "data.svm", o),
                    from_binary = read_dataset(folder / "data.gdm", o);
      const Dataset from_memory = dataset_of(parse_libsvm(rows, "memory", o.libsvm), "memory", o);
      EXPECT_FALSE(from_text.targets.empty());
      for (const Dataset* other : {&from_binary, &from_memory}) {
        EXPECT_EQ(text_of(*other), text_of(from_text));
        EXPECT_EQ(other->zero_based, from_text.zero_based);
        EXPECT_EQ(other->nonzeros, from_text.nonzeros);
        EXPECT_EQ(other->rows->columns(), from_text.rows->columns());
        EXPECT_EQ(other->rows->bytes(), from_text.rows->bytes()) << "another form";
      }
    }
  }
}

TEST(RowWeights, ErrorsNameThePlaceAndTheRemedy) {
  const TemporaryFolder folder;
  EXPECT_NE(weighting_error({.row_weights = file_with(folder, "1\n2\n")}).find("2 weights, but sample has 5 rows"),
            std::string::npos);
  EXPECT_NE(weighting_error({.row_weights = file_with(folder, "1\n2\n-3\n1\n1\n")}).find("row 3: -3 is not a weight"),
            std::string::npos);
  EXPECT_NE(
      weighting_error({.row_weights = file_with(folder, "1\nnan\n1\n1\n1\n")}).find("weights:2: 'nan' is not a finite"),
      std::string::npos);
  EXPECT_NE(weighting_error({.weight_feature = 4}).find("no feature 4"), std::string::npos);
  EXPECT_NE(weighting_error({.weight_feature = 0}).find("features are 1 to 3"), std::string::npos);
  EXPECT_NE(weighting_error({.class_weights = {{7, 1}}}).find("no row has the label 7"), std::string::npos);
  EXPECT_NE(weighting_error({.class_weights = {{1, -1}}}).find("the weight of class 1"), std::string::npos);
  EXPECT_NE(weighting_error({.class_weights = {{1, 1e200}, {1, 1e200}}}).find("the weight of class 1: inf"),
            std::string::npos);
  EXPECT_NE(weighting_error({.class_weights = {{NAN, 1}}}).find("labels are finite"), std::string::npos);
  std::vector<ClassWeight> many;
  for (int label = 0; label < 65; ++label) many.push_back({static_cast<double>(label), 1});
  EXPECT_NE(weighting_error({.class_weights = many}).find("class weights for 65 labels"), std::string::npos);
  EXPECT_NE(weighting_error({.class_weights = {{1, 0}, {-1, 0}, {2, 0}}}).find("all rows have weight 0"),
            std::string::npos);
}

/// The rows of `data`, each as often as its weight says.
Dataset repeated(const Dataset& data) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> all_indices, indices;
  std::vector<double> all_values, values;
  Dataset result = data;
  result.targets.clear();
  result.weights.clear();
  for (std::size_t i = 0; i < data.targets.size(); ++i)
    for (int k = 0; k < static_cast<int>(data.weights[i]); ++k) {
      data.rows->copy_row(i, indices, values);
      all_indices.insert(all_indices.end(), indices.begin(), indices.end());
      all_values.insert(all_values.end(), values.begin(), values.end());
      offsets.push_back(all_values.size());
      result.targets.push_back(data.targets[i]);
    }
  result.rows = std::make_shared<SparseRows>(offsets, all_indices, all_values, data.rows->columns());
  return result;
}

TEST(RowWeights, IntegerWeightsAreRepetitions) {
  const Dataset weighted =
      dataset_of(sample(), "sample", {.weight_feature = 3, .class_weights = {{2, 0}, {-1, 2}, {1, 3}}});
  ASSERT_EQ(weighted.weights, (Vector{6, 3, 6}));
  for (const LossInfo& loss : losses())
    for (const Bias bias : {Bias::none, Bias::free}) {
      SCOPED_TRACE(std::string(loss.name) + " " + std::string(to_string(bias)));
      const auto f = make_risk(loss.name, weighted, 0.01, {}, bias);
      const auto g = make_risk(loss.name, repeated(weighted), 0.01, {}, bias);
      const Result a = minimize(*f, {}, {.gap_tolerance = 1e-12}), b = minimize(*g, {}, {.gap_tolerance = 1e-12});
      EXPECT_NEAR(a.value, b.value, 1e-13);
      for (std::size_t j = 0; j < a.x.size(); ++j) EXPECT_NEAR(a.x[j], b.x[j], 1e-5);
    }
}

}  // namespace
}  // namespace geodescent::testing
