#include "geodescent/learn/auc.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace geodescent {
namespace {

constexpr int bin_bits = 20;

/// Whole numbers in the order of the doubles; 0 and -0 are one.
std::uint64_t key_of(double value) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

}  // namespace

void RocArea::add(double decision, bool positive) {
  if (std::isnan(decision)) ordered_ = false;
  const std::uint64_t key = key_of(decision);
  ++(positive ? positives_ : negatives_);
  if (!bins_.empty()) return count(key, positive);
  (positive ? positive_keys_ : negative_keys_).push_back(key);
  if (positives_ + negatives_ > most_kept_) fold_into_bins();
}

void RocArea::count(std::uint64_t key, bool positive) { ++bins_[key >> (64 - bin_bits)][positive ? 1 : 0]; }

void RocArea::fold_into_bins() {
  bins_.resize(std::size_t{1} << bin_bits);
  for (const std::uint64_t key : positive_keys_) count(key, true);
  for (const std::uint64_t key : negative_keys_) count(key, false);
  positive_keys_ = {};
  negative_keys_ = {};
}

std::optional<Interval> RocArea::value() const {
  if (!ordered_ || positives_ == 0 || negatives_ == 0) return std::nullopt;
  return bins_.empty() ? exact_value() : binned_value();
}

Interval RocArea::exact_value() const {
  std::vector<std::uint64_t> negatives = negative_keys_;
  std::sort(negatives.begin(), negatives.end());
  std::uint64_t twice_won = 0;  // at most 2^41
  for (const std::uint64_t key : positive_keys_) {
    const auto [below, not_above] = std::equal_range(negatives.begin(), negatives.end(), key);
    twice_won += static_cast<std::uint64_t>((below - negatives.begin()) + (not_above - negatives.begin()));
  }
  const double area =
      static_cast<double>(twice_won) / (2 * static_cast<double>(positives_) * static_cast<double>(negatives_));
  return {area, area};
}

/// Pairs of different bins are decided; those of one bin may all be won or all be lost.
Interval RocArea::binned_value() const {
  long double won = 0;
  long double open = 0;
  long double negatives_below = 0;
  for (const auto& [of_negative, of_positive] : bins_) {
    const auto positives = static_cast<long double>(of_positive);
    const auto negatives = static_cast<long double>(of_negative);
    won += positives * negatives_below;
    open += positives * negatives;
    negatives_below += negatives;
  }
  const long double pairs = static_cast<long double>(positives_) * static_cast<long double>(negatives_);
  return {static_cast<double>(won / pairs), static_cast<double>((won + open) / pairs)};
}

}  // namespace geodescent
