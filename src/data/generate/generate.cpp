// Synthetic data. Random numbers are made from 64-bit integers by additions, multiplications,
// divisions and square roots, which IEEE arithmetic defines exactly. The distributions of the
// standard library and log differ between platforms.
#include "geodescent/data/generate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/core.h>
#include <fmt/format.h>

#include "data/generate/column_sampler.hpp"
#include "data/generate/random.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

/// The nearest decimal of six significant digits. It is an integer divided by a power of ten, so
/// reading its text gives the same bits.
double rounded_decimal(double value) {
  constexpr std::array<double, 19> powers_of_ten{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                                 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
  const double magnitude = std::abs(value);
  if (magnitude >= 1e6) return std::floor(value + 0.5);
  std::size_t decimals = 0;
  while (magnitude * powers_of_ten[decimals] < 1e5 && decimals + 1 < powers_of_ten.size()) ++decimals;
  return std::floor(value * powers_of_ten[decimals] + 0.5) / powers_of_ten[decimals];
}

/// One class against the other, or one margin for each of several classes.
std::size_t margins_of(const GenerateOptions& o) { return o.regression || o.classes == 2 ? 1 : o.classes; }

/// Column scales from 1 down to 1 / conditioning in equal ratios, in shuffled order. Stored as
/// float, because the last bits of pow differ between C libraries.
std::vector<float> column_scales(const GenerateOptions& options, Random& random) {
  std::vector<float> scales(options.features, 1.0F);
  if (options.conditioning == 1 || options.features < 2) return scales;
  for (std::size_t j = 0; j < options.features; ++j) {
    const double position = static_cast<double>(j) / static_cast<double>(options.features - 1);
    scales[j] = static_cast<float>(std::pow(options.conditioning, -position));
  }
  shuffle(scales, random);
  return scales;
}

class RowMaker {
 public:
  explicit RowMaker(const GenerateOptions& options)
      : options_(options),
        random_(options.seed),
        columns_(options.features, options.density, options.power_law, random_),
        scales_(column_scales(options, random_)),
        truth_(options.features * margins_of(options)),
        margins_(margins_of(options)),
        margin_means_(margins_.size()) {
    for (double& weight : truth_) weight = random_.bell();
    measure_margins();
  }

  /// Makes the next row. `with_last_column` adds the last column if it is missing.
  void make_row(bool with_last_column) {
    columns_.sample(random_, indices_);
    const auto last = static_cast<std::uint32_t>(options_.features - 1);
    if (with_last_column && (indices_.empty() || indices_.back() != last)) indices_.push_back(last);
    values_.resize(indices_.size());
    for (std::size_t k = 0; k < indices_.size(); ++k)
      values_[k] = make_value() * static_cast<double>(scales_[indices_[k]]);
    double factor = 1;
    if (options_.unit_rows) {
      double sum = 0;
      for (const double value : values_) sum += value * value;
      if (sum > 0) factor = 1 / std::sqrt(sum);
    }
    for (double& value : values_) value = rounded_decimal(factor * value);
  }

  double make_target() {
    compute_margins();
    for (std::size_t k = 0; k < margins_.size(); ++k) margins_[k] -= margin_means_[k];
    if (margins_.size() > 1) return make_class();
    const double margin = margins_[0];
    if (options_.regression) return rounded_decimal(margin + options_.label_noise * margin_deviation_ * random_.bell());
    const bool flipped = random_.uniform() < options_.label_noise;
    return (margin > 0) != flipped ? 1 : -1;
  }

  std::span<const std::uint32_t> indices() const { return indices_; }
  std::span<const double> values() const { return values_; }

 private:
  /// The class with the largest margin, from 1 on; noise makes another one of it.
  double make_class() {
    auto label = static_cast<std::size_t>(std::ranges::max_element(margins_) - margins_.begin());
    if (random_.uniform() < options_.label_noise)
      label = (label + 1 + random_.below(margins_.size() - 1)) % margins_.size();
    return static_cast<double>(label + 1);
  }

  void compute_margins() {
    std::ranges::fill(margins_, 0.0);
    for (std::size_t e = 0; e < indices_.size(); ++e)
      for (std::size_t k = 0; k < margins_.size(); ++k)
        margins_[k] += truth_[indices_[e] * margins_.size() + k] * values_[e];
  }

  double make_value() {
    if (options_.binary_values) return 1;
    const double value = random_.bell();
    return options_.positive_values ? std::abs(value) : value;
  }

  /// Means and deviation of the margins of a few rows that are discarded, so that classes have
  /// about equal size.
  void measure_margins() {
    constexpr int samples = 200;
    Vector sums(margins_.size());
    double squares = 0;
    for (int sample = 0; sample < samples; ++sample) {
      make_row(false);
      compute_margins();
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += margins_[k];
      squares += margins_[0] * margins_[0];
    }
    const double mean = sums[0] / samples;
    margin_deviation_ = std::sqrt(std::max(0.0, squares / samples - mean * mean));
    if (options_.regression) return;
    for (std::size_t k = 0; k < sums.size(); ++k) margin_means_[k] = sums[k] / samples;
  }

  GenerateOptions options_;
  Random random_;
  ColumnSampler columns_;
  std::vector<float> scales_;
  Vector truth_;  ///< number k of the margins of column j is number j margins_.size() + k
  Vector margins_, margin_means_;
  double margin_deviation_ = 0;  ///< of the first margin
  std::vector<std::uint32_t> indices_;
  Vector values_;
};

void require(bool condition, const std::string& what) {
  if (!condition) throw InputError(fmt::format("generate: {}", what));
}

// Written so that NaN fails every check.
void check(const GenerateOptions& o) {
  constexpr std::size_t most_features = std::numeric_limits<std::uint32_t>::max() - 1;
  require(o.rows >= 1, "no rows; ask for at least 1");
  require(o.features >= 1 && o.features <= most_features,
          fmt::format("{} features; ask for 1 to {}", o.features, most_features));
  require(o.density > 0 && o.density <= 1, fmt::format("density {}; it must be over 0 and at most 1", o.density));
  require(o.power_law >= 0 && o.power_law <= 4, fmt::format("power law {}; it must be from 0 to 4", o.power_law));
  require(o.conditioning >= 1 && o.conditioning <= 1e9,
          fmt::format("conditioning {}; it must be from 1 to 1e9", o.conditioning));
  constexpr std::size_t most_classes = 1 << 16;
  require(o.classes >= 2 && o.classes <= most_classes,
          fmt::format("{} classes; ask for 2 to {}", o.classes, most_classes));
  require(!o.regression || o.classes == 2, "a regression has no classes; ask for one of both");
  const double most_noise = o.regression ? 1e6 : 1;
  require(o.label_noise >= 0 && o.label_noise <= most_noise,
          fmt::format("label noise {}; it must be from 0 to {}", o.label_noise, most_noise));
}

using Preset = GeneratePreset;
constexpr std::array presets{
    Preset{"a9a",
           "census: 32561 x 123, 11 % stored, values 1",
           {.rows = 32561,
            .features = 123,
            .density = 0.113,
            .power_law = 0.6,
            .label_noise = 0.15,
            .binary_values = true}},
    Preset{
        "covtype",
        "forest cover: 581012 x 54, 22 % stored, badly scaled",
        {.rows = 581012, .features = 54, .density = 0.22, .power_law = 0.5, .conditioning = 100, .label_noise = 0.2}},
    Preset{"epsilon",
           "dense: 400000 x 2000, unit rows",
           {.rows = 400000, .features = 2000, .density = 1, .label_noise = 0.1, .unit_rows = true}},
    Preset{"news20",
           "text: 19996 x 1355191, 0.034 % stored, unit rows",
           {.rows = 19996,
            .features = 1355191,
            .density = 0.000336,
            .power_law = 1,
            .label_noise = 0.02,
            .positive_values = true,
            .unit_rows = true}},
    Preset{"rcv1",
           "text: 20242 x 47236, 0.16 % stored, unit rows",
           {.rows = 20242,
            .features = 47236,
            .density = 0.00157,
            .power_law = 1,
            .label_noise = 0.03,
            .positive_values = true,
            .unit_rows = true}},
    Preset{"real-sim",
           "text: 72309 x 20958, 0.25 % stored, unit rows",
           {.rows = 72309,
            .features = 20958,
            .density = 0.00245,
            .power_law = 1,
            .label_noise = 0.02,
            .positive_values = true,
            .unit_rows = true}},
};

}  // namespace

std::span<const GeneratePreset> generate_presets() { return presets; }

GenerateOptions preset_options(std::string_view name, double row_factor) {
  const auto* const preset =
      std::find_if(presets.begin(), presets.end(), [name](const Preset& p) { return p.name == name; });
  if (preset == presets.end()) {
    std::string names;
    for (const Preset& p : presets) names += fmt::format("{}{}", names.empty() ? "" : ", ", p.name);
    throw InputError(fmt::format("generate: unknown preset '{}'; choose from {}", name, names));
  }
  GenerateOptions options = preset->options;
  const double rows = std::floor(row_factor * static_cast<double>(options.rows) + 0.5);
  require(rows >= 1 && rows <= 1e15,
          fmt::format("row factor {}; it must leave at least 1 row and at most 1e15", row_factor));
  options.rows = static_cast<std::size_t>(rows);
  return options;
}

namespace {

/// The classes that have not occurred yet.
class MissingClasses {
 public:
  explicit MissingClasses(std::size_t classes) : seen_(classes), missing_(classes) {}

  /// The target of the next row; another one where only so many rows are left as classes are
  /// missing.
  double next(double target, std::size_t rows_left) {
    std::size_t number = seen_.size() == 2 ? (target > 0 ? 1 : 0) : static_cast<std::size_t>(target) - 1;
    if (seen_[number] && missing_ > rows_left)
      number = static_cast<std::size_t>(std::ranges::find(seen_, false) - seen_.begin());
    if (!seen_[number]) --missing_;
    seen_[number] = true;
    return seen_.size() == 2 ? (number == 1 ? 1.0 : -1.0) : static_cast<double>(number + 1);
  }

 private:
  std::vector<bool> seen_;
  std::size_t missing_;
};

}  // namespace

void generate_rows(const GenerateOptions& options, const GeneratedRow& sink) {
  check(options);
  RowMaker maker(options);
  MissingClasses missing(options.classes);
  for (std::size_t i = 0; i < options.rows; ++i) {
    maker.make_row(i == 0);
    const double target = maker.make_target();
    const std::size_t rows_left = options.rows - i - 1;
    // The first row keeps its class, also where it is the only one.
    sink(options.regression ? target : missing.next(target, i == 0 ? options.classes : rows_left), maker.indices(),
         maker.values());
  }
}

void append_libsvm_row(std::string& text, double target, std::span<const std::uint32_t> indices,
                       std::span<const double> values) {
  fmt::format_to(std::back_inserter(text), "{}", target);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    text += ' ';
    const fmt::format_int index(std::uint64_t{indices[k]} + 1);
    text.append(index.data(), index.size());
    text += ':';
    if (values[k] == 1) {
      text += '1';
    } else {
      fmt::format_to(std::back_inserter(text), "{}", values[k]);
    }
  }
  text += '\n';
}

LibsvmData generate(const GenerateOptions& options) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> all_indices;
  Vector all_values;
  Vector targets;
  generate_rows(options, [&](double target, auto indices, auto values) {
    targets.push_back(target);
    all_indices.insert(all_indices.end(), indices.begin(), indices.end());
    all_values.insert(all_values.end(), values.begin(), values.end());
    offsets.push_back(all_values.size());
  });
  SparseRows rows(std::move(offsets), std::move(all_indices), std::move(all_values), options.features);
  return {std::move(rows), std::move(targets), false};
}

}  // namespace geodescent
