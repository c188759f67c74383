// Fetching data sets: how what comes is checked, and what becomes of what is not as it should be.
#include <filesystem>
#include <sstream>

#include "cli/fetch/fetch_fixture.hpp"

namespace geodescent::testing {
namespace {

namespace fs = std::filesystem;

TEST_F(Fetch, WebPageIsNoData) {
  serve([](Resource& r) { r.body = "\n<!DOCTYPE html><html><body>Sign in to this network</body></html>\n"; });
  const Outcome outcome = fetch({"heart_scale"});
  expect_refused(outcome, "a web page instead of data");
}

TEST_F(Fetch, OtherContentIsNoData) {
  for (const std::string& body : {std::string("BZh9 not really"), std::string("hello\n"), std::string()}) {
    SCOPED_TRACE(body);
    serve([&](Resource& r) { r.body = body; });
    const Outcome outcome = fetch({"--accept-different", "heart_scale"});
    expect_refused(outcome, "no LIBSVM data");
  }
}

TEST_F(Fetch, OtherCountsArePutAside) {
  serve([](Resource& r) { r.body = text_with(7, 3, 20, 4); });
  const Outcome outcome = fetch({"heart_scale"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
  EXPECT_NE(outcome.err.find("expected 270 rows (150 of label -1, 120 of label 1), 13 features, 3378 nonzeros, "
                             "found 7 rows (4 of label -1, 3 of label 1), 3 features, 20 nonzeros"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("note:"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(fs::exists(file + ".differs"));

  const Outcome accepted = fetch({"--accept-different", "heart_scale"});
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_NE(accepted.out.find("accepted"), std::string::npos) << accepted.out;
  EXPECT_NE(accepted.err.find("warning"), std::string::npos) << accepted.err;
  EXPECT_EQ(server.requests().size(), 1u) << "what was put aside need not come again";
  EXPECT_EQ(contents(file), text_with(7, 3, 20, 4));
  EXPECT_FALSE(fs::exists(file + ".differs"));
  EXPECT_EQ(fetch({"heart_scale"}).code, 1) << "it is still not the set";
  EXPECT_EQ(contents(file), text_with(7, 3, 20, 4)) << "and nobody's file is touched";
}

TEST_F(Fetch, SwappedLabelsArePutAside) {
  serve([](Resource& r) { r.body = text_with(270, 13, 3378, 120); });
  const Outcome outcome = fetch({"heart_scale"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("found 270 rows (120 of label -1, 150 of label 1), 13 features, 3378 nonzeros"),
            std::string::npos)
      << outcome.err;
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(fs::exists(file + ".differs"));
  EXPECT_EQ(left_over(), 0u);
}

TEST_F(Fetch, OtherLabelsArePutAside) {
  serve([&](Resource& r) {
    for (std::size_t at = 0; (at = r.body.find("-1 ", at)) != std::string::npos; ++at) r.body.replace(at, 2, "0");
  });
  const Outcome outcome = fetch({"heart_scale"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("found 270 rows (0 of label -1, 120 of label 1)"), std::string::npos) << outcome.err;
}

TEST_F(Fetch, OtherCountsCanBeAcceptedAtOnce) {
  serve([](Resource& r) { r.body = text_with(7, 3, 20, 4); });
  EXPECT_EQ(fetch({"--accept-different", "heart_scale"}).code, 0);
  EXPECT_EQ(contents(file), text_with(7, 3, 20, 4));
}

TEST_F(Fetch, RightFileRemovesTheOneAside) {
  serve([](Resource& r) { r.body = text_with(7, 3, 20, 4); });
  EXPECT_EQ(fetch({"heart_scale"}).code, 1);
  serve([](Resource& r) { r.etag = "\"2\""; });
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_FALSE(fs::exists(file + ".differs"));
}

TEST_F(Fetch, RebuiltSetsSayThatTheirCountsMayDiffer) {
  for (const std::string name : {"a6a", "australian_scale", "madelon"}) {
    Resource resource;
    resource.body = text_with(7, 3, 20, 4);
    server.put("/" + name, resource);
    const Outcome outcome = fetch({name});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.err.find("the public file may"), std::string::npos) << outcome.err;
  }
}

TEST_F(Fetch, ChangedFileIsFoundByItsChecksum) {
  serve([](Resource&) {});
  expect_fetched(fetch({"heart_scale"}));
  const std::string recorded = contents(checksums);
  EXPECT_EQ(recorded.size(), 64 + std::string("  heart_scale\n").size());
  if (installed("sha256sum")) {
    EXPECT_EQ(run({"sha256sum", file}).out.substr(0, 64), recorded.substr(0, 64));
  }
  put(file, other_values());
  const Outcome changed = fetch({"--accept-different", "heart_scale"});
  EXPECT_EQ(changed.code, 3);
  EXPECT_TRUE(is_one_error_line(changed.err)) << changed.err;
  EXPECT_NE(changed.err.find(file + ": changed since it was fetched"), std::string::npos) << changed.err;
  EXPECT_NE(changed.err.find("remove it and fetch again"), std::string::npos) << changed.err;
  EXPECT_EQ(contents(file), other_values()) << "nobody's file is touched";

  fs::remove(file);
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(contents(checksums), recorded);
}

TEST_F(Fetch, ChecksumsOfOtherFilesStay) {
  serve([](Resource&) {});
  fs::create_directories(data);
  const std::string line = std::string(64, 'a') + "  a_heart_scale\n";
  put(checksums, line + std::string(64, 'b') + "  heart_scale\n");
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(contents(checksums).substr(0, line.size()), line);
  EXPECT_EQ(contents(checksums).find('b' + std::string("  heart_scale")), std::string::npos) << "an old record goes";
  EXPECT_EQ(fetch({"heart_scale"}).code, 0);
}

TEST_F(Fetch, FileWithoutAChecksumIsChecked) {
  fs::create_directories(data);
  put(file, other_values());
  const Outcome outcome = fetch({"heart_scale"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(checksums));
}

TEST_F(Fetch, AcceptedFileHasAChecksum) {
  serve([](Resource& r) { r.body = text_with(7, 3, 20, 4); });
  EXPECT_EQ(fetch({"heart_scale"}).code, 1);
  EXPECT_FALSE(fs::exists(checksums)) << "it is not used";
  EXPECT_EQ(fetch({"--accept-different", "heart_scale"}).code, 0);
  put(file, text_with(7, 3, 20, 3));
  const Outcome changed = fetch({"--accept-different", "heart_scale"});
  EXPECT_EQ(changed.code, 3);
  EXPECT_NE(changed.err.find("changed since it was fetched"), std::string::npos) << changed.err;
}

/// A kilobyte for each megabyte, in one line: to be refused before it fills the memory.
TEST_F(Fetch, CompressionBombIsStopped) {
  if (!installed("gzip")) GTEST_SKIP() << "no gzip here";
  ASSERT_EQ(run({"bash", "-c", "head -c 300000000 /dev/zero | tr '\\0' ' ' | gzip > " + (folder / "bomb.gz")}).code, 0);
  const std::string bomb = contents(folder / "bomb.gz");
  ASSERT_LT(bomb.size(), 1000000u);
  serve([&](Resource& r) { r.body = bomb; });
  expect_refused(fetch({"--accept-different", "heart_scale"}), "the server has sent more than 1233472 bytes of text");

  fs::create_directories(data);
  put(file, bomb);
  const Outcome present = fetch({"heart_scale"});
  EXPECT_EQ(present.code, 3);
  EXPECT_NE(present.err.find(file + ": more than 1233472 bytes of text, too many for heart_scale"), std::string::npos)
      << present.err;
}

TEST_F(Fetch, BrokenCompressionIsNotKept) {
  if (!installed("gzip")) GTEST_SKIP() << "no gzip here";
  put(folder / "heart", text);
  ASSERT_EQ(run({"gzip", folder / "heart"}).code, 0);
  const std::string whole = contents(folder / "heart.gz");
  serve([&](Resource& r) { r.body = whole.substr(0, whole.size() - 10); });
  expect_refused(fetch({"--accept-different", "heart_scale"}), "truncated or corrupt");
  serve([&](Resource& r) { r.body = whole; });
  EXPECT_EQ(fetch({"heart_scale"}).code, 0) << "the next run is not spoilt";
}

TEST_F(Fetch, BrokenFileThatIsThereIsReported) {
  fs::create_directories(data);
  put(file, "broken\n");
  const Outcome outcome = fetch({"heart_scale"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("remove it and fetch again"), std::string::npos) << outcome.err;
  EXPECT_EQ(contents(file), "broken\n");
}

}  // namespace
}  // namespace geodescent::testing
