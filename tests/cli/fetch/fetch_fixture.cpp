#include "cli/fetch/fetch_fixture.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

namespace geodescent::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

json listed(const std::string& name) {
  const Outcome outcome = geodescent({"fetch", "--list", "--json", "--data", "/nowhere", name}, clean());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out)["sets"][0];
}

}  // namespace

Surroundings clean() {
  Surroundings s;
  s.environment = {{"no_proxy", "*"}, {"GEODESCENT_MIRROR", ""}, {"GEODESCENT_DATA", ""}};
  return s;
}

std::string text_with(std::size_t rows, std::size_t features, std::size_t nonzeros, std::size_t negative_rows) {
  std::string text;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t length = nonzeros * (i + 1) / rows - nonzeros * i / rows;
    text += i < negative_rows ? "-1" : "+1";
    // The last entry of each row is the last feature: the largest index is right as well.
    for (std::size_t j = 1; j <= length; ++j) text += " " + std::to_string(j < length ? j : features) + ":0.5";
    text += '\n';
  }
  return text;
}

std::string right_text(const std::string& name) {
  const json set = listed(name);
  return text_with(set["rows"], set["features"], set["nonzeros"], set["labels"][0]["rows"]);
}

bool comes_true(const std::function<bool()>& condition) {
  for (int k = 0; k < 6000; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

std::vector<std::string> Fetch::arguments(std::vector<std::string> more) const {
  more.insert(more.begin(), {"fetch", "--data", data, "--mirror", server.address()});
  return more;
}

Outcome Fetch::fetch(const std::vector<std::string>& more) const { return geodescent(arguments(more), clean()); }

void Fetch::serve(const std::function<void(Resource&)>& change) {
  Resource resource;
  resource.body = text;
  change(resource);
  server.put("/heart_scale", resource);
}

void Fetch::leave_a_part(const std::function<void(Resource&)>& change) {
  serve([&](Resource& r) {
    change(r);
    r.cut_after = 1000;
    r.cuts = 1;
  });
  const Outcome outcome = fetch({"--retries", "0", "heart_scale"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find(server.address() + "/heart_scale"), std::string::npos) << outcome.err;
  EXPECT_EQ(contents(part), text.substr(0, 1000));
  EXPECT_FALSE(fs::exists(file));
}

void Fetch::expect_fetched(const Outcome& outcome) const {
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("heart_scale "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("fetched"), std::string::npos) << outcome.out;
  ASSERT_TRUE(fs::exists(file)) << outcome.err;
  EXPECT_EQ(contents(file), text);
  EXPECT_EQ(left_over(), 0u);
}

std::string Fetch::other_values() const {
  std::string other = text;
  for (std::size_t at = 0; (at = other.find(":0.5", at)) != std::string::npos; ++at) other.replace(at, 4, ":0.7");
  return other;
}

void Fetch::expect_refused(const Outcome& outcome, const std::string& said) const {
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
  EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(file));
  EXPECT_EQ(left_over(), 0u);
}

std::size_t Fetch::left_over() const {
  return static_cast<std::size_t>(
      std::count_if(fs::directory_iterator(data), fs::directory_iterator(),
                    [](const auto& entry) { return entry.path().string().find(".part") != std::string::npos; }));
}

bool Fetch::part_has_come() const {
  return comes_true([&] { return fs::exists(part) && fs::file_size(part) == 1000; });
}

Fetch::Ranges Fetch::ranges() const {
  Ranges result;
  for (const HttpRequest& request : server.requests()) result.push_back(request.range);
  return result;
}

}  // namespace geodescent::testing
