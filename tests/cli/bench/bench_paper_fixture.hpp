// An experiment `geodescent bench paper` that takes a moment.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {

namespace fs = std::filesystem;
using nlohmann::json;
using Words = std::vector<std::string>;

inline std::size_t lines_in(const std::string& path) {
  if (!fs::exists(path)) return 0;
  const std::string text = contents(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// What is the same in every run: all CSV files but the seconds.
inline std::map<std::string, std::string> tables_in(const std::string& folder) {
  std::map<std::string, std::string> tables;
  for (const auto& [name, text] : snapshot(folder))
    if (name.ends_with(".csv") && name != "seconds.csv") tables[name] = text;
  return tables;
}

/// Two small sets under names of the paper's suite, and an experiment on them that takes a moment.
class BenchPaper : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(data);
    generate_data(data + "/heart_scale", {"--rows", "60", "--features", "6", "--noise", "0.1"});
    generate_data(data + "/sonar_scale.gz", {"--rows", "40", "--features", "8", "--noise", "0.1", "--seed", "2"});
    generate_data(data + "/madelon",
                  {"--rows", "1000", "--features", "30", "--conditioning", "1e4", "--noise", "0.2", "--seed", "3"});
  }

  Words arguments(const std::string& to, const Words& more = {}) const {
    Words words{"bench", "paper", "--data", data, "--sets", "heart_scale,sonar_scale", "--l2", "1e-2,1e-4"};
    words.insert(words.end(), {"--max-iterations", "150", "--out", to});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Outcome run(const std::string& to, const Words& more = {}) const { return geodescent(arguments(to, more)); }
  /// One that does not end in the time of a test: after the reference, a cell that lasts.
  Words endless(const std::string& to, const Words& more = {}) const {
    Words words{"bench", "paper", "--data", data, "--sets", "madelon", "--l2", "1e-9", "--methods", "sd"};
    words.insert(words.end(), {"--max-iterations", "1000000000", "--out", to});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// Waits until the journal has this many lines; false when the program ended or it took too long.
  static bool wait_for_lines(const std::string& results, std::size_t lines) {
    for (int k = 0; k < 60'000; ++k) {
      if (lines_in(results + "/cells.jsonl") >= lines) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  const TemporaryFolder folder;
  const std::string data = folder / "data";
  const std::string out = folder / "out";
};

}  // namespace geodescent::testing
