// The shares of ranks, one after the other, are the rows of one process; errors are its errors.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "geodescent/data/convert.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/error.hpp"
#include "geodescent/ranks.hpp"
#include "support/temporary_folder.hpp"
#include "support/thread_ranks.hpp"

namespace geodescent::testing {
namespace {

/// All that a data set says, row by row.
struct Told {
  std::vector<std::string> rows;
  std::string form;
};

Told told(const Dataset& data) {
  Told all;
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    data.rows->copy_row(i, indices, values);
    all.rows.push_back(fmt::format("{} weight {}: {} / {}", data.targets[i],
                                   data.weights.empty() ? "none" : fmt::format("{}", data.weights[i]),
                                   fmt::join(indices, " "), fmt::join(values, " ")));
  }
  all.form = fmt::format("{} columns, {}, from {}, {} class weights", data.rows->columns(),
                         dynamic_cast<const DenseRows*>(data.rows.get()) != nullptr ? "dense" : "sparse",
                         data.zero_based ? 0 : 1, data.class_weights.size());
  for (const ClassWeight& one : data.class_weights) all.form += fmt::format(" {}:{}", one.label, one.weight);
  return all;
}

/// Empty if nothing is thrown.
std::string error_of(const std::vector<std::string>& paths, const DatasetOptions& options,
                     Communicator* ranks = nullptr) {
  try {
    (void)read_dataset(paths, options, ranks);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_the_same(const std::vector<std::string>& paths, const DatasetOptions& options, const Dataset& expected,
                     const std::vector<std::size_t>& all_ranks = {2, 3, 8}) {
  const Told all = told(expected);
  const Told together = told(read_dataset(paths, options));
  EXPECT_EQ(together.rows, all.rows);
  EXPECT_EQ(together.form, all.form);
  for (const std::size_t ranks : all_ranks) {
    std::vector<Told> of_ranks(ranks);
    std::vector<std::size_t> nonzeros(ranks);
    const auto thrown = run_ranks(ranks, [&](std::shared_ptr<Communicator> comm) {
      const Dataset share = read_dataset(paths, options, comm.get());
      of_ranks[comm->rank()] = told(share);
      nonzeros[comm->rank()] = share.nonzeros;
    });
    for (const std::string& error : thrown) EXPECT_EQ(error, "") << ranks;
    std::vector<std::string> rows;
    std::size_t entries = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      rows.insert(rows.end(), of_ranks[r].rows.begin(), of_ranks[r].rows.end());
      EXPECT_EQ(of_ranks[r].form, all.form) << ranks;
      entries += nonzeros[r];
    }
    EXPECT_EQ(rows, all.rows) << ranks;
    EXPECT_EQ(entries, expected.nonzeros) << ranks;
  }
}

/// All ranks have the error of one process, perhaps with the rank before it.
void expect_the_error(const std::vector<std::string>& paths, const DatasetOptions& options,
                      const std::string& expected) {
  EXPECT_EQ(error_of(paths, options), expected);
  for (const std::size_t ranks : {2, 3, 8}) {
    std::vector<std::string> errors(ranks);
    run_ranks(ranks,
              [&](std::shared_ptr<Communicator> comm) { errors[comm->rank()] = error_of(paths, options, comm.get()); });
    for (const std::string& error : errors) {
      EXPECT_EQ(error, errors.front());
      const std::size_t behind = error.starts_with("rank ") ? error.find(": ") + 2 : 0;
      EXPECT_EQ(error.substr(behind), expected) << ranks;
    }
  }
}

/// Rows of different lengths, with comments and blank lines between.
std::string text_of_rows(std::size_t rows, std::size_t first_index, std::size_t seed) {
  std::string lines;
  for (std::size_t i = 0; i < rows; ++i) {
    lines += fmt::format("{}", static_cast<int>((i * 7 + seed) % 3) - 1);
    for (std::size_t j = first_index; j < 40; j += 1 + (i * i + j + seed) % 11)
      lines += fmt::format(" {}:{}", j, static_cast<double>((i + j) % 5) * 0.25);
    lines += i % 9 == 4 ? " # a comment\n" : "\n";
    if (i % 13 == 5) lines += "\n";
  }
  return lines;
}

struct Files {
  TemporaryFolder folder;
  std::vector<std::string> paths;

  explicit Files(const std::vector<std::string>& texts) {
    for (const std::string& lines : texts) {
      paths.push_back(folder / fmt::format("part-{}.svm", paths.size()));
      put(paths.back(), lines);
    }
  }
};

Dataset read_one(const std::string& lines, const DatasetOptions& options = {}) {
  const Files whole({lines});
  return read_dataset(whole.paths.front(), options);
}

TEST(Shares, OfOneFile) {
  const std::string lines = text_of_rows(120, 1, 0);
  const Files files({lines});
  expect_the_same(files.paths, {}, read_one(lines));
}

TEST(Shares, OfOneFileWithoutEndOfLine) {
  const std::string lines = text_of_rows(50, 1, 1) + "1 2:1 5:1";
  const Files files({lines});
  expect_the_same(files.paths, {}, read_one(lines));
}

TEST(Shares, OfSeveralFilesAreThoseOfTheirConcatenation) {
  const std::vector<std::string> texts{text_of_rows(30, 1, 2), "", "# nothing\n", text_of_rows(1, 1, 3),
                                       text_of_rows(60, 1, 4) + "1 3:1"};
  const Files files(texts);
  std::string all;
  for (const std::string& lines : texts) all += lines;
  expect_the_same(files.paths, {}, read_one(all));
}

TEST(Shares, AnIndexZeroAnywhereNumbersAllFromZero) {
  const std::string first = text_of_rows(80, 1, 5), last = text_of_rows(3, 0, 6);
  expect_the_same(Files({first + last}).paths, {}, read_one(first + last));
  expect_the_same(Files({first, last}).paths, {}, read_one(first + last));
  expect_the_same(Files({last, first}).paths, {}, read_one(last + first));
}

TEST(Shares, MoreRanksThanRows) {
  const std::string lines = "1 1:1\n-1 2:1\n1 1:2\n";
  expect_the_same(Files({lines}).paths, {}, read_one(lines), {2, 4, 30});
}

TEST(Shares, DenseIsDecidedByAllRows) {
  std::string dense, sparse = "1 1:1\n-1 2:1\n";
  for (int i = 0; i < 40; ++i) dense += fmt::format("{} 1:{} 2:2 3:3\n", i % 2, i);
  expect_the_same(Files({sparse + dense}).paths, {}, read_one(sparse + dense));
  for (int i = 0; i < 400; ++i) sparse += "1 3:1\n";
  expect_the_same(Files({dense, sparse}).paths, {}, read_one(dense + sparse));
}

TEST(Shares, OfConvertedFiles) {
  const std::string sparse = text_of_rows(100, 1, 7);
  std::string dense;
  for (int i = 0; i < 70; ++i) dense += fmt::format("{} 1:{} 2:{} 3:3\n", i % 2, i, i % 3);
  for (const std::string& lines : {sparse, dense}) {
    const Files files({lines});
    const std::string converted = files.folder / "converted";
    convert_libsvm(files.paths.front(), converted);
    expect_the_same({converted}, {}, read_dataset(converted, DatasetOptions{}));
    const DatasetOptions wider{.libsvm = {.features = 64}}, chosen{.class_weights = {{1, 2}, {0, 0}}};
    expect_the_same({converted}, wider, read_dataset(converted, wider));
    expect_the_same({converted}, chosen, read_dataset(converted, chosen));
  }
}

TEST(Shares, OfConvertedAndOtherFiles) {
  const std::string a = text_of_rows(50, 1, 8), b = text_of_rows(20, 0, 9), c = text_of_rows(30, 1, 10);
  const Files files({a, b, c});
  for (const std::size_t k : {0, 2}) {
    std::vector<std::string> paths = files.paths;
    paths[k] = files.folder / "converted";
    convert_libsvm(files.paths[k], paths[k]);
    const Dataset expected = read_one(a + b + c);
    const Told all = told(expected);
    EXPECT_EQ(told(read_dataset(paths, {})).rows, all.rows);
    expect_the_same(paths, {}, expected);
  }
}

TEST(Shares, CompressedFilesAreReadWhole) {
  const std::string folder = (std::filesystem::path(GEODESCENT_TEST_DATA) / "compressed" / "sample.svm").string();
  const Files files({text_of_rows(40, 1, 11), text_of_rows(9, 1, 12)});
  const std::vector<std::string> paths{files.paths[0], folder + ".gz", folder + ".xz", files.paths[1], folder + ".bz2"};
  expect_the_same(paths, {}, read_dataset(paths, {}));
}

TEST(Shares, WeightsAreThoseOfAllRows) {
  const std::string lines = text_of_rows(90, 1, 13);
  const Files files({lines});
  const std::size_t rows = read_one(lines).targets.size();
  std::string ones, some;
  for (std::size_t i = 0; i < rows; ++i) {
    ones += "1\n";
    some += fmt::format("{}\n", i < rows / 2 ? 1.0 : 0.1 * static_cast<double>(i % 4));
  }
  put(files.folder / "ones", ones);
  put(files.folder / "some", some);
  const std::vector<DatasetOptions> all{
      {.row_weights = files.folder / "ones"},
      {.row_weights = files.folder / "some"},
      {.row_weights = files.folder / "some", .class_weights = {{-1, 0}, {1, 0.3}}},
      {.weight_feature = 1},
      {.weight_feature = 5, .class_weights = {{0, 3}}},
      {.row_weights = files.folder / "some", .balanced_classes = true},
      {.balanced_classes = true},
  };
  for (const DatasetOptions& options : all) expect_the_same(files.paths, options, read_one(lines, options));
}

TEST(Shares, ErrorsHaveTheirTrueLine) {
  for (const std::size_t line : {0, 40, 99}) {
    std::string lines;
    for (std::size_t i = 0; i < 100; ++i) lines += i == line ? "1 3:1 2:1\n" : i == 99 ? "x\n" : "1 1:1 4:2\n";
    const Files files({lines});
    expect_the_error(files.paths, {}, error_of({files.paths.front()}, {}));
    EXPECT_NE(error_of({files.paths.front()}, {}).find(fmt::format("svm:{}:", line + 1)), std::string::npos);
    std::vector<std::string> behind = files.paths;
    behind.insert(behind.begin(), files.folder / "good");
    put(files.folder / "good", text_of_rows(70, 1, 14));
    expect_the_error(behind, {}, error_of({files.paths.front()}, {}));
  }
}

TEST(Shares, LimitsOfFeaturesMeetOverFiles) {
  const DatasetOptions limited{.libsvm = {.features = 40}};
  std::string at_limit, with_zero;
  for (int i = 0; i < 50; ++i) at_limit += i == 30 ? "1 40:1\n" : "1 3:1\n";
  for (int i = 0; i < 50; ++i) with_zero += i == 20 ? "1 0:1\n" : "1 3:1\n";
  const Files files({at_limit, with_zero});
  expect_the_same({files.paths[0]}, limited, read_one(at_limit, limited));
  expect_the_same({files.paths[1]}, limited, read_one(with_zero, limited));
  expect_the_error(
      files.paths, limited,
      fmt::format("{}:21:3: index 0 makes the data 0-based, so index 40 in line 31 of {} is over the limit "
                  "of 40 features; raise the number of features or check the file",
                  files.paths[1], files.paths[0]));
  expect_the_error({files.paths[1], files.paths[0]}, limited,
                   fmt::format("{}:31:3: index 40 is over the limit of 40 features (0-based); raise the number of "
                               "features or check the file",
                               files.paths[0]));
  const Files one({at_limit + with_zero});
  expect_the_error(one.paths, limited, error_of({one.paths.front()}, limited));
}

TEST(Shares, ErrorsOfAllRows) {
  const Files files({text_of_rows(30, 1, 15), "# no row\n"});
  const std::string folder = files.folder.path().string();
  expect_the_error({folder + "/nothing"}, {}, folder + "/nothing: no such file; check the path");
  expect_the_error({files.paths[1]}, {}, error_of({files.paths[1]}, {}));
  put(files.folder / "weights", "1\n1\n");
  for (const DatasetOptions& options : std::vector<DatasetOptions>{{.class_weights = {{17, 2}}},
                                                                   {.class_weights = {{-1, 0}, {0, 0}, {1, 0}}},
                                                                   {.weight_feature = 4000},
                                                                   {.row_weights = files.folder / "weights"},
                                                                   {.row_weights = folder + "/nothing"}})
    expect_the_error({files.paths[0]}, options, error_of({files.paths[0]}, options));
  const Files negative({text_of_rows(30, 1, 15) + "1 1:-3\n1 1:1\n"});
  expect_the_error(negative.paths, {.weight_feature = 1}, error_of({negative.paths[0]}, {.weight_feature = 1}));
}

TEST(Shares, RanksMustSeeTheSameFile) {
  const Files files({text_of_rows(30, 1, 16), text_of_rows(31, 1, 16)});
  std::vector<std::string> errors(3);
  run_ranks(3, [&](std::shared_ptr<Communicator> comm) {
    errors[comm->rank()] = error_of({files.paths[comm->rank() == 2 ? 1 : 0]}, {}, comm.get());
  });
  for (const std::string& error : errors) EXPECT_NE(error.find("rank 2 sees another file"), std::string::npos) << error;
}

}  // namespace
}  // namespace geodescent::testing
