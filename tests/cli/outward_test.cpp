// Every bound that is printed is true as printed: the text is read again and compared with the
// exact numbers of the same run.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <regex>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

/// The number that follows `before` in the text. In long double: 12 digits are closer to it than to
/// the next double.
long double number_after(const std::string& text, const std::string& before) {
  const std::regex pattern(before + "([-+.0-9einf]+)");
  std::smatch found;
  EXPECT_TRUE(std::regex_search(text, found, pattern)) << before << " in\n" << text;
  return found.empty() ? 0 : std::strtold(found[1].str().c_str(), nullptr);
}

class Outward : public ::testing::Test {
 protected:
  void SetUp() override { generate_data(data, {"--rows", "80", "--features", "6", "--noise", "0.3"}); }

  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  const std::string model = folder / "data.model";
};

TEST_F(Outward, TrainAndVerify) {
  for (int k = 0; k < 12; ++k) {
    const std::string l2 = std::to_string(0.003 * (k + 1)), tolerance = k % 2 ? "0.1" : "1e-5";
    const Outcome trained = geodescent({"train", "--json", "--l2", l2, "--tol", tolerance, data, model});
    ASSERT_EQ(trained.code, 0) << trained.err;
    json exact = json::parse(trained.out);
    EXPECT_GE(number_after(trained.err, "\nvalue +"), exact["value"].get<double>());
    EXPECT_LE(number_after(trained.err, "\nlower bound +"), exact["lower_bound"].get<double>());
    EXPECT_GE(number_after(trained.err, "\nproven gap +"), exact["gap"].get<double>());
    EXPECT_GE(number_after(trained.err, "\nproven gap .*relative "), exact["relative_gap"].get<double>());
    EXPECT_GE(number_after(trained.err, "converged: proven gap "), exact["gap"].get<double>());
    EXPECT_GE(number_after(trained.err, "\ndistance .* at most "), exact["distance_bound"].get<double>());
    EXPECT_GE(exact["distance_bound"].get<double>(),
              std::sqrt(2 * exact["gap"].get<double>() / exact["l2"].get<double>()));

    const Outcome checked = geodescent({"verify", "--json", data, model});
    ASSERT_EQ(checked.code, 0) << checked.err;
    exact = json::parse(checked.out);
    EXPECT_GE(number_after(checked.err, "\nvalue +"), exact["value"].get<double>());
    EXPECT_LE(number_after(checked.err, "\nlower bound +"), exact["lower_bound"].get<double>());
    EXPECT_GE(number_after(checked.err, "\nproven gap +"), exact["gap"].get<double>());
    EXPECT_GE(number_after(checked.err, "\nproven gap .*relative "), exact["relative_gap"].get<double>());
    EXPECT_GE(number_after(checked.err, "\ndistance .* at most "), exact["distance_bound"].get<double>());
    EXPECT_GE(number_after(checked.err, "\nvalue .*claimed <= "), exact["claimed_value"].get<double>());
    EXPECT_LE(number_after(checked.err, "\nlower bound .*claimed >= "), exact["claimed_lower_bound"].get<double>());
  }
}

TEST_F(Outward, ThePath) {
  const Outcome trained = geodescent({"train", "--json", "--tol", "0.01", "--l2-path", "0.01:1:5", data, model});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const json exact = json::parse(trained.out);
  for (const json& one : exact["path"]) {
    const std::string name = one["model"].get<std::string>().substr(folder.path().string().size() + 1);
    const std::regex line("converged +(\\S+) +(\\S+) .*" + std::regex_replace(name, std::regex("\\."), "\\.") + "\n");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(trained.err, found, line)) << trained.err;
    EXPECT_GE(std::strtold(found[1].str().c_str(), nullptr), one["value"].get<double>());
    EXPECT_GE(std::strtold(found[2].str().c_str(), nullptr), one["relative_gap"].get<double>());
  }
}

}  // namespace
}  // namespace geodescent::testing
