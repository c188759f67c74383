// Fetching data sets: what comes and what is said about it. fetch_content_test.cpp has how it is
// checked.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "cli/fetch/fetch_fixture.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const std::string shared_data = GEODESCENT_SHARED_DATA;

TEST_F(Fetch, OnceAndThenItIsThere) {
  serve([](Resource&) {});
  expect_fetched(fetch({"heart_scale"}));
  EXPECT_EQ(ranges(), Ranges{""});
  const Outcome again = fetch({"heart_scale", "heart_scale"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.out.find("already there"), std::string::npos) << again.out;
  EXPECT_EQ(std::count(again.out.begin(), again.out.end(), '\n'), 1) << again.out;
  EXPECT_EQ(ranges().size(), 1u) << "nothing is asked for what is there";
}

TEST_F(Fetch, CompressedStaysCompressed) {
  if (!installed("bzip2")) GTEST_SKIP() << "no bzip2 here";
  put(folder / "leu", right_text("leukemia"));
  ASSERT_EQ(run({"bzip2", folder / "leu"}).code, 0);
  Resource resource;
  resource.body = contents(folder / "leu.bz2");
  server.put("/leu.bz2", resource);
  const Outcome outcome = fetch({"leukemia"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(contents(data + "/leu.bz2"), resource.body);
  EXPECT_EQ(fetch({"leukemia"}).code, 0);
  EXPECT_EQ(server.requests().size(), 1u) << "found under its remote name";
}

TEST_F(Fetch, WithoutLibcurlItSaysWhatToInstall) {
  // A file that is no library, in the place where one is looked for first.
  put(folder / "libcurl.so.4", "no library");
  const Surroundings without{.environment = {{"LD_LIBRARY_PATH", folder.path().string()}}};
  const Outcome outcome = geodescent({"fetch", "--data", data, "heart_scale"}, without);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
  EXPECT_NE(outcome.err.find("cannot load libcurl"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("apt-get install libcurl4"), std::string::npos) << outcome.err;
  EXPECT_EQ(geodescent({"fetch", "--list"}, without).code, 0) << "the list needs no network";
}

TEST_F(Fetch, MirrorsByEnvironmentSlashAndFile) {
  serve([](Resource&) {});
  const std::string address = server.address();
  const auto from = [&](const std::string& mirror) {
    fs::remove_all(data);
    Surroundings s = clean();
    s.environment["GEODESCENT_MIRROR"] = mirror;
    expect_fetched(geodescent({"fetch", "--data", data, "heart_scale"}, s));
  };
  from(address);
  from(address + "/");
  fs::create_directories(folder / "mirror");
  put(folder / "mirror/heart_scale", text);
  from("file://" + (folder / "mirror"));
  for (const HttpRequest& request : server.requests()) EXPECT_EQ(request.path, "/heart_scale");

  Surroundings s = clean();
  s.environment["GEODESCENT_MIRROR"] = "file://" + (folder / "mirror");
  const Outcome missing = geodescent({"fetch", "--data", data, "a1a"}, s);
  EXPECT_EQ(missing.code, 3);
  EXPECT_NE(missing.err.find("mirror/a1a: the file cannot be read"), std::string::npos) << missing.err;
}

TEST_F(Fetch, TwoAtOnceFetchOnce) {
  serve([](Resource& r) { r.stall_after = 1000; });
  Program first(geodescent_command(arguments({"heart_scale"})), clean());
  ASSERT_TRUE(part_has_come());
  Program second(geodescent_command(arguments({"heart_scale"})), clean());
  ASSERT_TRUE(second.wait_until_it_says("waiting for another fetch"));
  server.release();
  expect_fetched(first.wait());
  const Outcome other = second.wait();
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_NE(other.out.find("already there"), std::string::npos) << other.out;
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(Fetch, JsonHasAllOutcomes) {
  serve([](Resource&) {});
  Resource wrong;
  wrong.body = text_with(7, 3, 20, 4);
  server.put("/heart", wrong);
  const Outcome outcome = fetch({"--json", "heart_scale", "a1a", "heart"});
  EXPECT_EQ(outcome.code, 3) << "a failure outweighs a difference";
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["folder"], data);
  EXPECT_EQ(result["mirror"], server.address() + "/");
  EXPECT_EQ(result["counts"]["fetched"], 1);
  EXPECT_EQ(result["counts"]["failed"], 1);
  EXPECT_EQ(result["counts"]["differs"], 1);
  EXPECT_EQ(result["counts"]["already_there"], 0);
  const json& sets = result["sets"];
  ASSERT_EQ(sets.size(), 3u);
  EXPECT_EQ(sets[0]["status"], "fetched");
  EXPECT_EQ(sets[0]["file"], file);
  EXPECT_EQ(sets[0]["expected"], sets[0]["found"]);
  EXPECT_TRUE(sets[0]["message"].is_null());
  EXPECT_EQ(sets[1]["status"], "failed");
  EXPECT_EQ(sets[1]["address"], server.address() + "/a1a");
  EXPECT_TRUE(sets[1]["file"].is_null());
  EXPECT_TRUE(sets[1]["found"].is_null());
  EXPECT_NE(sets[1]["message"].get<std::string>().find("404"), std::string::npos);
  EXPECT_EQ(sets[2]["status"], "differs");
  EXPECT_EQ(sets[2]["found"]["rows"], 7);
  EXPECT_EQ(json::parse(fetch({"--json", "heart_scale"}).out)["sets"][0]["status"], "already_there");
}

TEST_F(Fetch, QuietSaysNothing) {
  serve([](Resource&) {});
  const Outcome outcome = fetch({"--quiet", "heart_scale"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(Fetch, ListShowsWhatIsThere) {
  fs::create_directories(data);
  put(data + "/leu.xz", "");
  put(data + "/a1a.gz", "");
  put(data + "/a2a.part", "");
  put(data + "/a3a.differs", "");
  const json sets = json::parse(fetch({"--list", "--json"}).out)["sets"];
  EXPECT_EQ(sets.size(), 40u);
  EXPECT_EQ(std::count_if(sets.begin(), sets.end(), [](const json& s) { return s["suite"] == "paper"; }), 36);
  for (const json& set : sets) {
    const std::string name = set["name"];
    if (name == "leukemia")
      EXPECT_EQ(set["file"], data + "/leu.xz");
    else if (name == "a1a")
      EXPECT_EQ(set["file"], data + "/a1a.gz");
    else
      EXPECT_TRUE(set["file"].is_null()) << name;
  }
  const Outcome words = fetch({"--list", "a1a", "a2a"});
  EXPECT_NE(words.out.find("a1a.gz"), std::string::npos) << words.out;
  EXPECT_NE(words.out.find("not there"), std::string::npos) << words.out;
  EXPECT_EQ(json::parse(fetch({"--list", "--json", "unscaled"}).out)["sets"].size(), 4u);
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(Fetch, FolderComesFromTheEnvironment) {
  const auto folder_with = [](const std::map<std::string, std::string>& environment) {
    Surroundings s = clean();
    for (const auto& [name, value] : environment) s.environment[name] = value;
    const Outcome outcome = geodescent({"fetch", "--list", "--json", "a1a"}, s);
    return outcome.code == 0 ? json::parse(outcome.out)["folder"].get<std::string>() : outcome.err;
  };
  EXPECT_EQ(folder_with({{"GEODESCENT_DATA", "/d"}, {"XDG_CACHE_HOME", "/x"}, {"HOME", "/h"}}), "/d");
  EXPECT_EQ(folder_with({{"XDG_CACHE_HOME", "/x"}, {"HOME", "/h"}}), "/x/geodescent/data");
  EXPECT_EQ(folder_with({{"XDG_CACHE_HOME", "relative"}, {"HOME", "/h"}}), "/h/.cache/geodescent/data");
  EXPECT_EQ(folder_with({{"XDG_CACHE_HOME", ""}, {"HOME", "/h"}}), "/h/.cache/geodescent/data");
  EXPECT_NE(folder_with({{"XDG_CACHE_HOME", ""}, {"HOME", ""}}).find("GEODESCENT_DATA"), std::string::npos);
}

TEST_F(Fetch, ReadOnlyFolder) {
  if (::geteuid() == 0 && !installed("setpriv")) GTEST_SKIP() << "root may do everything, and there is no setpriv";
  const auto as_nobody = [](std::vector<std::string> words) {
    std::vector<std::string> command = geodescent_command(std::move(words));
    if (::geteuid() == 0)
      command.insert(command.begin(), {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"});
    return run(command, clean());
  };
  ::chmod(folder.path().c_str(), 0755);
  if (as_nobody({"--version"}).code != 0) GTEST_SKIP() << "nobody may not run the program where it is";
  fs::create_directories(data);
  put(file, text);
  ::chmod(data.c_str(), 0555);
  EXPECT_EQ(as_nobody(arguments({"heart_scale"})).code, 0) << "what is there can be checked";
  const Outcome outcome = as_nobody(arguments({"heart_scale", "a1a"}));
  ::chmod(data.c_str(), 0755);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
  EXPECT_NE(outcome.err.find("Permission denied"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--data"), std::string::npos) << outcome.err;
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(Fetch, NonsenseIsRefused) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& said) {
    SCOPED_TRACE(::testing::PrintToString(words));
    const Outcome outcome = geodescent(words, clean());
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
  };
  refused({"fetch", "mushroom"}, "did you mean mushrooms");
  refused({"fetch", "breast-cancer"}, "did you mean breast-cancer_scale");
  refused({"fetch", "../../etc/passwd"}, "unknown data set");
  refused({"fetch", ""}, "unknown data set");
  refused({"fetch", "--mirror", "ftp://example.org/", "a1a"}, "http://");
  refused({"fetch", "--mirror", "example.org", "a1a"}, "http://");
  refused({"fetch", "--timeout", "0", "a1a"}, "at least 1");
  refused({"fetch", "--min-speed", "0", "a1a"}, "at least 1");
  refused({"fetch", "--retries", "-1", "a1a"}, "whole number");
  EXPECT_FALSE(fs::exists(data));
}

/// The catalogue against the data it was made from, and every set on its way through the command.
TEST_F(Fetch, RealDataAreWhatTheCatalogueSays) {
  if (!fs::exists(shared_data + "/MANIFEST.tsv")) GTEST_SKIP() << "no " << shared_data;
  // Rows, features, nonzeros, and for each label its rows.
  using Known = std::pair<std::vector<std::size_t>, std::map<double, std::size_t>>;
  std::map<std::string, Known> manifest;
  std::istringstream lines(contents(shared_data + "/MANIFEST.tsv"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, labels;
    std::size_t rows = 0, features = 0, nonzeros = 0;
    if (!(words >> name >> rows >> features >> nonzeros >> labels)) continue;
    Known& known = manifest[name];
    known.first = {rows, features, nonzeros};
    std::istringstream counts(labels);
    for (std::string count; std::getline(counts, count, ',');) {
      const std::size_t colon = count.find(':');
      if (colon != std::string::npos) known.second[std::stod(count)] = std::stoul(count.substr(colon + 1));
    }
  }
  const json list = json::parse(fetch({"--list", "--json", "all"}).out);
  for (const json& set : list["sets"]) {
    const std::string name = set["name"];
    Known said;
    said.first = {set["rows"], set["features"], set["nonzeros"]};
    for (const json& count : set["labels"]) said.second[count["label"]] = count["rows"];
    EXPECT_EQ(said, manifest["binary/" + name]) << name;
    // The reader goes by the content: what is compressed otherwise than its name says is right as
    // well.
    Resource resource;
    resource.body = contents(shared_data + "/binary/" + name + ".xz");
    server.put(set["address"].get<std::string>().substr(server.address().size()), resource);
  }
  const Outcome outcome = fetch({"--json", "all"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["counts"]["fetched"], 40);
  EXPECT_EQ(contents(data + "/leu.bz2"), contents(shared_data + "/binary/leukemia.xz"));
  EXPECT_EQ(left_over(), 0u);
}

}  // namespace
}  // namespace geodescent::testing
