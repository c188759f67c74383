// Fetching over a network that does what networks do: cuts, kills, changed files, failing servers.
#include <signal.h>

#include <filesystem>

#include "cli/fetch/fetch_fixture.hpp"

namespace geodescent::testing {
namespace {

namespace fs = std::filesystem;

TEST_F(Fetch, GoesOnAfterCutsInOneRun) {
  serve([](Resource& r) {
    r.cut_after = 1000;
    r.cuts = 2;
  });
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), (Ranges{"", "bytes=1000-", "bytes=2000-"}));
}

TEST_F(Fetch, GoesOnInTheNextRun) {
  leave_a_part();
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), (Ranges{"", "bytes=1000-"}));
  EXPECT_EQ(server.requests()[1].if_range, "\"1\"");
}

TEST_F(Fetch, LastModifiedIdentifiesAVersion) {
  leave_a_part([](Resource& r) {
    r.etag.clear();
    r.last_modified = "Sat, 01 Jan 2005 00:00:00 GMT";
  });
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), (Ranges{"", "bytes=1000-"}));
  EXPECT_EQ(server.requests()[1].if_range, "Sat, 01 Jan 2005 00:00:00 GMT");
}

TEST_F(Fetch, WithoutAVersionAllIsFetchedAgain) {
  leave_a_part([](Resource& r) { r.etag = "W/\"weak\""; });
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), (Ranges{"", ""}));
}

TEST_F(Fetch, GoesOnAfterBeingKilled) {
  serve([](Resource& r) { r.stall_after = 1000; });
  Program program(geodescent_command(arguments({"heart_scale"})), clean());
  ASSERT_TRUE(part_has_come());
  program.send(SIGKILL);
  EXPECT_EQ(program.wait().code, 128 + SIGKILL);
  EXPECT_FALSE(fs::exists(file));
  server.release();
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), (Ranges{"", "bytes=1000-"}));
}

TEST_F(Fetch, GoesOnAfterAnInterrupt) {
  serve([](Resource& r) { r.stall_after = 1000; });
  Program program(geodescent_command(arguments({"heart_scale"})), clean());
  ASSERT_TRUE(part_has_come());
  ASSERT_TRUE(program.wait_until_it_says("heart_scale (1 of 1): 0.00 of 0.02 MB"));
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 128 + SIGINT);
  EXPECT_NE(outcome.err.find("is kept"), std::string::npos) << outcome.err;
  server.release();
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), (Ranges{"", "bytes=1000-"}));
}

TEST_F(Fetch, WholePartNeedsNoServer) {
  leave_a_part();
  put(part, text);
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges().size(), 1u);
}

TEST_F(Fetch, ServerMayIgnoreRanges) {
  leave_a_part();
  serve([](Resource& r) { r.ranges = false; });
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), (Ranges{"", "bytes=1000-"}));
}

TEST_F(Fetch, ChangedFileIsFetchedWhole) {
  for (const bool checks : {true, false}) {
    SCOPED_TRACE(checks);
    fs::remove_all(data);
    const std::size_t before = ranges().size();
    leave_a_part();
    Resource changed;
    changed.body = other_values();
    changed.etag = "\"2\"";
    changed.checks_if_range = checks;
    server.put("/heart_scale", changed);
    const Outcome outcome = fetch({"heart_scale"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(contents(file), changed.body) << "not a mixture of both";
    EXPECT_EQ(ranges().size() - before, checks ? 2u : 3u);
    EXPECT_EQ(left_over(), 0u);
  }
}

TEST_F(Fetch, PartLongerThanTheFileIsForgotten) {
  leave_a_part([](Resource& r) { r.body += "+1 1:1\n"; });
  put(part, text + "+1 1");
  serve([](Resource& r) { r.checks_if_range = false; });
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), (Ranges{"", "bytes=" + std::to_string(text.size() + 4) + "-", ""}));
}

TEST_F(Fetch, SpoiltPartIsFetchedAgain) {
  leave_a_part();
  put(part, std::string(1000, '\0'));
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), (Ranges{"", "bytes=1000-", ""}));
}

TEST_F(Fetch, MissingFileIsNotAskedForAgainAndStopsNoOther) {
  serve([](Resource&) {});
  const Outcome outcome = fetch({"a1a", "heart_scale"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
  EXPECT_NE(outcome.err.find(server.address() + "/a1a: no such file (404)"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--mirror"), std::string::npos) << outcome.err;
  EXPECT_EQ(contents(file), text);
  EXPECT_EQ(server.requests().size(), 2u);
  EXPECT_EQ(left_over(), 0u);
}

TEST_F(Fetch, FailingServerIsAskedAgain) {
  serve([](Resource& r) { r.unavailable = 2; });
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST_F(Fetch, FailingServerIsGivenUpInTheEnd) {
  serve([](Resource& r) { r.unavailable = 100; });
  const Outcome outcome = fetch({"--retries", "1", "heart_scale"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("the server has failed (503), 2 times"), std::string::npos) << outcome.err;
  EXPECT_EQ(server.requests().size(), 2u);
  EXPECT_EQ(left_over(), 0u);
}

TEST_F(Fetch, SilentServerIsGivenUp) {
  serve([](Resource& r) { r.stall_after = 1000; });
  const Outcome outcome = fetch({"--timeout", "1", "--retries", "0", "heart_scale"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("silent"), std::string::npos) << outcome.err;
  EXPECT_EQ(fs::file_size(part), 1000u);
}

TEST_F(Fetch, SlowServerIsGivenUp) {
  serve([](Resource& r) { r.drip = std::chrono::milliseconds(250); });
  const Outcome outcome = fetch({"--timeout", "1", "--retries", "1", "heart_scale"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("Less than 1000 bytes/sec"), std::string::npos) << outcome.err;
  EXPECT_EQ(server.requests().size(), 2u) << "a few bytes are no reason to try for ever";
}

TEST_F(Fetch, WhatIsSlowCanBeChosen) {
  serve([](Resource& r) { r.drip = std::chrono::milliseconds(20); });
  const Outcome slow = fetch({"--timeout", "1", "--min-speed", "1000000", "--retries", "0", "heart_scale"});
  EXPECT_EQ(slow.code, 3);
  EXPECT_NE(slow.err.find("--min-speed"), std::string::npos) << slow.err;
  expect_fetched(fetch({"--timeout", "1", "--min-speed", "1", "--retries", "0", "heart_scale"}));
}

TEST_F(Fetch, CutsAfterAFewBytesAreGivenUp) {
  serve([](Resource& r) {
    r.cut_after = 10;
    r.cuts = 1000;
  });
  const Outcome outcome = fetch({"--retries", "1", "heart_scale"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST_F(Fetch, EndlessDownloadIsStopped) {
  serve([](Resource& r) { r.endless = true; });
  expect_refused(fetch({"--accept-different", "heart_scale"}), "the server sends more than 1233472 bytes");
  EXPECT_EQ(server.requests().size(), 1u);
  leave_a_part();
  serve([](Resource& r) { r.endless = true; });
  expect_refused(fetch({"heart_scale"}), "the server sends more than 1233472 bytes");
  serve([](Resource&) {});
  expect_fetched(fetch({"heart_scale"}));
}

TEST_F(Fetch, AnnouncedLengthIsLimited) {
  serve([](Resource& r) {
    r.body.append(2000000, '\n');
    r.stall_after = 1000;
  });
  expect_refused(fetch({"heart_scale"}), "the server sends more than 1233472 bytes");
}

TEST_F(Fetch, MuteServerIsNotTriedForEachSet) {
  serve([](Resource& r) { r.mute = true; });
  const Outcome outcome = fetch({"--timeout", "1", "--retries", "0", "heart_scale", "a1a"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("silent"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("a1a: not tried; the server cannot be reached"), std::string::npos) << outcome.err;
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(Fetch, ServerThatIsNotThereIsNotTriedForEachSet) {
  std::string address;
  {
    const HttpServer gone;
    address = gone.address();
  }
  Surroundings s = clean();
  s.environment["GEODESCENT_MIRROR"] = address;
  const Outcome unreachable = geodescent({"fetch", "--retries", "0", "--data", data, "heart_scale", "a1a"}, s);
  EXPECT_EQ(unreachable.code, 3);
  EXPECT_NE(unreachable.err.find(address + "/heart_scale: Failed to connect"), std::string::npos) << unreachable.err;
  EXPECT_NE(unreachable.err.find(address + "/a1a: not tried; the server cannot be reached"), std::string::npos)
      << unreachable.err;
}

TEST_F(Fetch, RedirectsAreFollowedToServersOnly) {
  Resource resource;
  resource.body = text;
  server.put("/elsewhere", resource);
  serve([&](Resource& r) { r.redirect = server.address() + "/elsewhere"; });
  expect_fetched(fetch({"heart_scale"}));

  fs::remove_all(data);
  put(folder / "local", text);
  serve([&](Resource& r) { r.redirect = "file://" + (folder / "local"); });
  const Outcome local = fetch({"heart_scale"});
  EXPECT_EQ(local.code, 3);
  EXPECT_NE(local.err.find("redirects to others are not followed"), std::string::npos) << local.err;
  EXPECT_FALSE(fs::exists(file));

  serve([&](Resource& r) { r.redirect = server.address() + "/heart_scale"; });
  const Outcome circle = fetch({"heart_scale"});
  EXPECT_EQ(circle.code, 3);
  EXPECT_NE(circle.err.find("in a circle"), std::string::npos) << circle.err;
}

TEST_F(Fetch, FileThatDoesNotFitIsAnErrorAndIsKept) {
  serve([](Resource&) {});
  // A limit of the size of files stands for a full disk: write() fails in the middle of the file.
  std::vector<std::string> command{"bash", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""};
  for (const std::string& word : geodescent_command(arguments({"heart_scale"}))) command.push_back(word);
  const Outcome outcome = run(command, clean());
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
  EXPECT_NE(outcome.err.find("heart_scale.part: cannot write: File too large"), std::string::npos) << outcome.err;
  ASSERT_TRUE(fs::exists(part));
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), (Ranges{"", "bytes=8192-"}));
}

}  // namespace
}  // namespace geodescent::testing
