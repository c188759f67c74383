// Known words near a misspelt one. Internal to the library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace geodescent {

/// The number of letters to insert, delete or replace to turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word nearest to `typed`, the first of equally near ones; empty if none is near. A word
/// that begins with the other one is near, and so is one that ends with "-" and the typed one
/// ("hinge").
std::string_view nearest_word(std::string_view typed, const std::vector<std::string_view>& known);

/// " (did you mean logistic?)"; empty if no known word is near.
std::string did_you_mean(std::string_view typed, const std::vector<std::string_view>& known);

}  // namespace geodescent
