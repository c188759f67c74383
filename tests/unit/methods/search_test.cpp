// The table of searches, and the guard.
#include "methods/geod_memory/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "methods/geod_memory/guard.hpp"

namespace geodescent::testing {
namespace {

TEST(Searches, HaveNamesOfTheirOwn) {
  std::vector<std::string_view> names = direction_names();
  EXPECT_EQ(names.size(), searches().size() + 2) << "automatic, few-passes and each search";
  for (const SearchKind* kind : searches()) EXPECT_EQ(find_search(kind->name), kind);
  EXPECT_EQ(find_search("up"), nullptr);
  EXPECT_EQ(find_search(automatic_directions), nullptr);
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(Searches, OneOfThemAlwaysApplies) {
  for (const std::size_t image_size : {0u, 5u})
    for (const bool by_rows : {false, true}) {
      if (by_rows && image_size == 0) continue;  // rows have images
      Facts f{.dimension = 3, .columns = 3, .image_size = image_size};
      f.product.by_rows = by_rows;
      EXPECT_TRUE(std::ranges::any_of(
          searches(), [&](const SearchKind* kind) { return kind->applies(f) && (kind->works_by_rows || !by_rows); }));
    }
}

TEST(Searches, WhatReplacesAnotherIsNeverReplaced) {
  EXPECT_EQ(searches().front()->guarded, Guarded::never);
  Facts black_box{.dimension = 3, .columns = 3};
  for (const SearchKind* kind : searches()) {
    EXPECT_TRUE(!kind->applies(black_box) || kind->guarded != Guarded::by_fallback) << kind->name;
  }
}

TEST(Guard, IsContentAsLongAsTheGapIsHalvedFromTimeToTime) {
  Guard guard;
  for (std::size_t k = 1; k <= 30; ++k) EXPECT_TRUE(guard.is_content(1.0, k)) << k;
  EXPECT_TRUE(guard.is_content(0.5, 31)) << "halved in time";
  for (std::size_t k = 32; k <= 61; ++k) EXPECT_TRUE(guard.is_content(0.3, k)) << k;
  EXPECT_FALSE(guard.is_content(0.3, 62)) << "not halved for more than thirty";
  guard.wait_from(62);
  EXPECT_TRUE(guard.is_content(0.3, 63));
  EXPECT_TRUE(guard.is_content(0.3, 92));
  EXPECT_FALSE(guard.is_content(0.3, 93));
  EXPECT_TRUE(guard.is_content(0.25, 94));
}

}  // namespace
}  // namespace geodescent::testing
