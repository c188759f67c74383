// The journal of an experiment: finished work is on disk at once, and a restarted experiment
// continues from it.
#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace geodescent::lab {

/// A file of lines, each a JSON object. The first line describes the experiment. Each other line is
/// one finished piece of work with its key. An incomplete last line is removed when the file is
/// opened.
class Journal {
 public:
  enum class Start { resume, afresh };

  /// Opens or creates the file and keeps it locked. `experiment` is everything that changes the
  /// meaning of a finished piece. Throws InputError if the file belongs to another experiment (with
  /// the difference), if another process has it open, or if it cannot be written.
  Journal(const std::string& path, const nlohmann::ordered_json& experiment, Start start);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Null if the piece is not finished. The pointer stays valid. Thread-safe.
  const nlohmann::ordered_json* find(const std::string& key) const;
  /// Returns when the piece is on disk. Thread-safe.
  void add(const std::string& key, nlohmann::ordered_json value);

 private:
  void read(const nlohmann::ordered_json& experiment);
  void append(const nlohmann::ordered_json& line);
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  int descriptor_ = -1;
  mutable std::mutex mutex_;
  std::map<std::string, nlohmann::ordered_json> finished_;
};

}  // namespace geodescent::lab
