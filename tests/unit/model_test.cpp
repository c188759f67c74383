// Model files: what is written is read back to the bit, and nothing else is read.
#include "geodescent/model.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "geodescent/error.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent {
namespace {

using testing::contents;
using testing::put;
using testing::TemporaryFolder;

LinearModel example() {
  LinearModel model;
  model.risk.loss = "huber";
  model.risk.loss_parameter = 0.1;
  model.risk.l2 = 1e-8;
  model.labels = BinaryLabels{-1, 2.5, 70, 30};
  model.weights = {0.1, -2, 0, 1e-310, 1.7976931348623157e308, 1.0 / 3};
  model.method = "geod";
  model.status = "converged";
  model.zero_based = true;
  model.value = 0.25;
  model.lower_bound = 0.2499999;
  return model;
}

const std::string example_text =
    "geodescent-model 1\nloss huber\nloss_parameter 0.1\nl2 1e-08\nlabels -1 2.5 70 30\nfeatures 6\nindex_base 0\nbias "
    "none\n"
    "method geod\nstatus converged\nvalue 0.25\nlower_bound 0.2499999\nweights\n"
    "0.1\n-2\n0\n1e-310\n1.7976931348623157e+308\n0.3333333333333333\n";

std::string error_of(const std::string& text) {
  try {
    parse_model(text, "m");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = example_text;
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos);
  return text.replace(place, from.size(), to);
}

void expect_error(const std::string& text, const std::string& start) {
  EXPECT_EQ(error_of(text).substr(0, start.size()), start);
  EXPECT_NE(error_of(text).find("; "), std::string::npos) << "no remedy: " << error_of(text);
}

TEST(Model, TextIsStable) {
  TemporaryFolder folder;
  write_model(example(), folder / "m");
  EXPECT_EQ(contents(folder / "m"), example_text);
}

TEST(Model, RoundTrip) {
  TemporaryFolder folder;
  LinearModel model = example();
  std::mt19937_64 random(1);
  for (int k = 0; k < 10000; ++k) {
    const auto number = std::bit_cast<double>(random());
    if (std::isfinite(number)) model.weights.push_back(number);
  }
  write_model(model, folder / "m");
  const LinearModel read = read_model(folder / "m");
  EXPECT_EQ(read.risk.loss, model.risk.loss);
  EXPECT_EQ(read.risk.loss_parameter, model.risk.loss_parameter);
  EXPECT_EQ(read.risk.l2, model.risk.l2);
  ASSERT_TRUE(read.labels);
  EXPECT_EQ(read.labels->negative, -1);
  EXPECT_EQ(read.labels->positive, 2.5);
  EXPECT_EQ(read.labels->negatives, 70U);
  EXPECT_EQ(read.labels->positives, 30U);
  EXPECT_EQ(read.zero_based, model.zero_based);
  EXPECT_EQ(read.method, model.method);
  EXPECT_EQ(read.status, model.status);
  EXPECT_EQ(read.value, model.value);
  EXPECT_EQ(read.lower_bound, model.lower_bound);
  EXPECT_EQ(read.weights, model.weights);
}

TEST(Model, RegressionWithoutWeightsAndWithoutBound) {
  TemporaryFolder folder;
  LinearModel model = example();
  model.labels.reset();
  model.weights.clear();
  model.lower_bound = -std::numeric_limits<double>::infinity();
  write_model(model, folder / "m");
  const LinearModel read = read_model(folder / "m");
  EXPECT_FALSE(read.labels);
  EXPECT_TRUE(read.weights.empty());
  EXPECT_EQ(read.lower_bound, model.lower_bound);
}

TEST(Model, WindowsLineEndsAreRead) {
  std::string text;
  for (const char c : example_text) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(parse_model(text, "m").weights, example().weights);
}

TEST(Model, EveryTruncationIsAnError) {
  for (std::size_t length = 0; length < example_text.size(); ++length) {
    EXPECT_NE(error_of(example_text.substr(0, length)), "no error") << "length " << length;
  }
}

TEST(Model, Errors) {
  expect_error("", "m:1: the file ends too early; ");
  expect_error("svm_type c_svc\n", "m:1: not a geodescent model, starts with 'svm_type c_svc'; ");
  expect_error("geodescent-model 2\n", "m:1: model version '2', but this program knows version 1; ");
  expect_error("geodescent-model\n", "m:1: model version '', but this program knows version 1; ");
  expect_error("geodescent-modelling 1\n", "m:1: model version ");
  expect_error(with("loss_parameter 0.1\n", ""), "m:3: expected the line 'loss_parameter ...', found 'l2 1e-08'; ");
  expect_error(with("l2 1e-08", "l2 small"), "m:4: 'small' is no number; ");
  expect_error(with("l2 1e-08", "l2 1e-08 "), "m:4: '1e-08 ' is no number; ");
  expect_error(with("l2 1e-08", "l2"), "m:4: '' is no number; ");
  expect_error(with("labels -1 2.5 70 30", "labels -1 2.5 70"), "m:5: 3 items for labels; ");
  expect_error(with("labels -1 2.5 70 30", "labels 3 2.5 70 30"), "m:5: label 3 is not below label 2.5; ");
  expect_error(with("labels -1 2.5 70 30", "labels -1 2.5 -70 30"), "m:5: '-70' is no whole number; ");
  expect_error(with("features 6", "features 5"), "m:19: more weights than the 5 features; ");
  expect_error(with("features 6", "features 7"), "m:19: the file ends after 6 of 7 weights; ");
  expect_error(with("features 6", "features 99999999999"), "m:6: 99999999999 features are too many; ");
  expect_error(with("features 6", "features 99999999999999999999"), "m:6: '99999999999999999999' is no whole number; ");
  expect_error(with("index_base 0", "index_base 2"), "m:7: index base '2'; ");
  expect_error(with("bias none", "bias 1"), "m:8: unknown bias '1'; ");
  expect_error(with("value 0.25", "value nan"), "m:11: 'nan' is not finite; ");
  expect_error(with("lower_bound 0.2499999", "lower_bound inf"), "m:12: 'inf' is not finite; ");
  expect_error(with("weights\n", "weights 6\n"), "m:13: text after 'weights'; ");
  expect_error(with("\n-2\n", "\n1e999\n"), "m:15: '1e999' is not finite; ");
  expect_error(with("\n-2\n", "\n\n"), "m:15: '' is no number; ");
  expect_error(with("\n-2\n", "\n-2 3\n"), "m:15: '-2 3' is no number; ");
  expect_error(with("\n-2\n", std::string("\n\0\x01\n", 4)), "m:15: '\?\?' is no number; ");
}

TEST(Model, HugeFeatureCountAllocatesNothing) {
  // Under a sanitizer or a memory limit the 34 GB of an eager reader would fail the test.
  expect_error(with("features 6", "features 4294967295"), "m:19: the file ends after 6 of 4294967295 weights; ");
}

TEST(Model, FileErrors) {
  TemporaryFolder folder;
  EXPECT_THROW(read_model(folder / "none"), InputError);
  put(folder / "empty", "");
  EXPECT_THROW(read_model(folder / "empty"), InputError);
  EXPECT_THROW(write_model(example(), folder / "none/m"), InputError);
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  EXPECT_THROW(read_model("/dev/zero"), InputError);
}

TEST(Model, FailedWriteLeavesTheOldFile) {
  TemporaryFolder folder;
  write_model(example(), folder / "m");
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  EXPECT_THROW(write_model(example(), "/dev/full"), InputError);
  EXPECT_EQ(contents(folder / "m"), example_text);
}

}  // namespace
}  // namespace geodescent
