// Looking at data and making it up.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/support/program.hpp"
#include "geodescent/data/generate.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

json info(const std::string& path, std::vector<std::string> options = {}) {
  options.insert(options.begin(), {"info", "--json", path});
  const Outcome outcome = geodescent(options);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out);
}

TEST(Info, CountsWhatIsThere) {
  const TemporaryFolder folder;
  put(folder / "data.svm", "2 1:0.5 7:-3\n4\n2 2:1 3:0 4:1\n4 1:10\n");
  const json i = info(folder / "data.svm");
  EXPECT_EQ(i["rows"], 4);
  EXPECT_EQ(i["features"], 7);
  EXPECT_EQ(i["nonzeros"], 6);
  EXPECT_DOUBLE_EQ(i["density"], 6.0 / 28);
  EXPECT_EQ(i["index_base"], 1);
  EXPECT_EQ(i["longest_row"], 3);
  EXPECT_EQ(i["mean_row"], 1.5);
  EXPECT_EQ(i["empty_rows"], 1);
  EXPECT_EQ(i["least_value"], -3);
  EXPECT_EQ(i["largest_value"], 10);
  EXPECT_EQ(i["labels"]["distinct"], 2);
  EXPECT_EQ(i["labels"]["counts"][1]["label"], 4);
  EXPECT_EQ(i["labels"]["counts"][1]["rows"], 2);
  EXPECT_EQ(i["losses"].size(), 6u);
  EXPECT_EQ(i["matrix_form"], "sparse");
  EXPECT_EQ(i["matrix_bytes"], 6 * (2 + 4) + 5 * 8 + 4 * 2)
      << "16-bit indices, float values, ends of rows, the order in which rows are taken";
}

TEST(Info, ManyLabelsAreSummedUp) {
  const TemporaryFolder folder;
  generate_data(folder / "data.svm", {"--rows", "200", "--features", "5", "--density", "1", "--regression"});
  const json i = info(folder / "data.svm");
  EXPECT_GT(i["labels"]["distinct"], 20);
  EXPECT_TRUE(i["labels"]["counts"].is_null());
  EXPECT_LT(i["labels"]["least"], i["labels"]["largest"]);
  EXPECT_EQ(i["losses"], (json{"squared", "huber"}));
  EXPECT_EQ(i["matrix_form"], "dense");
  EXPECT_EQ(i["matrix_bytes"], 200 * 5 * 8);
  const Outcome words = geodescent({"info", folder / "data.svm"});
  EXPECT_NE(words.out.find("different, from"), std::string::npos) << words.out;
  EXPECT_NE(words.out.find("chosen for four threads"), std::string::npos) << words.out;
}

TEST(Info, SeveralClassesAreCountedAndBothTrainingsPlanned) {
  const TemporaryFolder folder;
  generate_data(folder / "data.svm", {"--rows", "500", "--features", "20", "--classes", "40"});
  const json i = info(folder / "data.svm");
  EXPECT_EQ(i["labels"]["distinct"], 40);
  ASSERT_EQ(i["labels"]["counts"].size(), 40U) << "all classes are counted, though words list 30 labels only";
  std::size_t rows = 0;
  for (const json& one : i["labels"]["counts"]) rows += one["rows"].get<std::size_t>();
  EXPECT_EQ(rows, 500U);
  EXPECT_EQ(i["losses"].size(), 6U);
  EXPECT_EQ(i["loss"], "softmax");
  EXPECT_GT(i["training"]["peak_bytes"], i["matrix_bytes"]);
  EXPECT_GT(i["training_against_rest"]["peak_bytes"], i["matrix_bytes"]);
  // The numbers of the default training are those that `train` states.
  const json trained =
      json::parse(geodescent({"train", "--json", "--quiet", folder / "data.svm", folder / "data.model"}).out);
  EXPECT_EQ(trained["memory"]["peak_bytes"], i["training"]["peak_bytes"]);
  const Outcome words = geodescent({"info", folder / "data.svm"});
  EXPECT_TRUE(says(words.out, {"40 different, from 1 to 40", "training    softmax: about ",
                               "\n            logistic, one class against the rest: about "}))
      << words.out;
  // A converted file keeps the labels and so the model.
  ASSERT_EQ(geodescent({"convert", "--quiet", folder / "data.svm", folder / "data.gdm"}).code, 0);
  EXPECT_EQ(info(folder / "data.gdm")["labels"], i["labels"]);
  ASSERT_EQ(geodescent({"train", "--quiet", folder / "data.gdm", folder / "again"}).code, 0);
  EXPECT_EQ(contents(folder / "again"), contents(folder / "data.model"));
}

TEST(Info, FileWithoutFeaturesIsDescribed) {
  const TemporaryFolder folder;
  put(folder / "data.svm", "1\n");
  const json i = info(folder / "data.svm");
  EXPECT_EQ(i["features"], 0);
  EXPECT_EQ(i["empty_rows"], 1);
  EXPECT_TRUE(i["least_value"].is_null());
  EXPECT_EQ(geodescent({"info", folder / "data.svm"}).code, 0);
}

TEST(Info, OneThingIsSingular) {
  const TemporaryFolder folder;
  put(folder / "data.svm", "1 1:1\n-1 1:-1\n-1 1:-2\n");
  EXPECT_TRUE(says(geodescent({"info", folder / "data.svm"}).out, {"\nlabels      -1 (2 rows), 1 (1 row); 1 is "}));
  const Outcome trained = geodescent({"train", "--max-iterations", "1", folder / "data.svm", folder / "model"});
  EXPECT_TRUE(says(trained.out, {": 3 rows, 1 feature, 3 nonzeros\n",
                                 "1 is the positive class (1 row), -1 the negative (2 rows)\n"}))
      << trained.out;
  EXPECT_TRUE(says(geodescent({"verify", folder / "data.svm", folder / "model"}).out, {": 3 rows, 1 feature\n"}));
}

TEST(Info, ReadsZeroBasedAndStandardInput) {
  const TemporaryFolder folder;
  put(folder / "data.svm", "1 0:1 2:1\n");
  EXPECT_EQ(info(folder / "data.svm")["index_base"], 0);
  EXPECT_EQ(info(folder / "data.svm")["features"], 3);
  Surroundings piped;
  piped.input = folder / "data.svm";
  const Outcome words = geodescent({"info", "-"}, piped);
  EXPECT_NE(words.out.find("standard input"), std::string::npos) << words.out;
  EXPECT_NE(words.out.find("3, indices from 0"), std::string::npos) << words.out;
}

TEST(Generate, SameSeedSameBytes) {
  const std::vector<std::string> shape{"generate", "--rows",         "100", "--features", "50", "--power-law",
                                       "1",        "--conditioning", "10"};
  const auto with_seed = [&](const std::string& seed) {
    std::vector<std::string> arguments = shape;
    arguments.insert(arguments.end(), {"--seed", seed});
    return geodescent(arguments).out;
  };
  const std::string first = with_seed("1");
  EXPECT_EQ(first, with_seed("1"));
  EXPECT_EQ(first, geodescent(shape).out) << "1 is the default";
  EXPECT_NE(first, with_seed("2"));

  const TemporaryFolder folder;
  std::vector<std::string> to_file = shape;
  to_file.push_back(folder / "data.svm");
  const Outcome outcome = geodescent(to_file);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("100 rows, 50 features"), std::string::npos) << outcome.err;
  EXPECT_EQ(contents(folder / "data.svm"), first);
}

TEST(Generate, EveryPresetHasItsShape) {
  const TemporaryFolder folder;
  const std::string help = geodescent({"generate", "--help"}).out;
  for (const GeneratePreset& preset : generate_presets()) {
    const std::string name(preset.name);
    SCOPED_TRACE(name);
    EXPECT_NE(help.find("\n  " + name + " "), std::string::npos);
    const double scale = 100.0 / static_cast<double>(preset.options.rows);
    generate_data(folder / name, {"--preset", name, "--scale", std::to_string(scale)});
    const json i = info(folder / name);
    EXPECT_NEAR(i["rows"], 100, 30);
    EXPECT_EQ(i["features"], preset.options.features);
    EXPECT_EQ(i["labels"]["distinct"], 2);
    EXPECT_NEAR(i["density"], preset.options.density, 0.3 * preset.options.density);
  }
}

TEST(Generate, OptionsOverrideThePreset) {
  const TemporaryFolder folder;
  generate_data(folder / "data.svm",
                {"--preset", "a9a", "--rows", "70", "--features", "9", "--density", "0.5", "--regression"});
  const json i = info(folder / "data.svm");
  EXPECT_EQ(i["rows"], 70);
  EXPECT_EQ(i["features"], 9);
  EXPECT_NEAR(i["density"], 0.5, 0.1);
  EXPECT_EQ(i["least_value"], 1) << "binary values are the preset's";
  EXPECT_EQ(i["largest_value"], 1);
  EXPECT_GT(i["labels"]["distinct"], 2);
}

TEST(Generate, Classes) {
  const TemporaryFolder folder;
  const Outcome few =
      geodescent({"generate", "--quiet", "--rows", "60", "--features", "3", "--classes", "4", folder / "a"});
  ASSERT_EQ(few.code, 0) << few.err;
  EXPECT_EQ(info(folder / "a")["labels"]["counts"].size(), 4U);
  const Outcome both = geodescent({"generate", "--classes", "4", "--regression", folder / "b"});
  EXPECT_EQ(both.code, 2);
  EXPECT_TRUE(says(both.err, {"--regression has no classes"})) << both.err;
  EXPECT_EQ(geodescent({"generate", "--classes", "1", folder / "b"}).code, 2);
}

}  // namespace
}  // namespace geodescent::testing
