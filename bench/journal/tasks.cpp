#include "journal/tasks.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace geodescent::lab {
namespace {

class Crew {
 public:
  Crew(const std::vector<WorkItem>& tasks, Journal& journal) : tasks_(tasks), journal_(journal) {}

  bool run(int jobs, const TaskWatcher& watcher) {
    std::vector<std::jthread> workers;  // joined on every way out
    const Stop stop(stop_);
    for (int j = 0; j < jobs; ++j) workers.emplace_back([this] { work(); });
    std::unique_lock lock(mutex_);
    for (;;) {
      news_.wait_for(lock, std::chrono::milliseconds(100), [&] { return !finished_.empty() || left_ == jobs; });
      TaskNews news;
      if (!finished_.empty()) {
        news = {finished_.front().task, finished_.front().seconds, {}};
        finished_.pop_front();
      }
      if (!news.finished && left_ == jobs) break;
      for (const Begun& begun : running_) news.running.push_back({begun.task->piece.label, seconds_since(begun.at)});
      lock.unlock();
      if (!watcher(news)) stop_ = true;
      lock.lock();
    }
    if (failure_) std::rethrow_exception(failure_);
    return !stop_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Begun {
    const WorkItem* task;
    Clock::time_point at;
  };
  struct Finished {
    const WorkItem* task;
    double seconds;
  };

  static double seconds_since(Clock::time_point at) { return std::chrono::duration<double>(Clock::now() - at).count(); }

  /// An exception of the watcher must not leave the workers running.
  struct Stop {
    explicit Stop(std::atomic<bool>& flag) : flag_(flag) {}
    ~Stop() {
      if (std::uncaught_exceptions() > 0) flag_ = true;
    }
    std::atomic<bool>& flag_;
  };

  void work() {
    try {
      for (std::size_t i; !stop_ && (i = next_++) < tasks_.size();) {
        const WorkItem& task = tasks_[i];
        const Clock::time_point at = Clock::now();
        {
          const std::lock_guard lock(mutex_);
          running_.push_back({&task, at});
        }
        auto result = task.work([this] { return stop_.load(); });
        if (!result) break;
        journal_.add(task.key, std::move(*result));
        const std::lock_guard lock(mutex_);
        std::erase_if(running_, [&](const Begun& begun) { return begun.task == &task; });
        finished_.push_back({&task, seconds_since(at)});
        news_.notify_one();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
    }
    const std::lock_guard lock(mutex_);
    ++left_;
    news_.notify_one();
  }

  const std::vector<WorkItem>& tasks_;
  Journal& journal_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Finished> finished_;
  std::vector<Begun> running_;  // in the order in which they were begun
  int left_ = 0;                // workers that have ended
  std::exception_ptr failure_;
};

}  // namespace

bool run_tasks(const std::vector<WorkItem>& tasks, int jobs, Journal& journal, const TaskWatcher& watcher) {
  return Crew(tasks, journal).run(jobs, watcher);
}

}  // namespace geodescent::lab
