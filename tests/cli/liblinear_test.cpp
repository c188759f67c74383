// LIBLINEAR's own programs and ours read each other's models and say the same.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <cmath>
#include <random>
#include <sstream>

#include "cli/support/program.hpp"
#include "geodescent/learn/model.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

constexpr int features = 6;

/// The file that was written, and the score: the first line up to what stands in parentheses.
struct Predicted {
  std::string output;
  std::string score;
  bool operator==(const Predicted&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Predicted& p) { return out << p.score << '\n' << p.output; }
};

Predicted predicted(const Outcome& outcome, const std::string& output) {
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  return {outcome.code == 0 ? contents(output) : "", outcome.out.substr(0, outcome.out.find('('))};
}

std::vector<double> numbers_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> numbers;
  for (double number = 0; in >> number;) numbers.push_back(number);
  return numbers;
}

/// LIBLINEAR writes six digits of a probability.
std::string with_six_digits(const std::string& text) {
  std::istringstream in(text);
  std::string line, all;
  std::getline(in, all);  // the labels
  while (std::getline(in, line)) {
    all += "\n";
    for (const double number : numbers_in(line)) all += fmt::format("{:g} ", number);
  }
  return all;
}

/// Values are written with other digits, which mean the same number.
void expect_same_values(const Predicted& ours, const Predicted& theirs) {
  EXPECT_EQ(numbers_in(ours.output), numbers_in(theirs.output));
  EXPECT_EQ(ours.score, theirs.score);
}

class Liblinear : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!installed("liblinear-train") || !installed("liblinear-predict")) {
      GTEST_SKIP() << "liblinear-train is not installed (package liblinear-tools)";
    }
  }

  /// Rows around a random plane: sparse, now and then empty, the first one of the class `first`.
  /// Some rows have a feature more than training saw.
  static std::string random_rows(int count, const std::string& first, const std::string& second, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::string text;
    for (int row = 0; row < count; ++row) {
      double score = 0;
      std::string entries;
      for (int k = 1; k <= features; ++k) {
        if (row % 17 == 3 || random() % 3 == 0) continue;
        const double value = normal(random);
        score += (k % 2 == 0 ? value : -value) * k;
        entries += fmt::format(" {}:{:.4g}", k, value);
      }
      const bool is_first = row == 0 || (row != 1 && score + 2 * normal(random) + 1 > 0);
      text += (is_first ? first : second) + entries + "\n";
    }
    return text;
  }

  static std::string random_targets(int count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::string text;
    for (int row = 0; row < count; ++row) {
      const double a = normal(random);
      const double b = normal(random);
      text += fmt::format("{:.5g} 1:{:.5g} 3:{:.5g}\n", 3 * a - b + 0.1 * normal(random) + 2, a, b);
    }
    return text;
  }

  void put_test_rows(const std::string& first, const std::string& second) const {
    put(test, random_rows(200, first, second, 2) + fmt::format("{} 2:1 {}:5\n{}\n", first, features + 3, second));
  }

  Predicted liblinear_predict(const std::string& probabilities = "0") const {
    const std::string output = folder / "liblinear.out";
    return predicted(run({"liblinear-predict", "-b", probabilities, test, model, output}), output);
  }

  void expect_same_probabilities() const {
    EXPECT_EQ(with_six_digits(our_predict("1").output), with_six_digits(liblinear_predict("1").output));
  }

  Predicted our_predict(const std::string& probabilities = "0") const {
    const std::string output = folder / "our.out";
    return predicted(geodescent({"predict", "-b", probabilities, test, model, output}), output);
  }

  const TemporaryFolder folder;
  const std::string data = folder / "train.svm";
  const std::string test = folder / "test.svm";
  const std::string model = folder / "data.model";
};

TEST_F(Liblinear, ReadsOurClassifiers) {
  LinearModel m;
  m.weights = {0.5, -1.0 / 3, 1e-310, 2, -0.125, 7e-5};
  m.bias_weights = {-0.75};
  const auto expect_agreement = [&] {
    SCOPED_TRACE(fmt::format("{} bias {} positive first {}", m.risk.loss, to_string(m.risk.bias), m.positive_first));
    write_model(m, model);
    EXPECT_EQ(liblinear_predict(), our_predict());
    if (m.risk.loss != "logistic") return;
    expect_same_probabilities();
  };
  for (const auto& [negative, positive] : {std::pair{-1, 1}, std::pair{2, 4}}) {
    m.labels = BinaryLabels{static_cast<double>(negative), static_cast<double>(positive), 1, 1};
    put_test_rows(std::to_string(positive), std::to_string(negative));
    for (const char* loss : {"logistic", "smoothed-hinge", "squared-hinge"}) {
      m.risk.loss = loss;
      for (const Bias bias : {Bias::none, Bias::free, Bias::regularized}) {
        m.risk.bias = bias;
        m.positive_first = true;
        expect_agreement();
        m.positive_first = false;
        expect_agreement();
      }
    }
  }
}

TEST_F(Liblinear, ReadsOurRegressions) {
  LinearModel m;
  m.risk.loss = "huber";
  m.risk.loss_parameter = 1;
  m.weights = {0.5, -1.0 / 3, 2};
  m.bias_weights = {0.1};
  put(test, random_targets(50, 3));
  for (const Bias bias : {Bias::none, Bias::free}) {
    m.risk.bias = bias;
    write_model(m, model);
    expect_same_values(our_predict(), liblinear_predict());
  }
}

TEST_F(Liblinear, ReadsWhatWeTrain) {
  put(data, random_rows(300, "1", "2", 1));
  put_test_rows("2", "1");
  for (const char* loss : {"logistic", "smoothed-hinge"}) {
    ASSERT_EQ(geodescent({"train", "--quiet", "--loss", loss, "--l2", "0.01", data, model}).code, 0);
    EXPECT_EQ(liblinear_predict(), our_predict());
  }
}

TEST_F(Liblinear, ItsClassifiersAreRead) {
  const std::vector<std::pair<std::string, std::string>> orders{{"1", "2"},   {"2", "1"}, {"+1", "-1"},
                                                                {"-1", "+1"}, {"0", "1"}, {"1", "0"}};
  const std::vector<std::string> solvers{"0", "1", "2", "3", "5", "6", "7"};
  const std::vector<std::string> biases{"1", "-1", "2.5"};
  for (std::size_t k = 0; k < orders.size(); ++k) {
    const auto& [first, second] = orders[k];
    put(data, random_rows(300, first, second, 1));
    put_test_rows(first, second);
    for (std::size_t j = 0; j < solvers.size(); ++j) {
      const std::string& bias = biases[(k + j) % biases.size()];  // every solver meets every bias
      SCOPED_TRACE(fmt::format("-s {} -B {} labels {} {}", solvers[j], bias, first, second));
      ASSERT_EQ(run({"liblinear-train", "-q", "-s", solvers[j], "-B", bias, data, model}).code, 0);
      EXPECT_EQ(our_predict(), liblinear_predict());
      const bool logistic = solvers[j] == "0" || solvers[j] == "6" || solvers[j] == "7";
      if (logistic) expect_same_probabilities();
    }
  }
}

TEST_F(Liblinear, ItsRegressionsAreRead) {
  put(data, random_targets(200, 1));
  put(test, random_targets(50, 2));
  for (const char* solver : {"11", "12", "13"}) {
    for (const char* bias : {"1", "-1"}) {
      SCOPED_TRACE(fmt::format("-s {} -B {}", solver, bias));
      ASSERT_EQ(run({"liblinear-train", "-q", "-s", solver, "-B", bias, data, model}).code, 0);
      expect_same_values(our_predict(), liblinear_predict());
    }
  }
}

TEST_F(Liblinear, ItsModelsAreJudged) {
  put(data, random_rows(200, "-1", "+1", 7));
  const auto relative_gap = [&](const std::string& solver, const std::string& tolerance, const std::string& bias) {
    EXPECT_EQ(run({"liblinear-train", "-q", "-s", solver, "-c", "2", "-e", tolerance, "-B", bias, data, model}).code,
              0);
    const std::string loss = solver == "0" ? "logistic" : "squared-hinge";
    const Outcome judged = geodescent({"verify", "--json", "--quiet", "--loss", loss, "-c", "2", data, model});
    EXPECT_EQ(judged.code, 0) << judged.err;
    return nlohmann::json::parse(judged.out)["relative_gap"].get<double>();
  };
  for (const std::string solver : {"0", "2"})
    for (const std::string bias : {"-1", "1", "2.5"}) {
      SCOPED_TRACE(solver + " with bias " + bias);
      const double loose = relative_gap(solver, "1e-1", bias), tight = relative_gap(solver, "1e-9", bias);
      EXPECT_LT(tight, 1e-8) << "its C, its bias and its loss are ours";
      EXPECT_GT(loose, 100 * tight);
    }
}

TEST_F(Liblinear, ModelsOfSeveralClassesAreReadPredictedAndWritten) {
  put(data, random_rows(60, "7", "2", 1) + random_rows(60, "-1", "3", 2));
  put(test, random_rows(60, "3", "7", 3) + random_rows(60, "-1", "2", 4));
  for (const std::string solver : {"0", "1", "2", "3", "4", "5", "6", "7"})
    for (const std::string bias : {"-1", "1"}) {
      SCOPED_TRACE("-s " + solver + " -B " + bias);
      ASSERT_EQ(run({"liblinear-train", "-q", "-s", solver, "-B", bias, data, model}).code, 0);
      const LinearModel read = read_model(model);
      EXPECT_EQ(read.outputs(), 4U);
      write_model(read, folder / "again");
      const auto predictions = [&](const std::string& from) {
        EXPECT_EQ(run({"liblinear-predict", test, from, folder / "labels"}).code, 0);
        return contents(folder / "labels");
      };
      const std::string expected = predictions(model);
      EXPECT_EQ(predictions(folder / "again"), expected);
      EXPECT_EQ(read_model(folder / "again").weights, read.weights);
      EXPECT_EQ(our_predict(), liblinear_predict());
      if (solver == "0" || solver == "6" || solver == "7") expect_same_probabilities();
    }
}

}  // namespace
}  // namespace geodescent::testing
