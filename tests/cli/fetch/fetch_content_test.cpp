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
  put(checksums, line);
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(contents(checksums).substr(0, line.size()), line);
  EXPECT_EQ(fetch({"heart_scale"}).code, 0);
}

TEST_F(Fetch, TheChecksumIsKeptForTheNextDownload) {
  serve([](Resource&) {});
  expect_fetched(fetch({"heart_scale"}));
  const std::string recorded = contents(checksums);
  fs::remove(file);
  serve([&](Resource& r) { r.body = other_values(); });
  const Outcome other = fetch({"heart_scale"});
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(is_one_error_line(other.err)) << other.err;
  EXPECT_TRUE(says(other.err, {"/heart_scale: not what was fetched before: its checksum is not the one in SHA256SUMS",
                               "kept as " + file + ".differs and not used, --accept-different"}))
      << other.err;
  EXPECT_FALSE(fs::exists(file));
  EXPECT_EQ(contents(file + ".differs"), other_values());
  EXPECT_EQ(contents(checksums), recorded) << "another download does not forget it";

  serve([](Resource&) {});
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(contents(checksums), recorded);
  EXPECT_FALSE(fs::exists(file + ".differs"));

  fs::remove(file);
  serve([&](Resource& r) { r.body = other_values(); });
  const Outcome accepted = fetch({"--accept-different", "heart_scale"});
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_TRUE(says(accepted.err, {"warning", "not what was fetched before"})) << accepted.err;
  EXPECT_EQ(contents(file), other_values());
  EXPECT_NE(contents(checksums), recorded);
  EXPECT_EQ(fetch({"heart_scale"}).code, 0) << "the new checksum is recorded";
}

TEST_F(Fetch, APartThatDoesNotFitTheChecksumIsFetchedAgain) {
  serve([](Resource&) {});
  expect_fetched(fetch({"heart_scale"}));
  fs::remove(file);
  leave_a_part();
  put(part, other_values().substr(0, 1000));
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), (Ranges{"", "", "bytes=1000-", ""}));
}

TEST_F(Fetch, ADamagedLineOfTheChecksumsIsAnError) {
  serve([](Resource&) {});
  expect_fetched(fetch({"heart_scale"}));
  const std::string recorded = contents(checksums);
  const auto expect_error_in = [&](int line, const std::string& said) {
    const Outcome outcome = fetch({"heart_scale"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    const std::string place = checksums + ":" + std::to_string(line) + ": ";
    EXPECT_TRUE(says(outcome.err, {place, said, "mend the line, or remove it"})) << outcome.err;
  };
  const std::string no_checksum = "not a checksum of 64 hexadecimal digits";
  put(checksums, recorded.substr(1));
  expect_error_in(1, no_checksum);
  put(checksums, "x" + recorded.substr(1));
  expect_error_in(1, no_checksum);
  put(checksums, "# a comment\n\n" + recorded.substr(0, 64) + " heart_scale\n");
  expect_error_in(3, no_checksum);
  put(checksums, recorded + recorded.substr(0, 30));
  expect_error_in(2, no_checksum);
  put(checksums, recorded + std::string(64, 'a') + "  heart_scale\n");
  expect_error_in(2, "another checksum for heart_scale than in a line before");

  std::string upper = recorded;
  for (char& c : upper) c = c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
  for (const std::string& right : {"# a comment\n\n" + recorded, upper.substr(0, 64) + " *heart_scale\r\n"}) {
    put(checksums, right);
    EXPECT_EQ(fetch({"heart_scale"}).code, 0) << right;
  }
  fs::remove(checksums);
  fs::create_directory(checksums);
  const Outcome folder_instead = fetch({"heart_scale"});
  EXPECT_EQ(folder_instead.code, 3);
  EXPECT_TRUE(says(folder_instead.err, {checksums + ": is a folder"})) << folder_instead.err;
}

// A device that fails says nothing about the data.
TEST_F(Fetch, AFileThatCannotBeReadIsNoBadData) {
  serve([](Resource&) {});
  const auto fetch_failing = [&](const std::string& unreadable) {
    Surroundings surroundings = clean();
    surroundings.environment["LD_PRELOAD"] = GEODESCENT_CRASH;
    surroundings.environment["CRASH_READ"] = unreadable;
    return geodescent(arguments({"heart_scale"}), surroundings);
  };
  const auto expect_said = [&](const Outcome& outcome, const std::string& path) {
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_TRUE(says(outcome.err, {"error: " + path + ": cannot read: Input/output error; check the device"}))
        << outcome.err;
    EXPECT_EQ(outcome.err.find(path, outcome.err.find(path) + 1), std::string::npos) << "once: " << outcome.err;
    for (const char* const wrong : {"LIBSVM data", "the server", "remove it"})
      EXPECT_EQ(outcome.err.find(wrong), std::string::npos) << outcome.err;
  };
  expect_said(fetch_failing(part), part);
  EXPECT_EQ(contents(part), text) << "what has come is kept";
  expect_fetched(fetch({"heart_scale"}));
  expect_said(fetch_failing(file), file);
  EXPECT_EQ(contents(file), text);
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
