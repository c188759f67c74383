// Independent pieces of work, several at a time, each in the journal as soon as it is finished.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "journal/journal.hpp"

namespace geodescent::lab {

struct WorkItem {
  std::string key;    ///< in the journal
  std::string label;  ///< for people
  double cost = 1;    ///< about how long it takes, in any unit
  /// The result, or nothing when `cancelled` (the argument) said to give up.
  std::function<std::optional<nlohmann::ordered_json>(const std::function<bool()>& cancelled)> work;
};

/// Called after every finished task and about ten times a second in between, on the thread of the caller; `finished` is
/// null in between, `running` is the label of a task under way, the last that was begun, or
/// empty. Returns false to stop.
using TaskWatcher = std::function<bool(const WorkItem* finished, const std::string& running)>;

/// Runs the tasks in order, `jobs` at a time. False when the watcher stopped them: tasks under way are given up. An
/// exception of a task stops the others and is thrown again.
bool run_tasks(const std::vector<WorkItem>& tasks, int jobs, Journal& journal, const TaskWatcher& watcher);

}  // namespace geodescent::lab
