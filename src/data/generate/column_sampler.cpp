// Samples the columns of a synthetic row.
#include "data/generate/column_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace geodescent {
namespace {

// From this density on, one draw per column is cheaper than draws that must not repeat.
constexpr double coin_density = 0.125;

/// Frequencies 1 / k^exponent, shuffled over the columns; float for the reason in generate.cpp.
std::vector<float> shuffled_frequencies(std::size_t columns, double exponent, Random& random) {
  std::vector<float> frequencies(columns, 1.0F);
  if (exponent == 0) return frequencies;
  for (std::size_t k = 0; k < columns; ++k) {
    frequencies[k] = static_cast<float>(std::pow(static_cast<double>(k + 1), -exponent));
  }
  shuffle(frequencies, random);
  return frequencies;
}

/// The sum of min(1, scale * frequency).
double expected_count(const std::vector<float>& frequencies, double scale) {
  double sum = 0;
  for (const float frequency : frequencies) sum += std::min(1.0, scale * static_cast<double>(frequency));
  return sum;
}

}  // namespace

ColumnSampler::ColumnSampler(std::size_t columns, double density, double power_law, Random& random)
    : columns_(columns), mean_count_(density * static_cast<double>(columns)) {
  std::vector<float> frequencies = shuffled_frequencies(columns, power_law, random);
  if (density >= coin_density) {
    prepare_probabilities(std::move(frequencies));
  } else {
    prepare_draws(frequencies);
  }
}

/// Probabilities min(1, scale * frequency) whose sum is the mean count. Finds the scale by
/// bisection.
void ColumnSampler::prepare_probabilities(std::vector<float> frequencies) {
  double low = 0;
  double high = 1;
  while (expected_count(frequencies, high) < mean_count_ * (1 - 1e-9) && high < 1e60) high *= 2;
  constexpr int halvings = 50;
  for (int k = 0; k < halvings; ++k) {
    const double middle = (low + high) / 2;
    (expected_count(frequencies, middle) < mean_count_ ? low : high) = middle;
  }
  for (float& f : frequencies) f = static_cast<float>(std::min(1.0, high * static_cast<double>(f)));
  probabilities_ = std::move(frequencies);
}

void ColumnSampler::prepare_draws(const std::vector<float>& frequencies) {
  marks_.assign(columns_, 0);
  cumulative_.resize(columns_);
  double sum = 0;
  for (std::size_t j = 0; j < columns_; ++j) {
    sum += static_cast<double>(frequencies[j]);
    cumulative_[j] = sum;
  }
  guide_.resize(columns_);
  std::size_t j = 0;
  for (std::size_t i = 0; i < columns_; ++i) {
    const double threshold = sum * static_cast<double>(i) / static_cast<double>(columns_);
    while (j + 1 < columns_ && cumulative_[j] <= threshold) ++j;
    guide_[i] = static_cast<std::uint32_t>(j);
  }
}

void ColumnSampler::sample(Random& random, std::vector<std::uint32_t>& chosen) {
  chosen.clear();
  if (!probabilities_.empty()) {
    sample_each(random, chosen);
  } else {
    sample_some(random, chosen);
  }
}

void ColumnSampler::sample_each(Random& random, std::vector<std::uint32_t>& chosen) const {
  for (std::size_t j = 0; j < columns_; ++j) {
    const double probability = static_cast<double>(probabilities_[j]);
    if (probability >= 1 || random.uniform() < probability) chosen.push_back(static_cast<std::uint32_t>(j));
  }
}

void ColumnSampler::sample_some(Random& random, std::vector<std::uint32_t>& chosen) {
  if (++row_ == 0) {  // the row numbers have wrapped around
    std::fill(marks_.begin(), marks_.end(), 0U);
    row_ = 1;
  }
  // Row lengths between half and one and a half times the mean. A random fraction added before
  // rounding down keeps the mean.
  const double wanted = mean_count_ * (0.5 + random.uniform()) + random.uniform();
  const std::size_t count = std::min(columns_, static_cast<std::size_t>(wanted));
  // A steep power law has few likely columns. If draws keep repeating, the rest of the row is drawn
  // uniformly.
  std::size_t draws_left = 8 * count;
  while (chosen.size() < count && draws_left-- > 0) take(draw(random), chosen);
  while (chosen.size() < count) take(static_cast<std::uint32_t>(random.below(columns_)), chosen);
  std::sort(chosen.begin(), chosen.end());
}

/// Draws a column with probability proportional to its frequency: inverts the cumulative sums,
/// starting at the guide.
std::uint32_t ColumnSampler::draw(Random& random) const {
  const double u = random.uniform();
  const auto cell = static_cast<std::size_t>(u * static_cast<double>(columns_));
  std::size_t j = guide_[std::min(cell, columns_ - 1)];  // the product may round up to columns_
  const double threshold = u * cumulative_.back();
  while (j + 1 < columns_ && cumulative_[j] <= threshold) ++j;
  return static_cast<std::uint32_t>(j);
}

void ColumnSampler::take(std::uint32_t column, std::vector<std::uint32_t>& chosen) {
  if (marks_[column] == row_) return;
  marks_[column] = row_;
  chosen.push_back(column);
}

}  // namespace geodescent
