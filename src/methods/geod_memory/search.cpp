#include "methods/geod_memory/search.hpp"

#include <algorithm>

namespace geodescent {

#define GEODESCENT_SEARCH(kind) extern const SearchKind kind;
#include "methods/geod_memory/searches.def"
#undef GEODESCENT_SEARCH

std::span<const SearchKind* const> searches() {
  static constexpr const SearchKind* table[] = {
#define GEODESCENT_SEARCH(kind) &(kind),
#include "methods/geod_memory/searches.def"
#undef GEODESCENT_SEARCH
  };
  return table;
}

const SearchKind* find_search(std::string_view name) {
  const auto all = searches();
  const auto found = std::ranges::find(all, name, [](const SearchKind* kind) { return kind->name; });
  return found == all.end() ? nullptr : *found;
}

std::vector<std::string_view> direction_names() {
  std::vector<std::string_view> names{automatic_directions, few_passes_directions};
  for (const SearchKind* kind : searches()) names.push_back(kind->name);
  return names;
}

}  // namespace geodescent
