// Model files: what is written is read back to the bit, and what is neither ours nor LIBLINEAR's is
// refused.
#include "geodescent/learn/model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "geodescent/error.hpp"
#include "geodescent/threads.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent {
namespace {

using testing::contents;
using testing::put;
using testing::TemporaryFolder;

LinearModel example() {
  LinearModel model;
  model.risk.loss = "smoothed-hinge";
  model.risk.l2 = 1e-8;
  model.risk.bias = Bias::free;
  model.labels = BinaryLabels{-1, 2.5, 70, 30};
  model.weights = {0.1, -2, 0, 1e-310, 1.7976931348623157e308, 1.0 / 3};
  model.bias_weights = {-0.5};
  model.method = "geod";
  model.status = "converged";
  model.zero_based = true;
  model.value = 0.25;
  model.lower_bound = 0.2499999;
  return model;
}

const std::string liblinear_part =
    "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 2.5 -1\nnr_feature 6\nbias 1\nw \n"
    "0.1 \n-2 \n0 \n1e-310 \n1.7976931348623157e+308 \n0.3333333333333333 \n-0.5 \n";
const std::string example_text =
    liblinear_part +
    "geodescent-model 2\nloss smoothed-hinge\nloss_parameter 0\nl2 1e-08\nlabels -1 2.5 70 30\nbias free\nconstant "
    "1\n"
    "index_base 0\nmethod geod\nstatus converged\nvalue 0.25\nlower_bound 0.2499999\nend\n";

std::string error_of(const std::string& text) {
  try {
    (void)parse_model(text, "m");
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

TEST(Model, ManyWeightsHaveTheSameLinesForEveryNumberOfThreads) {
  constexpr std::size_t count = 300000;  // several rounds of blocks, the last one not full
  TemporaryFolder folder;
  LinearModel model = example();
  std::mt19937 random(1);
  model.weights.assign(count, 0);
  for (std::size_t i = 0; i < count; i += 1 + random() % 40)
    model.weights[i] = std::ldexp(1 + 1e-9 * static_cast<double>(random()), -9);
  const int before = threads();
  for (const bool positive_first : {true, false}) {
    model.positive_first = positive_first;
    std::string lines;
    for (const double weight : model.weights) lines += fmt::format("{} \n", positive_first ? weight : -weight);
    lines += positive_first ? "-0.5 \n" : "0.5 \n";
    for (const int used : {1, 3}) {
      set_threads(used);
      write_model(model, folder / "m");
      const std::string text = contents(folder / "m");
      const std::size_t begin = text.find("\nw \n") + 4;
      EXPECT_TRUE(text.substr(begin, lines.size()) == lines) << used << " threads, " << positive_first;
      EXPECT_EQ(text.substr(begin + lines.size(), 16), "geodescent-model");
    }
  }
  set_threads(before);
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
  EXPECT_EQ(read.risk.bias, Bias::free);
  EXPECT_EQ(read.risk.constant, 1);
  EXPECT_EQ(read.bias_weight(), model.bias_weight());
  EXPECT_EQ(read.intercept(), -0.5);
  EXPECT_TRUE(read.positive_first);
}

TEST(Model, ACheckpointStatesItsIterations) {
  TemporaryFolder folder;
  LinearModel model = example();
  model.checkpoint = 300;
  model.checkpoint_every = 100;
  write_model(model, folder / "m");
  const std::string text = contents(folder / "m");
  const std::size_t line = text.find("method geod\ncheckpoint 300 100 ");
  ASSERT_NE(line, std::string::npos);
  EXPECT_EQ(read_model(folder / "m").checkpoint, 300U);
  EXPECT_EQ(read_model(folder / "m").checkpoint_every, 100U);
  EXPECT_EQ(parse_model(example_text, "m").checkpoint, 0U);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    return other.replace(other.find(from), from.size(), to);
  };
  expect_error(changed("\n-2 \n", "\n-3 \n"), "m:23: the coefficients of this checkpoint have been changed");
  expect_error(changed("\n-0.5 \n", "\n-0.25 \n"), "m:23: the coefficients of this checkpoint have been changed");
  expect_error(changed("checkpoint 300 100", "checkpoint 0 100"), "m:23: a checkpoint after 0 iterations; ");
  expect_error(changed("checkpoint 300 100", "checkpoint few 100"), "m:23: 'few' is not a whole number; ");
  expect_error(changed("checkpoint 300 100", "checkpoint 300"), "m:23: 2 items for a checkpoint; ");
}

TEST(Model, AllKindsOfBiasRoundTrip) {
  TemporaryFolder folder;
  LinearModel model = example();
  for (const Bias bias : {Bias::none, Bias::free, Bias::regularized}) {
    model.risk.bias = bias;
    model.risk.constant = bias == Bias::regularized ? 2.5 : 1;
    write_model(model, folder / "m");
    const LinearModel read = read_model(folder / "m");
    EXPECT_EQ(read.risk.bias, bias);
    EXPECT_EQ(read.risk.constant, model.risk.constant);
    EXPECT_EQ(read.intercept(), model.intercept());
    EXPECT_EQ(read.weights, model.weights);
  }
}

TEST(Model, TheOrderOfLabelsIsKept) {
  TemporaryFolder folder;
  LinearModel model = example();
  model.positive_first = false;
  write_model(model, folder / "m");
  EXPECT_NE(contents(folder / "m").find("label -1 2.5\n"), std::string::npos);
  EXPECT_NE(contents(folder / "m").find("w \n-0.1 \n2 \n"), std::string::npos)
      << "LIBLINEAR decides for the first label";
  const LinearModel read = read_model(folder / "m");
  EXPECT_FALSE(read.positive_first);
  EXPECT_EQ(read.weights, model.weights);
  EXPECT_EQ(read.bias_weight(), model.bias_weight());
}

TEST(Model, RegressionWithoutWeightsAndWithoutBound) {
  TemporaryFolder folder;
  LinearModel model = example();
  model.risk.loss = "squared";
  model.labels.reset();
  model.weights.clear();
  model.risk.bias = Bias::none;
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

TEST(Model, ErrorsOfTheLiblinearPart) {
  expect_error("", "m:1: the file ends too early; ");
  expect_error("svm_type c_svc\n", "m:1: not a geodescent model, starts with 'svm_type c_svc'; ");
  expect_error("geodescent-model 1\nloss logistic\n",
               "m:1: the format 'geodescent-model 1' is not supported; train the model again");
  expect_error("solver_types L2R_LR\n", "m:1: not a geodescent model");
  expect_error(with("L2R_L2LOSS_SVC", "SVM"), "m:1: unknown solver 'SVM'; ");
  expect_error(with("L2R_L2LOSS_SVC", "MCSVM_CS"), "m:7: 1 numbers in the line; there must be one for each of 2 ");
  expect_error(with("L2R_L2LOSS_SVC", "ONECLASS_SVM"), "m:1: ONECLASS_SVM knows one class; ");
  expect_error(with("nr_class 2", "nr_class 3"), "m:3: 2 labels for 3 classes; ");
  expect_error(with("nr_class 2", "nr_class 99999999999"), "m:3: 2 labels for 99999999999 classes; ");
  expect_error(with("nr_class 2", "nr_class 1"), "m:2: a model for 1 class; ");
  expect_error(with("nr_class 2", "nr_class two"), "m:2: 'two' is not a whole number; ");
  expect_error(with("nr_class 2\n", ""), "m:2: expected the line 'nr_class ...', found 'label 2.5 -1'; ");
  expect_error(with("label 2.5 -1", "label 2.5"), "m:3: 1 labels for two classes; ");
  expect_error(with("label 2.5 -1", "label 2 2"), "m:3: both labels are 2; ");
  expect_error(with("label 2.5 -1", "label 2 nan"), "m:3: 'nan' is not finite; ");
  expect_error(with("L2R_L2LOSS_SVC", "L2R_L2LOSS_SVR"), "m:3: labels in a regression; ");
  expect_error(with("nr_feature 6", "nr_feature 99999999999"), "m:4: 99999999999 features are too many; ");
  expect_error(with("nr_feature 6", "nr_feature 99999999999999999999"), "m:4: '99999999999999999999' is not a whole ");
  expect_error(with("nr_feature 6", "nr_feature -6"), "m:4: '-6' is not a whole number; ");
  expect_error(with("bias 1", "bias none"), "m:5: 'none' is not a number; ");
  expect_error(with("w \n", "w 6\n"), "m:6: expected the line 'w', found 'w 6'; ");
  expect_error(with("\n-2 \n", "\n1e999 \n"), "m:8: '1e999' is not finite; ");
  expect_error(with("\n-2 \n", "\n\n"), "m:8: '' is not a number; ");
  expect_error(with("\n-2 \n", "\n-2 3 \n"), "m:8: '-2 3' is not a number; ");
  expect_error(with("\n-2 \n", std::string("\n\0\x01\n", 4)), "m:8: '\?\?' is not a number; ");
  expect_error(with("nr_feature 6", "nr_feature 5"), "m:13: expected the line 'geodescent-model ...', found '-0.5 '; ");
  expect_error(with("nr_feature 6", "nr_feature 7"), "m:13: the weights end after 7 of 8; ");
}

TEST(Model, ErrorsOfOurSection) {
  expect_error(with("geodescent-model 2", "geodescent-model 3"), "m:14: model version '3', but this program supports ");
  expect_error(with("geodescent-model 2", "geodescent-model"), "m:14: model version '', but this program supports ");
  expect_error(with("loss_parameter 0\n", ""), "m:16: expected the line 'loss_parameter ...', found 'l2 1e-08'; ");
  expect_error(with("l2 1e-08", "l2 small"), "m:17: 'small' is not a number; ");
  expect_error(with("l2 1e-08", "l2 1e-08 "), "m:17: '1e-08 ' is not a number; ");
  expect_error(with("l2 1e-08", "l2"), "m:17: '' is not a number; ");
  expect_error(with("labels -1 2.5 70 30", "labels -1 2.5 70"), "m:18: 3 items for labels; ");
  expect_error(with("labels -1 2.5 70 30", "labels -1 3 70 30"), "m:18: the pair of labels contradicts ");
  expect_error(with("labels -1 2.5 70 30", "labels regression"), "m:18: the kind of labels contradicts ");
  expect_error(with("labels -1 2.5 70 30", "labels -1 2.5 -70 30"), "m:18: '-70' is not a whole number; ");
  expect_error(with("bias free", "bias 1"), "m:19: unknown bias '1'; ");
  expect_error(with("bias free", "bias none"), "m:19: the bias contradicts ");
  expect_error(with("loss smoothed-hinge", "loss squared"),
               "m:18: the loss squared is for targets and not for classes");
  expect_error(with("constant 1", "constant 2"), "m:20: the constant feature contradicts ");
  expect_error(with("index_base 0", "index_base 2"), "m:21: index base '2'; ");
  expect_error(with("method geod", "method magic"), "m:22: unknown method 'magic'; it is one of geod, ");
  expect_error(with("loss_parameter 0\n", "loss_parameter 0.1\n"),
               "m:16: the loss_parameter is 0.1, which the loss smoothed-hinge does not allow");
  expect_error(with("L2R_L2LOSS_SVC", "L2R_LR"), "m:18: the loss contradicts the lines above the weights");
  expect_error(with("status converged", "status unknown"), "m:24: the status is unknown and the value '0.25'");
  for (const char* status : {"status", "status perfect", "status not_finite"})
    expect_error(with("status converged", status), "m:23: unknown status '");
  expect_error(with("value 0.25", "value nan"), "m:24: 'nan' is not finite; ");
  expect_error(with("lower_bound 0.2499999", "lower_bound inf"), "m:25: 'inf' is not finite; ");
  expect_error(with("\nend\n", "\nend 1\n"), "m:26: text after 'end'; ");
  expect_error(example_text + "1 \n", "m:27: text after the model; ");
}

TEST(Model, HugeFeatureCountAllocatesNothing) {
  // Under a sanitizer or a memory limit the 34 GB of an eager reader would fail the test.
  expect_error(with("nr_feature 6", "nr_feature 4294967295"), "m:13: the weights end after 7 of 4294967296; ");
}

LinearModel three_classes() {
  LinearModel model = example();
  model.risk.loss = "softmax";
  model.labels.reset();
  model.classes = {{-1, 5}, {2, 7}, {2.5, 9}};
  model.weights = {1, 2, -3, 0, -0.5, 0.5};
  model.bias_weights = {0.25, 0, -0.25};
  return model;
}

const std::string model_of_three_classes =
    "solver_type L2R_LR\nnr_class 3\nlabel -1 2 2.5\nnr_feature 2\nbias 1\nw \n1 2 -3 \n0 -0.5 0.5 \n0.25 0 -0.25 \n"
    "geodescent-model 2\nloss softmax\nloss_parameter 0\nl2 1e-08\nlabels -1 2 2.5 5 7 9\nbias free\nconstant 1\n"
    "index_base 0\nmethod geod\nstatus converged\nvalue 0.25\nlower_bound 0.2499999\nend\n";

TEST(Model, SeveralClasses) {
  TemporaryFolder folder;
  const LinearModel model = three_classes();
  write_model(model, folder / "m");
  EXPECT_EQ(contents(folder / "m"), model_of_three_classes);
  const LinearModel read = read_model(folder / "m");
  EXPECT_EQ(read.classes, model.classes);
  EXPECT_EQ(read.weights, model.weights);
  EXPECT_EQ(read.bias_weights, model.bias_weights);
  EXPECT_EQ(read.features(), 2U);
  EXPECT_TRUE(read.file_order.empty());
  EXPECT_TRUE(read.is_classifier());
  EXPECT_FALSE(read.labels);
}

TEST(Model, TheOrderOfSeveralLabelsIsKept) {
  TemporaryFolder folder;
  LinearModel model = three_classes();
  model.file_order = {2, 0, 1};
  write_model(model, folder / "m");
  EXPECT_NE(contents(folder / "m").find("label 2.5 -1 2\n"), std::string::npos);
  EXPECT_NE(contents(folder / "m").find("\n-3 1 2 \n"), std::string::npos);
  EXPECT_NE(contents(folder / "m").find("labels -1 2 2.5 5 7 9\n"), std::string::npos);
  const LinearModel read = read_model(folder / "m");
  EXPECT_EQ(read.classes, model.classes);
  EXPECT_EQ(read.weights, model.weights);
  EXPECT_EQ(read.bias_weights, model.bias_weights);
  EXPECT_EQ(read.file_order, model.file_order);
}

TEST(Model, SoftmaxOfTwoClassesIsOneColumnInTheFile) {
  TemporaryFolder folder;
  for (const bool positive_first : {true, false}) {
    LinearModel model = three_classes();
    model.classes = {{-1, 5}, {2.5, 9}};
    model.positive_first = positive_first;
    model.weights = {-1.5, 1.5, 0.125, -0.125};
    model.bias_weights = {0.75, -0.75};
    write_model(model, folder / "m");
    EXPECT_NE(contents(folder / "m")
                  .find(positive_first ? "nr_class 2\nlabel 2.5 -1\nnr_feature 2\nbias 1\nw \n3 \n"
                                       : "nr_class 2\nlabel -1 2.5\nnr_feature 2\nbias 1\nw \n-3 \n"),
              std::string::npos);
    const LinearModel read = read_model(folder / "m");
    EXPECT_EQ(read.classes, model.classes);
    EXPECT_EQ(read.weights, model.weights);
    EXPECT_EQ(read.bias_weights, model.bias_weights);
    EXPECT_EQ(read.positive_first, positive_first);
    EXPECT_FALSE(read.labels);
  }
}

TEST(Model, ErrorsOfSeveralClasses) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = model_of_three_classes;
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return place == std::string::npos ? text : text.replace(place, from.size(), to);
  };
  expect_error(changed("label -1 2 2.5", "label -1 2 2"), "m:3: two labels are 2; ");
  expect_error(changed("label -1 2 2.5", "label -1 2"), "m:3: 2 labels for 3 classes; ");
  expect_error(changed("nr_class 3", "nr_class 2"), "m:3: 3 labels for two classes; ");
  expect_error(changed("\n1 2 -3 ", "\n1 2 "), "m:7: 2 numbers in the line; there must be one for each of 3 classes; ");
  expect_error(changed("\n1 2 -3 ", "\n1 2 -3 4 "), "m:7: 4 numbers in the line; ");
  expect_error(changed("\n1 2 -3 ", "\n1 x -3 "), "m:7: 'x' is not a number; ");
  expect_error(changed("L2R_LR", "L2R_L2LOSS_SVC"), "m:14: the loss contradicts the lines above the weights");
  expect_error(changed("labels -1 2 2.5 5 7 9", "labels -1 2 2.5 5 7"), "m:14: 5 items for labels; ");
  expect_error(changed("labels -1 2 2.5 5 7 9", "labels -1 2 3 5 7 9"), "m:14: the list of labels contradicts ");
  expect_error(changed("labels -1 2 2.5 5 7 9", "labels regression"), "m:14: the kind of labels contradicts ");
  for (std::size_t length = 0; length < model_of_three_classes.size(); ++length)
    EXPECT_NE(error_of(model_of_three_classes.substr(0, length)), "no error") << "length " << length;
}

TEST(Model, FileErrors) {
  TemporaryFolder folder;
  EXPECT_THROW((void)read_model(folder / "none"), InputError);
  put(folder / "empty", "");
  EXPECT_THROW((void)read_model(folder / "empty"), InputError);
  EXPECT_THROW(write_model(example(), folder / "none/m"), InputError);
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  EXPECT_THROW((void)read_model("/dev/zero"), InputError);
}

TEST(Model, FailedWriteLeavesTheOldFile) {
  TemporaryFolder folder;
  write_model(example(), folder / "m");
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  EXPECT_THROW(write_model(example(), "/dev/full"), InputError);
  EXPECT_EQ(contents(folder / "m"), example_text);
}

// Half of an odd multiple of the smallest double is not a double: rounded, it would be another
// model.
TEST(Model, CoefficientsOfSoftmaxAreExactHalves) {
  const auto text_with = [](const std::string& weight) {
    return "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias 1\nw \n1 \n" + weight +
           " \n0.5 \ngeodescent-model 2\nloss softmax\nloss_parameter 0\nl2 1e-08\nlabels -1 1 5 7\nbias "
           "free\nconstant 1\n"
           "index_base 0\nmethod geod\nstatus converged\nvalue 0.25\nlower_bound 0.2499999\nend\n";
  };
  EXPECT_EQ(error_of(text_with("-1e-323")), "no error");
  EXPECT_NE(error_of(text_with("-5e-324")).find("half of such a small weight is not a double"), std::string::npos);
}

}  // namespace
}  // namespace geodescent
