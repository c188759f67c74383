#include "report/report.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <geodescent/error.hpp>

#include "report/figures/gnuplot.hpp"
#include "report/json.hpp"
#include "support/report/sample_report.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::lab {
namespace {

using ::geodescent::testing::contents;
using ::geodescent::testing::put;
using ::geodescent::testing::TemporaryFolder;
using ::geodescent::testing::WithoutPrivileges;

std::vector<std::string> files_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.push_back(std::filesystem::relative(entry.path(), folder).string());
  }
  std::ranges::sort(names);
  return names;
}

/// As if gnuplot were not installed.
class WithoutGnuplot {
 public:
  WithoutGnuplot() : path_(::getenv("PATH")) { ::setenv("PATH", "", 1); }
  ~WithoutGnuplot() { ::setenv("PATH", path_.c_str(), 1); }
  WithoutGnuplot(const WithoutGnuplot&) = delete;
  WithoutGnuplot& operator=(const WithoutGnuplot&) = delete;

 private:
  std::string path_;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Report, WritesWhatItSays) {
  if (!gnuplot_installed()) GTEST_SKIP() << gnuplot_remedy();
  const TemporaryFolder folder;
  Written written = write_report(sample_report(), folder / "new/place");
  EXPECT_EQ(written.figures_missing, "");
  std::ranges::sort(written.files);
  EXPECT_EQ(written.files, files_in(folder / "new/place"));
  EXPECT_EQ(written.files, (std::vector<std::string>{"claims.csv", "figures/convergence.pdf", "figures/convergence.svg",
                                                     "figures/profile.pdf", "figures/profile.svg", "hidden.csv",
                                                     "report.html", "report.json", "runs.csv", "summary.csv"}));
}

TEST(Report, IsTheSameEveryTime) {
  const TemporaryFolder folder;
  for (const std::string& name : write_report(sample_report(), folder / "a").files) {
    if (!std::filesystem::exists(folder / "b")) write_report(sample_report(), folder / "b");
    EXPECT_EQ(contents(folder / ("a/" + name)), contents(folder / ("b/" + name))) << name;
  }
}

TEST(Report, WhatAnEarlierOneLeftGoesAndNothingElse) {
  const TemporaryFolder folder;
  write_report(sample_report(), folder.path().string());
  put(folder / "mine.csv", "mine");
  Report report = sample_report();
  report.tables.pop_back();
  write_report(report, folder.path().string());
  EXPECT_FALSE(std::filesystem::exists(folder / (sample_report().tables.back().name + ".csv")));
  EXPECT_TRUE(std::filesystem::exists(folder / (report.tables.back().name + ".csv")));
  EXPECT_EQ(contents(folder / "mine.csv"), "mine");
}

TEST(Report, AStrangeEarlierOneIsHarmless) {
  const TemporaryFolder folder;
  put(folder / "mine.csv", "mine");
  for (const std::string text :
       {R"({"experiment":"x","tables":3,"figures":{"name":"x"}})",
        R"({"experiment":1,"tables":["mine",{"name":4},{"name":"../mine"},{"name":"x/../mine"}]})"}) {
    std::filesystem::remove_all(folder / "inner");
    std::filesystem::create_directories(folder / "inner");
    put(folder / "inner/report.json", text);
    EXPECT_NO_THROW(write_report(sample_report(), folder / "inner")) << text;
    EXPECT_EQ(contents(folder / "mine.csv"), "mine") << text;
  }
}

TEST(Report, WhatIsOfNoEarlierReportIsNotTouched) {
  const WithoutGnuplot none;  // the figures would be drawn 16 times and not written
  for (const std::string name : {"report.json", "report.html", "runs.csv", "claims.csv"})
    for (const std::string text : {"", "1 1:1\n", "[1]", R"({"name":"mine"})"}) {
      const TemporaryFolder folder;
      put(folder / name, text);
      try {
        write_report(sample_report(), folder.path().string());
        ADD_FAILURE() << name << " was overwritten";
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(name + ": exists and is not a file of an earlier report"),
                  std::string::npos)
            << error.what();
      }
      EXPECT_EQ(contents(folder / name), text);
      EXPECT_EQ(folder.files(), 1u);
    }
}

TEST(Report, OneThatWasInterruptedIsWrittenAgain) {
  const TemporaryFolder folder;
  write_report(sample_report(), folder.path().string());
  for (const char* name : {"report.html", "runs.csv"}) std::filesystem::remove(folder / name);
  EXPECT_NO_THROW(write_report(sample_report(), folder.path().string()));
}

TEST(Report, WithoutGnuplotHasAllButFigures) {
  const WithoutGnuplot none;
  const TemporaryFolder folder;
  const Written written = write_report(sample_report(), folder.path().string());
  EXPECT_NE(written.figures_missing.find("apt-get install gnuplot-nox"), std::string::npos);
  EXPECT_EQ(files_in(folder.path()), (std::vector<std::string>{"claims.csv", "hidden.csv", "report.html", "report.json",
                                                               "runs.csv", "summary.csv"}));
  EXPECT_FALSE(std::filesystem::exists(folder / "figures"));
}

TEST(Report, WithoutFiguresDoesNotMissThem) {
  const WithoutGnuplot none;
  const TemporaryFolder folder;
  Report report = sample_report();
  report.figures.clear();
  EXPECT_EQ(write_report(report, folder.path().string()).figures_missing, "");
}

TEST(Report, ThePageIsClosed) {
  const TemporaryFolder folder;
  Report report = sample_report();
  report.title = hostile + "{{script}}";
  write_report(report, folder.path().string());
  const std::string page = contents(folder / "report.html");
  EXPECT_EQ(count(page, "</script"), 3u) << "the data, Chart.js and our own script";
  EXPECT_EQ(count(page, "<script>alert"), 0u);
  EXPECT_NE(page.find("{{script}}</title>"), page.npos) << "text of a report is not filled in again";
  EXPECT_EQ(page.find("src=\"http"), page.npos);
  EXPECT_EQ(page.find("href=\"http"), page.npos);
}

TEST(Report, ThePageHasTheDataInIt) {
  const TemporaryFolder folder;
  write_report(sample_report(), folder.path().string());
  const std::string page = contents(folder / "report.html");
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t start = page.find(open) + open.size();
  const Json data = Json::parse(page.substr(start, page.find("</script>", start) - start));
  EXPECT_EQ(data["warnings"][1], hostile);
  EXPECT_EQ(data["tables"].size(), 2u) << "large tables are files only";
  EXPECT_EQ(data["methods"].size(), 11u);
}

TEST(Report, NothingIsWrittenIntoAFolderThatForbidsIt) {
  const TemporaryFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  {
    const WithoutPrivileges nobody;
    EXPECT_THROW(write_report(sample_report(), folder.path().string()), InputError);
    EXPECT_THROW(write_report(sample_report(), folder / "new"), InputError);
  }
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Report, AFileInPlaceOfTheFolderIsNamed) {
  const TemporaryFolder folder;
  put(folder / "file", "mine");
  try {
    write_report(sample_report(), folder / "file");
    FAIL() << "a file was taken for a folder";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(folder / "file"), std::string::npos) << error.what();
  }
  EXPECT_EQ(contents(folder / "file"), "mine");
}

TEST(Report, NamesOfFilesArePlainAndDifferent) {
  const TemporaryFolder folder;
  for (const std::string name : {"../evil", "a/b", "", ".hidden", "runs", "claims", "a b"}) {
    Report report = sample_report();
    report.tables[0].name = name;
    EXPECT_THROW(write_report(report, folder.path().string()), std::invalid_argument) << name;
  }
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace geodescent::lab
