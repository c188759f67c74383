// Two classes from targets, and the messages when there are not two.
#include "geodescent/data/dataset.hpp"

#include <gtest/gtest.h>

#include "geodescent/error.hpp"

namespace geodescent {
namespace {

Dataset with_targets(Vector targets) { return {"toy.svm", nullptr, std::move(targets)}; }

std::string error_of(Vector targets) {
  try {
    binary_labels(with_targets(std::move(targets)));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
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
  EXPECT_EQ(error_of(Vector(200, 1.0)), "toy.svm: only one class (label 1 in all 200 rows); a binary loss needs two");
}

TEST(BinaryLabels, NoRows) { EXPECT_EQ(error_of({}), "toy.svm: no rows; a binary loss needs rows of two classes"); }

TEST(BinaryLabels, ThreeClasses) {
  const std::string error = error_of({1, 2, 3, 3});
  EXPECT_NE(error.find("there are 3 classes (labels 1, 2, 3); a binary loss needs exactly two"), std::string::npos)
      << error;
  EXPECT_NE(error.find("use a regression loss, such as squared,"), std::string::npos) << error;
}

TEST(BinaryLabels, ManyClassesAreNotAllListed) {
  Vector targets(1000);
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<double>(i) / 2;
  const std::string error = error_of(targets);
  EXPECT_NE(error.find("more than 5 classes (labels 0, 0.5, 1, 1.5, 2, ...)"), std::string::npos) << error;
}

}  // namespace
}  // namespace geodescent
