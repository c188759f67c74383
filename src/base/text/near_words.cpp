#include "base/text/near_words.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace geodescent {
namespace {

/// The beginning of a word is near to it, and so is its last part ("hinge"). A word with more
/// letters is less near.
std::size_t distance_of_names(std::string_view typed, std::string_view known) {
  const std::size_t distance = edit_distance(typed, known);
  if (std::min(typed.size(), known.size()) < 2) return distance;
  if (known.starts_with(typed)) return std::min<std::size_t>(distance, 1);
  const bool last_part =
      known.size() > typed.size() && known.ends_with(typed) && known[known.size() - typed.size() - 1] == '-';
  if (last_part) return std::min<std::size_t>(distance, 2);
  return typed.starts_with(known) ? std::min<std::size_t>(distance, 3) : distance;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> distances(b.size() + 1);  // from the letters of a so far to each beginning of b
  std::iota(distances.begin(), distances.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(distances[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = distances[j + 1];
      distances[j + 1] = std::min({replaced, distances[j] + 1, diagonal + 1});
    }
  }
  return distances.back();
}

std::string_view nearest_word(std::string_view typed, const std::vector<std::string_view>& known) {
  std::size_t limit = std::min(typed.size(), 1 + (typed.size() + 1) / 3);  // a word at this distance is another word
  std::string_view nearest;
  for (const std::string_view one : known) {
    const std::size_t distance = distance_of_names(typed, one);
    if (distance >= limit) continue;
    limit = distance;
    nearest = one;
  }
  return nearest;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string_view>& known) {
  const std::string_view nearest = nearest_word(typed, known);
  return nearest.empty() ? "" : " (did you mean " + std::string(nearest) + "?)";
}

}  // namespace geodescent
