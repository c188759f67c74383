#include "journal/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace geodescent::lab {
namespace {

constexpr int sweeps = 10;
constexpr double least_seconds = 1e-6;  // the clock may not have moved

}  // namespace

void Forecast::add(Piece piece) {
  Entry entry{piece.cost, {}};
  for (const std::string& trait : piece.traits)
    entry.traits.push_back(trait_numbers_.try_emplace(trait, trait_numbers_.size()).first->second);
  by_label_.emplace(std::move(piece.label), entries_.size());
  entries_.push_back(std::move(entry));
  fitted_ = false;
}

void Forecast::finish(const std::string& label, double seconds) {
  const auto found = by_label_.find(label);
  if (found == by_label_.end()) return;
  finished_ += !entries_[found->second].seconds;
  entries_[found->second].seconds = std::max(seconds, least_seconds);
  fitted_ = false;
}

double Forecast::relative(const Entry& entry) const {
  double exponent = 0;
  for (const std::size_t trait : entry.traits) exponent += factors_[trait];
  return entry.cost * std::exp(exponent);
}

void Forecast::fit() {
  factors_.assign(trait_numbers_.size(), 0);
  double level = 0;  // the logarithm of the unit, during the fit
  std::vector<double> sums(factors_.size());
  std::vector<double> counts(factors_.size());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double residuals = 0;
    for (const Entry& entry : entries_)
      if (entry.seconds) residuals += std::log(*entry.seconds / relative(entry));
    level = residuals / static_cast<double>(finished_);
    // One trait of each piece at a time: those of a piece explain the same residual.
    std::size_t most = 0;
    for (const Entry& entry : entries_) most = std::max(most, entry.traits.size());
    for (std::size_t k = 0; k < most; ++k) {
      std::ranges::fill(sums, 0);
      std::ranges::fill(counts, 0);
      for (const Entry& entry : entries_) {
        if (!entry.seconds || k >= entry.traits.size()) continue;
        const std::size_t trait = entry.traits[k];
        sums[trait] += std::log(*entry.seconds / relative(entry)) - level + factors_[trait];
        counts[trait] += 1;
      }
      for (std::size_t trait = 0; trait < factors_.size(); ++trait)
        if (counts[trait] > 0) factors_[trait] = sums[trait] / (counts[trait] + 1);
    }
  }
  double measured = 0, predicted = 0;
  for (const Entry& entry : entries_) {
    if (!entry.seconds) continue;
    measured += *entry.seconds;
    predicted += relative(entry);
  }
  unit_ = measured / predicted;
  fitted_ = true;
}

std::optional<double> Forecast::remaining(int jobs, std::span<const PieceUnderWay> under_way) {
  if (finished_ == 0) return std::nullopt;
  if (!fitted_) fit();
  std::vector<double> spent(entries_.size());
  for (const PieceUnderWay& piece : under_way)
    if (const auto found = by_label_.find(piece.label); found != by_label_.end()) spent[found->second] = piece.seconds;
  double sum = 0, longest = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].seconds) continue;
    const double left = std::max(0.0, unit_ * relative(entries_[i]) - spent[i]);
    sum += left;
    longest = std::max(longest, left);
  }
  return std::max(sum / jobs, longest);
}

}  // namespace geodescent::lab
