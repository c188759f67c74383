// Which rank sums which blocks of rows, and the rows that it needs for them.
#include "matrix/row_space.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace geodescent::testing {
namespace {

const std::vector<std::size_t> some_rows{1, 7, 512, 5003, 70001, 1000000}, some_ranks{1, 2, 3, 4, 5, 8, 13};

std::vector<parallel::Blocks> divisions(std::size_t rows) {
  return {parallel::cut(rows), parallel::cut(rows, 1024, 8), parallel::cut(rows, 2048, 16), parallel::cut(rows, 1, 1)};
}

TEST(RowShares, GiveEveryRowToOneRank) {
  for (const std::size_t rows : some_rows)
    for (const std::size_t ranks : some_ranks) {
      const RowShares shares{rows, ranks};
      std::size_t next = 0;
      for (std::size_t r = 0; r < ranks; ++r) {
        EXPECT_EQ(shares.of(r).begin, next);
        EXPECT_LE(next, shares.of(r).end);
        next = shares.of(r).end;
      }
      EXPECT_EQ(next, rows);
    }
}

TEST(RowShares, GiveEveryBlockToOneRankThatHoldsItsRows) {
  for (const std::size_t rows : some_rows)
    for (const std::size_t ranks : some_ranks) {
      const RowShares shares{rows, ranks};
      const std::vector<parallel::Blocks> all = divisions(rows);
      for (const parallel::Blocks& of_all : all) {
        std::size_t next = 0;
        for (std::size_t r = 0; r < ranks; ++r) {
          const RowRange blocks = shares.blocks(of_all, r), held = shares.held(all, r, RowShares::group(false));
          EXPECT_EQ(blocks.begin, next);
          next = blocks.end;
          EXPECT_LE(held.begin, shares.of(r).begin);
          EXPECT_GE(held.end, shares.of(r).end);
          EXPECT_GT(held.size(), 0u);
          EXPECT_EQ(held.begin % 512, 0u);
          if (blocks.size() == 0) continue;
          EXPECT_LE(held.begin, of_all.begin(blocks.begin));
          EXPECT_GE(held.end, of_all.end(blocks.end - 1));
        }
        EXPECT_EQ(next, of_all.count);
      }
    }
}

TEST(RowShares, OfEightRanksOrFewerOverlapByFewRows) {
  const std::size_t rows = 1000000;
  const std::vector<parallel::Blocks> all{parallel::cut(rows), parallel::cut(rows, 1024, 8),
                                          parallel::cut(rows, 2048, 16)};
  for (const std::size_t ranks : {2u, 3u, 4u, 8u}) {
    std::size_t held = 0;
    for (std::size_t r = 0; r < ranks; ++r) held += RowShares{rows, ranks}.held(all, r, RowShares::group(false)).size();
    EXPECT_LE(held, rows + ranks * 5000);
  }
}

}  // namespace
}  // namespace geodescent::testing
