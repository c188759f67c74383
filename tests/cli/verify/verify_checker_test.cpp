// scripts/check.py: which files it reads, and how it ends on those that it does not read. Verdicts:
// see the other files.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <utility>

#include "cli/support/certificates.hpp"
#include "cli/verify/verify_fixture.hpp"

namespace geodescent::testing {
namespace {

constexpr const char* only_python = "the tests of check.py need the program for its models alone";

TEST_F(Verify, CheckerTakesToleranceAnywhereAndRefusesNonsense) {
  if (sanitized()) GTEST_SKIP() << only_python;
  train({});
  EXPECT_EQ(checker({data, model, "--tol", "1e-6"}).code, 0);
  EXPECT_EQ(checker({data, "--tol=1e-6", model, model}).code, 0);
  const Outcome above = checker({"--tol", "0", data, model});
  EXPECT_EQ(above.code, 1);
  EXPECT_TRUE(says(above.out, {"does not hold: the relative gap is ", "more than --tol 0"})) << above.out;
  for (const char* tolerance : {"-1", "inf", "nan", "x"}) {
    const Outcome outcome = checker({"--tol", tolerance, data, model});
    EXPECT_EQ(outcome.code, 2) << tolerance;
    EXPECT_TRUE(says(outcome.err, {"check.py: error: ", "--tol"})) << outcome.err;
    EXPECT_EQ(geodescent({"verify", "--tol", tolerance, data, model}).code, 2) << tolerance;
  }
}

TEST_F(Verify, CheckerKnowsClassWeightsFromTheCertificate) {
  if (sanitized()) GTEST_SKIP() << only_python;
  train({"-w", "1", "2"});
  EXPECT_EQ(checker({data, model}).code, 0);
  EXPECT_EQ(checker({"-w", "1", "2", data, model}).code, 2);
  change_certificate([](Certificate& c) { c.class_weights.clear(); });
  const Outcome without = checker({data, model});
  EXPECT_EQ(without.code, 1);
  EXPECT_TRUE(says(without.out, {"does not hold: the row weights are not those of the training (--row-weights)"}))
      << without.out;
  std::istringstream rows(contents(data));
  std::string weights;
  for (std::string row; std::getline(rows, row);) weights += row[0] == '-' ? "1\n" : "2\n";
  put(folder / "weights", weights);
  EXPECT_EQ(checker({"--row-weights", folder / "weights", data, model}).code, 0);
}

TEST_F(Verify, CheckerReadsOrNamesEveryCompression) {
  if (sanitized()) GTEST_SKIP() << only_python;
  const std::string sample = GEODESCENT_TEST_DATA "/compressed/sample.svm", copy = folder / "copy";
  ASSERT_LE(geodescent({"train", "--quiet", "--loss", "squared", sample, model}).code, 1);
  for (const std::string suffix : {"", ".gz", ".bz2", ".xz", ".lzma"}) {
    SCOPED_TRACE(suffix);
    const Outcome outcome = checker({sample + suffix, model});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    if (suffix.empty()) continue;
    const std::string whole = contents(sample + suffix);
    put(copy, whole.substr(0, whole.size() / 2));
    expect_unusable(checker({copy, model}), "copy: compressed data that are cut off or damaged\n");
  }
  expect_unusable(checker({sample + ".zst", model}),
                  "sample.svm.zst: compressed by zstd; decompress it with: zstd -d\n");
  ASSERT_EQ(geodescent({"convert", "--quiet", sample, copy}).code, 0);
  expect_unusable(checker({copy, model}), "copy: binary data of 'geodescent convert'; give the text");
}

TEST_F(Verify, CheckerReadsEveryFormOfText) {
  if (sanitized()) GTEST_SKIP() << only_python;
  train({});
  std::string model_text = contents(model), windows = contents(data), query = contents(data);
  const auto replace_all = [](std::string& text, std::size_t begin, std::size_t end, std::string from, std::string to) {
    for (std::size_t at = text.find(from, begin); at < end; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
      end += to.size() - from.size();
    }
  };
  const auto expect_holds = [&] {
    const Outcome outcome = checker({data, model});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(geodescent({"verify", "--quiet", data, model}).code, 0);
  };
  replace_all(windows, 0, windows.size(), "\n", "\r\n");
  put(data, "\xEF\xBB\xBF" + windows);
  expect_holds();
  replace_all(query, 0, query.size(), " 1:", " qid:7 1:");
  put(data, "# \xC3\xA9 \n" + query);
  expect_holds();
  const std::size_t weights = model_text.find("\nw \n") + 4;
  std::string bare = model_text;
  // No digit of a weight is lost with its blank.
  replace_all(bare, weights, bare.find("geodescent-model"), " \n", "\n");
  ASSERT_NE(bare, model_text);
  put(model, bare);
  expect_holds();
  replace_all(model_text, 0, model_text.find("geodescent-certificate"), "\n", "\r\n");
  put(model, model_text);
  expect_holds();
}

TEST_F(Verify, CheckerNamesTheLineOfBadData) {
  if (sanitized()) GTEST_SKIP() << only_python;
  train({});
  const std::string good = contents(data);
  for (const auto& [line, part] : std::vector<std::pair<std::string, std::string>>{
           {"1 1:x", "data.svm:301: value is 'x', not a finite number\n"},
           {"1 1:nan", "data.svm:301: value is 'nan', not a finite number\n"},
           {"1 1:1e999", "data.svm:301: value is '1e999', not a finite number\n"},
           {"1 1:", "data.svm:301: value is '', not a finite number\n"},
           {"1 1", "data.svm:301: value is '', not a finite number\n"},
           {"1 -1:1", "data.svm:301: '-1' is not an index before a value\n"},
           {"1 99999999999999999999:1", "data.svm:301: '99999999999999999999' is not an index before a value\n"},
           {"1 2:1 1:1", "data.svm:301: indices must increase from 1, in 6 features\n"},
           {"1 7:1", "data.svm:301: indices must increase from 1, in 6 features\n"},
           {"mean,radius", "data.svm:301: label is 'mean,radius', not a finite number\n"},
           {"\xC3\xA9 1:1", "data.svm:301: label is '\\xc3\\xa9', not a finite number\n"},
           {std::string("\0\1", 2), "data.svm:301: label is '\\x00\\x01', not a finite number\n"}}) {
    put(data, good + line + "\n");
    expect_unusable(checker({data, model}), part);
    EXPECT_EQ(geodescent({"verify", "--quiet", data, model}).code, 3) << line;
  }
  put(data, "# nothing\n");
  expect_unusable(checker({data, model}), "data.svm: 0 rows");
  put(data, good);
  const std::string weights = folder / "weights";
  for (const auto& [text, part] :
       std::vector<std::pair<std::string, std::string>>{{"1\nx\n", "weights:2: weight is 'x', not a finite number\n"},
                                                        {"1\n-1\n", "weights: a weight is below 0\n"},
                                                        {"1\n1\n", "data.svm: 300 rows, with 2 row weights\n"}}) {
    put(weights, text);
    expect_unusable(checker({"--row-weights", weights, data, model}), part);
  }
}

TEST_F(Verify, CheckerNamesFilesThatItCannotUse) {
  if (sanitized()) GTEST_SKIP() << only_python;
  train({});
  const std::string whole = contents(model), copy = folder / "copy";
  expect_unusable(checker({folder / "missing", model}), "missing: No such file or directory\n");
  expect_unusable(checker({folder.path().string(), model}), ": Is a directory\n");
  expect_unusable(checker({data, folder / "missing"}), "missing: No such file or directory\n");
  expect_unusable(checker({data, data}), "data.svm: not a model of geodescent");
  expect_unusable(checker({data, GEODESCENT_TEST_DATA "/models/liblinear.model"}),
                  "liblinear.model: not a model of geodescent");
  put(copy, whole.substr(0, whole.find("geodescent-certificate")));
  expect_unusable(checker({data, copy}), "copy: no certificate in it, and no " + copy + ".cert\n");
  expect_unusable(checker({data, copy, data}), "data.svm: not a certificate of version 2 or 3, or cut off\n");
  put(copy, whole.substr(0, whole.size() - 1));
  expect_unusable(checker({data, copy}), "copy (certificate): cut off or changed: wrong length or checksum\n");
  std::string changed = whole;
  put(copy, changed.replace(changed.find("\nl2 ") + 4, 1, "x"));
  expect_unusable(checker({data, copy}), ": l2 is 'x");
  changed = whole;
  put(copy, changed.replace(changed.find("\nloss ") + 6, 0, "other-"));
  expect_unusable(checker({data, copy}), " is not known here\n");
  EXPECT_EQ(checker({data}).code, 2);
}

TEST_F(Verify, CheckerNamesItsOtherFile) {
  if (sanitized()) GTEST_SKIP() << only_python;
  std::filesystem::copy_file(GEODESCENT_CHECKER, folder / "check.py");
  expect_unusable(run({"python3", folder / "check.py", data, model}), "check_proof.py is missing; it must be in");
}

TEST_F(Verify, CheckerSaysTheObjective) {
  if (sanitized()) GTEST_SKIP() << only_python;
  train({"--loss", "huber", "--huber-delta", "0.5", "--l2", "0.25"});
  EXPECT_TRUE(checker({data, model})
                  .out.ends_with("\nobjective: mean huber loss (delta 0.5) + l2/2 |w|^2, l2 = 0.25, free intercept\n"));
  train({"--l2", "0.5", "--bias", "none", "-w1", "2"});
  EXPECT_TRUE(
      checker({data, model})
          .out.ends_with(
              "\nobjective: mean logistic loss + l2/2 |w|^2, l2 = 0.5, no intercept, class weight 2.0 for label 1.0\n"))
      << checker({data, model}).out;
}

TEST_F(Verify, CheckerHasTheLimitOfTheHeader) {
  if (sanitized()) GTEST_SKIP() << only_python;
  train({});
  const std::string whole = contents(model);
  const std::size_t begin = whole.find("geodescent-certificate"), end = whole.find("\ndual\n", begin) + 6;
  for (const std::size_t size : {4096, 4097}) {
    std::string longer = whole;
    put(model, longer.insert(longer.find("\nl2 ", begin) + 4, size - (end - begin), '0'));
    const bool fits = size == 4096;  // and the checksum is that of the shorter one
    expect_unusable(checker({data, model}), fits ? "wrong length or checksum" : "not a certificate of version 2");
    expect_error(geodescent({"verify", data, model}), 3, fits ? "do not match its checksum" : "the header has no end");
  }
}

// What Program::wait asks after every training of these tests.
TEST_F(Verify, CertificatesOfTrainingsAreChecked) {
  train({});
  const auto objection = [&](const std::vector<std::string>& words) {
    return objection_to_training(words, 0, "", data);
  };
  EXPECT_EQ(objection({"--quiet", "--l2", "1", data, model}), "");
  EXPECT_EQ(objection({"--quiet", "-", model}), "") << "data from standard input";
  EXPECT_TRUE(says(objection({data, folder / "none"}), {"no model of "}));
  change_certificate([](Certificate& c) { c.relative_gap = 0; });
  EXPECT_TRUE(
      says(objection({data, model}), {"check.py ends with 1 on data.model: does not hold: the relative gap is "}));
  put(data, "1 1:x\n");
  EXPECT_TRUE(says(objection({data, model}), {"check.py ends with 2 on data.model: check.py: ", "value is 'x'"}));
  EXPECT_TRUE(says(objection({folder / "none", model}), {"FileNotFoundError"}));
}

TEST(Certificates, CountsHaveLimits) {
  const TemporaryFolder folder;
  const auto limits = [&](const std::string& counts) {
    put(folder / "counts", counts);
    return run({"python3", "-B", GEODESCENT_CERTIFICATES, "limits", folder / "counts"});
  };
  EXPECT_EQ(limits(R"({"checked": 1000, "binary data": 1})").code, 0);
  EXPECT_EQ(limits(R"({"checked": 1000, "binary data": 1000})").code, 1);
  EXPECT_EQ(limits(R"({"checked": 10})").code, 1);
}

}  // namespace
}  // namespace geodescent::testing
