// Synthetic data: the promised shape, the same for the same seed, and the same in memory and in
// text.
#include "geodescent/data/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "geodescent/error.hpp"

namespace geodescent {
namespace {

std::string text_of(const GenerateOptions& options) {
  std::string text;
  generate_rows(options,
                [&](double target, auto indices, auto values) { append_libsvm_row(text, target, indices, values); });
  return text;
}

bool same(const LibsvmData& a, const LibsvmData& b) {
  if (a.targets != b.targets || a.rows.rows() != b.rows.rows() || a.rows.columns() != b.rows.columns()) return false;
  for (std::size_t i = 0; i < a.rows.rows(); ++i) {
    if (!std::ranges::equal(a.rows.indices(i), b.rows.indices(i))) return false;
    if (!std::ranges::equal(a.rows.values(i), b.rows.values(i))) return false;
  }
  return true;
}

std::string generating_error(const GenerateOptions& options) {
  try {
    (void)generate(options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// Options of every kind, from a fixed seed.
GenerateOptions random_options(std::mt19937_64& random) {
  GenerateOptions options;
  options.rows = 1 + random() % 60;
  options.features = 1 + random() % 80;
  options.density = static_cast<double>(1 + random() % 100) / 100;
  options.power_law = static_cast<double>(random() % 41) / 10;
  options.conditioning = std::pow(10.0, static_cast<double>(random() % 10));
  options.label_noise = static_cast<double>(random() % 101) / 100;
  options.binary_values = random() % 2 == 0;
  options.positive_values = random() % 2 == 0;
  options.unit_rows = random() % 2 == 0;
  options.regression = random() % 2 == 0;
  options.seed = random();
  return options;
}

TEST(Generate, TextReadsBackToTheSameBits) {
  std::mt19937_64 random(17);
  for (int trial = 0; trial < 500; ++trial) {
    const GenerateOptions options = random_options(random);
    const LibsvmData made = generate(options);
    const LibsvmData read = parse_libsvm(text_of(options), "generated");
    ASSERT_EQ(made.rows.columns(), options.features) << "trial " << trial;
    ASSERT_EQ(made.rows.rows(), options.rows) << "trial " << trial;
    ASSERT_TRUE(same(made, read)) << "trial " << trial;
    const std::set<double> labels(made.targets.begin(), made.targets.end());
    ASSERT_TRUE(options.regression || options.rows < 2 || labels == std::set<double>({-1, 1})) << "trial " << trial;
  }
}

// The text itself is part of the contract: the same seed gives the same data on every platform and
// in every version.
TEST(Generate, KnownText) {
  GenerateOptions options{.rows = 4, .features = 12, .density = 0.1, .power_law = 1.0, .conditioning = 10};
  options.label_noise = 0.1;
  options.seed = 42;
  EXPECT_EQ(text_of(options), "-1 4:-0.631778 12:-0.0972046\n-1 7:-0.00899206\n-1 3:0.0524336\n1 7:-0.520908\n");
  options.density = 0.3;
  options.positive_values = options.unit_rows = options.regression = true;
  EXPECT_EQ(text_of(options),
            "1.59702 5:0.754634 7:0.622724 9:0.0642614 12:0.196502\n"
            "0.441655 1:0.0572632 7:0.966081 11:0.251809\n"
            "-0.357841 1:0.889237 7:0.0654925 8:0.202389 9:0.245994 12:0.321703\n"
            "-0.691656 1:0.935557 4:0.0475932 7:0.0436938 9:0.0722223 11:0.202712 12:0.272488\n");
}

TEST(Generate, SeedsDiffer) {
  GenerateOptions options;
  const std::string first = text_of(options);
  EXPECT_EQ(text_of(options), first);
  options.seed = 2;
  EXPECT_NE(text_of(options), first);
}

TEST(Generate, Density) {
  for (const double density : {0.01, 0.1, 0.3, 1.0}) {
    const GenerateOptions options{.rows = 2000, .features = 200, .density = density};
    const double stored = static_cast<double>(generate(options).rows.nonzeros()) / (2000.0 * 200);
    EXPECT_NEAR(stored, density, 0.03 * density);
  }
}

TEST(Generate, PowerLaw) {
  for (const double density : {0.02, 0.2}) {  // draws and coins
    const GenerateOptions options{.rows = 5000, .features = 500, .density = density, .power_law = 1.0};
    const LibsvmData data = generate(options);
    std::vector<std::size_t> counts(options.features);
    for (std::size_t i = 0; i < data.rows.rows(); ++i) {
      for (const std::uint32_t j : data.rows.indices(i)) ++counts[j];
    }
    std::ranges::sort(counts, std::greater<>());
    // In the tail, where no column is in nearly every row, twice the rank means half the frequency.
    EXPECT_NEAR(static_cast<double>(counts[200]) / static_cast<double>(counts[400]), 2.0, 0.4) << density;
    EXPECT_GT(counts[0], 5 * counts[250]);
  }
}

TEST(Generate, SteepPowerLawStillFillsTheRows) {
  const GenerateOptions options{.rows = 200, .features = 1000, .density = 0.1, .power_law = 4};
  EXPECT_NEAR(static_cast<double>(generate(options).rows.nonzeros()) / 200, 100, 10);
}

TEST(Generate, Conditioning) {
  const GenerateOptions options{.rows = 4000, .features = 10, .density = 1, .conditioning = 1000};
  const LibsvmData data = generate(options);
  std::vector<double> squares(options.features);
  for (std::size_t i = 0; i < data.rows.rows(); ++i) {
    for (std::size_t k = 0; k < options.features; ++k) squares[k] += std::pow(data.rows.values(i)[k], 2);
  }
  const auto [least, most] = std::ranges::minmax(squares);
  EXPECT_NEAR(std::sqrt(most / least), 1000, 100);
}

TEST(Generate, Values) {
  GenerateOptions options{.rows = 500, .features = 100};
  options.binary_values = true;
  const LibsvmData binary = generate(options);
  options.binary_values = false;
  options.positive_values = options.unit_rows = true;
  const LibsvmData positive = generate(options);
  for (std::size_t i = 0; i < options.rows; ++i) {
    EXPECT_TRUE(std::ranges::all_of(binary.rows.values(i), [](double v) { return v == 1; }));
    EXPECT_TRUE(std::ranges::all_of(positive.rows.values(i), [](double v) { return v >= 0; }));
    double squares = 0;
    for (const double value : positive.rows.values(i)) squares += value * value;
    if (squares > 0) {
      EXPECT_NEAR(squares, 1, 1e-4);
    }
  }
}

TEST(Generate, NoiseFlipsLabels) {
  GenerateOptions options{.rows = 5000, .features = 20, .density = 0.5};
  const Vector clean = generate(options).targets;
  options.label_noise = 0.2;
  const Vector noisy = generate(options).targets;
  double flipped = 0;
  for (std::size_t i = 0; i < clean.size(); ++i) flipped += clean[i] != noisy[i] ? 1 : 0;
  EXPECT_NEAR(flipped / 5000, 0.2, 0.03);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(clean, 1.0)) / 5000, 0.5, 0.1);
}

TEST(Generate, Presets) {
  const std::map<std::string_view, std::pair<std::size_t, std::size_t>> shapes{
      {"a9a", {32561, 123}},        {"covtype", {581012, 54}}, {"epsilon", {400000, 2000}},
      {"news20", {19996, 1355191}}, {"rcv1", {20242, 47236}},  {"real-sim", {72309, 20958}}};
  EXPECT_EQ(generate_presets().size(), shapes.size());
  for (const GeneratePreset& preset : generate_presets()) {
    SCOPED_TRACE(std::string(preset.name));
    ASSERT_TRUE(shapes.contains(preset.name));
    EXPECT_EQ(preset.options.rows, shapes.at(preset.name).first);
    EXPECT_EQ(preset.options.features, shapes.at(preset.name).second);
    EXPECT_FALSE(preset.description.empty());
    const GenerateOptions small = preset_options(preset.name, 50.0 / static_cast<double>(preset.options.rows));
    EXPECT_EQ(small.rows, 50U);
    const LibsvmData data = parse_libsvm(text_of(small), "preset");
    EXPECT_EQ(data.rows.columns(), preset.options.features);
    const double wanted = preset.options.density * static_cast<double>(preset.options.features);
    EXPECT_NEAR(static_cast<double>(data.rows.nonzeros()) / 50, wanted, 0.15 * wanted);
  }
}

TEST(Generate, BadOptions) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(generating_error({.rows = 0}), "generate: no rows; ask for at least 1");
  EXPECT_EQ(generating_error({.features = 0}), "generate: 0 features; ask for 1 to 4294967294");
  EXPECT_EQ(generating_error({.features = 4294967295}), "generate: 4294967295 features; ask for 1 to 4294967294");
  EXPECT_EQ(generating_error({.density = 0}), "generate: density 0; it must be over 0 and at most 1");
  EXPECT_EQ(generating_error({.density = 1.5}), "generate: density 1.5; it must be over 0 and at most 1");
  EXPECT_EQ(generating_error({.density = nan}), "generate: density nan; it must be over 0 and at most 1");
  EXPECT_EQ(generating_error({.power_law = -1}), "generate: power law -1; it must be from 0 to 4");
  EXPECT_EQ(generating_error({.conditioning = 0.5}), "generate: conditioning 0.5; it must be from 1 to 1e9");
  EXPECT_EQ(generating_error({.label_noise = 2}), "generate: label noise 2; it must be from 0 to 1");
  EXPECT_THROW((void)preset_options("a9b"), InputError);
  EXPECT_THROW((void)preset_options("a9a", 0), InputError);
  EXPECT_THROW((void)preset_options("a9a", nan), InputError);
}

TEST(Generate, SeveralClasses) {
  for (const std::size_t classes : {3U, 20U}) {
    const LibsvmData data = generate({.rows = 6000, .features = 30, .density = 0.5, .classes = classes, .seed = 5});
    std::map<double, std::size_t> rows;
    for (const double label : data.targets) ++rows[label];
    EXPECT_EQ(rows.size(), classes);
    EXPECT_EQ(rows.begin()->first, 1);
    EXPECT_EQ(rows.rbegin()->first, static_cast<double>(classes));
    for (const auto& [label, count] : rows) {
      EXPECT_GT(count, 6000 / classes / 5) << label;
      EXPECT_LT(count, 6000 / classes * 3) << label;
    }
  }
  const GenerateOptions clean{.rows = 4000, .features = 20, .density = 0.5, .classes = 5};
  GenerateOptions noisy = clean;
  noisy.label_noise = 0.25;
  const LibsvmData a = generate(clean), b = generate(noisy);
  ASSERT_EQ(a.targets.size(), b.targets.size());
  GenerateOptions always = clean;
  always.label_noise = 1;
  const LibsvmData c = generate(always);
  EXPECT_NE(a.targets[0], c.targets[0]) << "noise makes another label of it";
}

TEST(Generate, EveryClassOccursWhereThereAreSoManyRows) {
  for (std::uint64_t seed = 1; seed < 40; ++seed)
    for (const std::size_t rows : {7U, 8U, 30U}) {
      const LibsvmData data = generate({.rows = rows, .features = 4, .classes = 7, .seed = seed});
      EXPECT_EQ(std::set<double>(data.targets.begin(), data.targets.end()).size(), 7U) << seed << " " << rows;
    }
  const LibsvmData few = generate({.rows = 3, .features = 4, .classes = 7});
  EXPECT_EQ(std::set<double>(few.targets.begin(), few.targets.end()).size(), 3U);
  EXPECT_NE(generating_error({.classes = 1}), "no error");
  EXPECT_NE(generating_error({.classes = 70000}), "no error");
  EXPECT_NE(generating_error({.classes = 3, .regression = true}), "no error");
}

}  // namespace
}  // namespace geodescent
