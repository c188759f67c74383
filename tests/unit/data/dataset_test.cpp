// Data sets of parts; two classes from targets, and the messages when there are not two.
#include "geodescent/data/dataset.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "geodescent/error.hpp"

namespace geodescent {
namespace {

Dataset with_targets(Vector targets) { return {"toy.svm", nullptr, std::move(targets)}; }

std::string labels_error(Vector targets) {
  try {
    (void)binary_labels(with_targets(std::move(targets)));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::shared_ptr<const RowMatrix> two_rows() { return std::make_shared<DenseRows>(Vector{1, 2, 3, 4}, 2); }

std::string refusal_of(Vector targets, Vector sample_weights) {
  try {
    (void)dataset(two_rows(), std::move(targets), std::move(sample_weights));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(DatasetOfParts, SharesTheMatrix) {
  const auto matrix = two_rows();
  const Dataset data = dataset(matrix, {1, -1}, {0.5, 2});
  EXPECT_EQ(data.rows, matrix);
  EXPECT_EQ(data.targets, Vector({1, -1}));
  EXPECT_EQ(data.weights, Vector({0.5, 2}));
  EXPECT_EQ(data.nonzeros, 4U);
  EXPECT_EQ(data.constant, 0);
  EXPECT_TRUE(dataset(matrix, {1, -1}).weights.empty());
}

TEST(DatasetOfParts, MustFit) {
  EXPECT_EQ(refusal_of({1, -1}, {}), "none");
  EXPECT_EQ(refusal_of({1}, {}), "1 target for 2 rows");
  EXPECT_EQ(refusal_of({1, -1}, {1, 1, 1}), "3 sample weights for 2 rows");
  EXPECT_EQ(refusal_of({1, NAN}, {}), "row 1: the target nan is not finite");
  EXPECT_EQ(refusal_of({-INFINITY, 1}, {}), "row 0: the target -inf is not finite");
  EXPECT_EQ(refusal_of({1, -1}, {1, 0}), "row 1: the sample weight 0 is not positive and finite");
  EXPECT_EQ(refusal_of({1, -1}, {-1, 1}), "row 0: the sample weight -1 is not positive and finite");
  EXPECT_EQ(refusal_of({1, -1}, {NAN, 1}), "row 0: the sample weight nan is not positive and finite");
  EXPECT_THROW((void)dataset(nullptr, {}), std::invalid_argument);
}

TEST(DatasetOfParts, AConstantColumnIsTheLastOne) {
  const Dataset data = with_constant(dataset(two_rows(), {1, -1}), 2);
  EXPECT_EQ(data.constant, 2);
  EXPECT_EQ(data.rows->columns(), 3U);
  EXPECT_EQ(data.nonzeros, 6U);
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  data.rows->copy_row(1, indices, values);
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(values, Vector({3, 4, 2}));
  EXPECT_THROW((void)with_constant(data, 2), std::invalid_argument) << "there is one already";
}

TEST(BinaryLabels, LargerLabelIsPositive) {
  const BinaryLabels labels = binary_labels(with_targets({4, 2, 2, 4, 2}));
  EXPECT_EQ(labels.negative, 2);
  EXPECT_EQ(labels.positive, 4);
  EXPECT_EQ(labels.negatives, 3U);
  EXPECT_EQ(labels.positives, 2U);
}

TEST(BinaryLabels, ZeroAndMinusZeroAreOneLabel) {
  const BinaryLabels labels = binary_labels(with_targets({0.0, -0.0, 1}));
  EXPECT_EQ(labels.negatives, 2U);
}

TEST(BinaryLabels, OneClass) {
  EXPECT_EQ(labels_error(Vector(200, 1.0)), "toy.svm: only one class (200 rows with the label 1); this loss needs two");
}

TEST(BinaryLabels, NoRows) { EXPECT_EQ(labels_error({}), "toy.svm: no rows; this loss needs rows of two classes"); }

TEST(BinaryLabels, ThreeClasses) {
  const std::string error = labels_error({1, 2, 3, 3});
  EXPECT_NE(error.find("there are 3 classes (labels 1, 2, 3); this problem has two classes"), std::string::npos)
      << error;
  EXPECT_NE(error.find("train with the loss softmax"), std::string::npos) << error;
}

TEST(BinaryLabels, ManyClassesAreNotAllListed) {
  Vector targets(1000);
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<double>(i) / 2;
  const std::string error = labels_error(targets);
  EXPECT_NE(error.find("more than 5 classes (labels 0, 0.5, 1, 1.5, 2, ...)"), std::string::npos) << error;
}

}  // namespace
}  // namespace geodescent
