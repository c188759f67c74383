#include "report/csv.hpp"

#include <gtest/gtest.h>

#include "support/report/sample_report.hpp"

namespace geodescent::lab {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Table table_of(std::vector<std::string> columns, std::vector<std::vector<Entry>> rows) {
  return {"name", "title", "caption", std::move(columns), std::move(rows), true};
}

TEST(Csv, NumbersReadBackAndWholeOnesHaveNoFraction) {
  EXPECT_EQ(csv_of(table_of({"a", "b", "c", "d"}, {{1.0, 0.1, 123456789.0, 1e-300}, {-2.0, 1.0 / 3.0, 0.0, 1e15}})),
            "a,b,c,d\n1,0.1,123456789,1e-300\n-2,0.3333333333333333,0,1000000000000000\n");
}

TEST(Csv, NotReachedIsInfAndMissingIsEmpty) {
  EXPECT_EQ(csv_of(table_of({"a", "b", "c"}, {{infinite, Entry{}, "x"}})), "a,b,c\ninf,,x\n");
}

TEST(Csv, QuotesWhatNeedsQuotes) {
  EXPECT_EQ(csv_of(table_of({"a,b", "c"}, {{"say \"hi\"", "two\nlines"}, {" plain ", "cr\r"}})),
            "\"a,b\",c\n\"say \"\"hi\"\"\",\"two\nlines\"\n plain ,\"cr\r\"\n");
}

TEST(Csv, ATableWithoutRowsIsItsHeader) { EXPECT_EQ(csv_of(table_of({"a", "b"}, {})), "a,b\n"); }

TEST(Csv, ClaimsSayTheirVerdictInWords) {
  const std::vector<Claim> claims = {{"section 4", "It is fast, too.", "12 of 12", Verdict::holds_in_part}};
  EXPECT_EQ(csv_of(claims),
            "source,statement,measured,verdict\nsection 4,\"It is fast, too.\",12 of 12,holds in part\n");
}

}  // namespace
}  // namespace geodescent::lab
