// What an experiment has finished, on disk at once: killed at any moment and started again, it goes on where it was.
#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

namespace geodescent::lab {

/// A file of lines, one JSON object each. The first says which experiment this is; each of the others is one finished
/// piece of work under its key. A line that was being written when the power went is cut off when the file is opened.
class Journal {
 public:
  enum class Start { resume, afresh };

  /// Opens or makes the file and keeps it locked. `experiment` is all that changes the meaning of a finished piece.
  /// Throws InputError when the file belongs to another experiment (the difference is named), when another process has
  /// it open, or when it cannot be written.
  Journal(const std::string& path, const nlohmann::ordered_json& experiment, Start start);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Null when this piece is not finished. The pointer stays good. Safe to call from several threads.
  const nlohmann::ordered_json* find(const std::string& key) const;
  /// Returns when the piece is on the disk. Safe to call from several threads.
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
