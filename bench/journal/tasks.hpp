// Independent pieces of work, several at a time, each in the journal as soon as it is finished.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "journal/forecast.hpp"
#include "journal/journal.hpp"

namespace geodescent::lab {

struct WorkItem {
  std::string key;  ///< in the journal
  Piece piece;      ///< its label is for people
  /// The result, or nothing when `cancelled` (the argument) said to give up.
  std::function<std::optional<nlohmann::ordered_json>(const std::function<bool()>& cancelled)> work;
};

struct TaskNews {
  const WorkItem* finished = nullptr;  ///< null where nothing is
  double seconds = 0;                  ///< that it took
  std::vector<PieceUnderWay> running;  ///< in the order in which they were begun
};

/// Called after every finished task and about ten times a second in between, on the thread of the
/// caller. Returns false to stop.
using TaskWatcher = std::function<bool(const TaskNews&)>;

/// Runs the tasks in order, `jobs` at a time. False when the watcher stopped them: tasks under way
/// are given up. An exception of a task stops the others and is thrown again.
bool run_tasks(const std::vector<WorkItem>& tasks, int jobs, Journal& journal, const TaskWatcher& watcher);

}  // namespace geodescent::lab
