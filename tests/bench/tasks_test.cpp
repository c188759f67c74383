#include "journal/tasks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>

#include "support/temporary_folder.hpp"

namespace geodescent::lab {
namespace {

using Json = nlohmann::ordered_json;

class Tasks : public ::testing::Test {
 protected:
  static std::string key(int k) { return "task " + std::to_string(k); }
  /// Tasks whose result is their number.
  static std::vector<WorkItem> numbers(int count) {
    std::vector<WorkItem> tasks;
    for (int k = 0; k < count; ++k)
      tasks.push_back({key(k), {"label " + std::to_string(k)}, [k](const auto&) { return Json(k); }});
    return tasks;
  }
  static void wait_for(const std::function<bool()>& done) {
    for (int k = 0; k < 20'000 && !done(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_TRUE(done());
  }

  const testing::TemporaryFolder folder;
  Journal journal{folder / "journal", Json::object(), Journal::Start::resume};
};

bool go_on(const TaskNews&) { return true; }

TEST_F(Tasks, NoneAreDoneAtOnce) {
  for (const int jobs : {1, 4}) EXPECT_TRUE(run_tasks({}, jobs, journal, go_on));
}

TEST_F(Tasks, OneJobKeepsTheOrder) {
  std::vector<std::string> order;
  const auto tasks = numbers(20);
  ASSERT_TRUE(run_tasks(tasks, 1, journal, [&](const TaskNews& news) {
    if (news.finished) order.push_back(news.finished->key);
    return true;
  }));
  ASSERT_EQ(order.size(), 20u);
  for (int k = 0; k < 20; ++k) {
    EXPECT_EQ(order[static_cast<std::size_t>(k)], key(k));
    ASSERT_NE(journal.find(key(k)), nullptr);
    EXPECT_EQ(*journal.find(key(k)), k);
  }
}

TEST_F(Tasks, SeveralJobsReportEveryTaskOnceAndOnTheThreadOfTheCaller) {
  for (const int jobs : {2, 3, 30}) {
    std::multiset<const WorkItem*> reported;
    const auto caller = std::this_thread::get_id();
    const auto tasks = numbers(20);
    ASSERT_TRUE(run_tasks(tasks, jobs, journal, [&](const TaskNews& news) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      if (!news.finished) return true;
      reported.insert(news.finished);
      EXPECT_NE(journal.find(news.finished->key), nullptr) << "in the journal before it is reported";
      return true;
    }));
    EXPECT_EQ(reported.size(), 20u);
    EXPECT_EQ(std::set(reported.begin(), reported.end()).size(), 20u);
  }
}

TEST_F(Tasks, RunAsManyAtATimeAsAsked) {
  for (const int jobs : {1, 3}) {
    std::atomic<int> now{0}, most{0}, started{0};
    std::vector<WorkItem> tasks(9);
    for (WorkItem& task : tasks) {
      task.key = "together " + std::to_string(jobs) + " " + std::to_string(&task - tasks.data());
      task.work = [&](const auto&) -> std::optional<Json> {
        const int at_once = ++now;
        for (int seen = most; seen < at_once && !most.compare_exchange_weak(seen, at_once);) continue;
        if (++started <= jobs) wait_for([&] { return started >= jobs; });  // the first meet
        --now;
        return Json(1);
      };
    }
    ASSERT_TRUE(run_tasks(tasks, jobs, journal, go_on));
    EXPECT_EQ(most, jobs);
  }
}

TEST_F(Tasks, AnExceptionStopsTheOthersAndIsThrownAgain) {
  for (const int jobs : {1, 3}) {
    auto tasks = numbers(50);
    std::atomic<int> begun{0};
    for (WorkItem& task : tasks) {
      task.key += " of " + std::to_string(jobs);
      task.work = [&](const std::function<bool()>& cancelled) -> std::optional<Json> {
        if (++begun == 3) throw std::domain_error("third");
        if (begun > 3) wait_for(cancelled);
        return Json(1);
      };
    }
    try {
      run_tasks(tasks, jobs, journal, go_on);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::domain_error& error) {
      EXPECT_STREQ(error.what(), "third");
    }
    EXPECT_LE(begun, 2 + jobs);
  }
}

TEST_F(Tasks, WatcherCanStopThem) {
  for (const int jobs : {1, 3}) {
    auto tasks = numbers(50);
    std::atomic<int> begun{0};
    for (WorkItem& task : tasks) {
      task.key += " with " + std::to_string(jobs);
      task.work = [&](const std::function<bool()>& cancelled) -> std::optional<Json> {
        if (++begun <= 2) return Json(1);
        wait_for(cancelled);
        return std::nullopt;
      };
    }
    int finished = 0;
    EXPECT_FALSE(run_tasks(tasks, jobs, journal, [&](const TaskNews& news) {
      finished += news.finished != nullptr;
      return finished < 2;
    }));
    EXPECT_EQ(finished, 2);
    EXPECT_LE(begun, 2 + jobs);
    int in_journal = 0;
    for (const WorkItem& task : tasks) in_journal += journal.find(task.key) != nullptr;
    EXPECT_EQ(in_journal, 2) << "what was finished is kept, what was given up is not there";
  }
}

TEST_F(Tasks, WatcherIsAskedWhileALongTaskRuns) {
  std::atomic<bool> asked{false};
  std::vector<WorkItem> tasks(1);
  tasks[0] = {"long", {"the long one"}, [&](const auto&) -> std::optional<Json> {
                wait_for([&] { return asked.load(); });
                return Json(1);
              }};
  EXPECT_TRUE(run_tasks(tasks, 1, journal, [&](const TaskNews& news) {
    if (!news.finished && !news.running.empty() && news.running.back().label == "the long one") asked = true;
    return true;
  }));
}

TEST_F(Tasks, WatcherIsToldOfATaskThatStillRuns) {
  std::atomic<bool> told{false};
  auto tasks = numbers(5);
  tasks[0].piece.label = "the long one";
  tasks[0].work = [&](const auto&) -> std::optional<Json> {
    wait_for([&] { return told.load(); });
    return Json(1);
  };
  int finished = 0;
  EXPECT_TRUE(run_tasks(tasks, 2, journal, [&](const TaskNews& news) {
    finished += news.finished != nullptr;
    if (finished == 4 && !told) {
      EXPECT_EQ(news.running.at(0).label, "the long one");
      EXPECT_GE(news.running[0].seconds, 0);
      told = true;
    }
    return true;
  }));
}

TEST_F(Tasks, AnExceptionOfTheWatcherStopsThem) {
  for (const int jobs : {1, 3}) {
    auto tasks = numbers(50);
    std::atomic<int> begun{0};
    for (WorkItem& task : tasks)
      task.work = [&](const std::function<bool()>& cancelled) -> std::optional<Json> {
        if (++begun == 1) return Json(1);
        wait_for(cancelled);
        return std::nullopt;
      };
    EXPECT_THROW(run_tasks(tasks, jobs, journal,
                           [](const TaskNews& news) -> bool {
                             if (news.finished) throw std::domain_error("watcher");
                             return true;
                           }),
                 std::domain_error);
    EXPECT_LE(begun, 1 + jobs);
  }
}

}  // namespace
}  // namespace geodescent::lab
