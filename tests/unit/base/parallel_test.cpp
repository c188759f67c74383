// Blocks, sums and threads: every block once, every sum the same to the last bit.
#include "base/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "geodescent/vector.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

class Parallel : public ::testing::Test {
 protected:
  ~Parallel() override { set_threads(before_); }

 private:
  int before_ = threads();
};

TEST_F(Parallel, CutCoversEverythingOnceInBlocksOfEqualLength) {
  for (const std::size_t size : {0u, 1u, 7u, 2047u, 2048u, 2049u, 100000u, 5000000u})
    for (const std::size_t grain : {0u, 1u, 64u, 2048u})
      for (const std::size_t most : {1u, 3u, 64u, 256u}) {
        const parallel::Blocks b = parallel::cut(size, grain, most);
        EXPECT_LE(b.count, most);
        std::size_t next = 0;
        for (std::size_t k = 0; k < b.count; ++k) {
          EXPECT_EQ(b.begin(k), next);
          EXPECT_GT(b.end(k), b.begin(k));
          if (k + 1 < b.count) {
            EXPECT_EQ(b.end(k) - b.begin(k), b.length);
            EXPECT_GE(b.length, grain);
          }
          next = b.end(k);
        }
        EXPECT_EQ(next, size);
      }
}

TEST_F(Parallel, CutDoesNotDependOnTheNumberOfThreads) {
  for (const int count : {1, 2, 7}) {
    set_threads(count);
    EXPECT_EQ(parallel::cut(100000).count, 49u);
    EXPECT_EQ(parallel::cut(100000).length, 2048u);
  }
}

TEST_F(Parallel, EveryBlockRunsExactlyOnceWhateverRanBefore) {
  // Jobs of very different sizes in quick succession: a thread that comes late from one job must
  // not disturb the next.
  for (const int count : {1, 2, 3, 5}) {
    set_threads(count);
    std::vector<std::atomic<int>> hits(64);
    std::uint64_t wrong = 0;
    for (int round = 0; round < 20000; ++round) {
      const std::size_t blocks = round % 2 == 0 ? 2 : 3 + static_cast<std::size_t>(round) % 60;
      for (auto& h : hits) h.store(0, std::memory_order_relaxed);
      parallel::run(
          blocks,
          [](void* c, std::size_t b) {
            (*static_cast<std::vector<std::atomic<int>>*>(c))[b].fetch_add(1, std::memory_order_relaxed);
          },
          &hits);
      for (std::size_t b = 0; b < hits.size(); ++b)
        wrong += hits[b].load(std::memory_order_relaxed) != (b < blocks ? 1 : 0);
    }
    EXPECT_EQ(wrong, 0u) << count << " threads";
  }
}

TEST_F(Parallel, SumsHaveTheSameBitsForEveryNumberOfThreads) {
  Random random(229);
  for (const std::size_t size : {0u, 1u, 9u, 2048u, 5000u, 100003u}) {
    const Vector a = random.normal_vector(size), b = random.normal_vector(size);
    set_threads(1);
    const double alone = dot(a, b);
    for (const int count : {2, 3, 8})
      for (int again = 0; again < 5; ++again) {
        set_threads(count);
        EXPECT_EQ(dot(a, b), alone) << size << " " << count;
      }
  }
}

TEST_F(Parallel, SumsInLanesAreExactOnIntegersForEveryRange) {
  for (std::size_t begin = 0; begin < 20; ++begin)
    for (std::size_t end = begin; end < 40; ++end) {
      const auto sums = parallel::sum_in_lanes<2>(begin, end, [](std::size_t i) {
        const double v = static_cast<double>(i);
        return std::array{v, v * v};
      });
      double first = 0, second = 0;
      for (std::size_t i = begin; i < end; ++i) first += static_cast<double>(i), second += static_cast<double>(i * i);
      EXPECT_EQ(sums.of[0], first);
      EXPECT_EQ(sums.of[1], second);
    }
}

TEST_F(Parallel, AnExceptionPassesThroughWhenAllThreadsAreAtRest) {
  set_threads(3);
  for (std::size_t round = 0; round < 200; ++round) {
    const std::size_t first = round % 16;
    std::atomic<int> running{0};
    try {
      parallel::for_each(parallel::cut(16, 1), [&](std::size_t begin, std::size_t) {
        ++running;
        if (begin >= first && begin % 2 == first % 2) {
          --running;
          throw std::runtime_error(std::to_string(begin));
        }
        --running;
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), std::to_string(first)) << "that of the first block";
    }
    EXPECT_EQ(running.load(), 0);
    const Vector ones(100000, 1.0);
    EXPECT_EQ(dot(ones, ones), 100000) << "the pool works as before";
  }
}

TEST_F(Parallel, WorkInsideABlockIsDoneThere) {
  set_threads(3);
  std::vector<double> results(8);
  const Vector ones(10000, 1.0);
  parallel::for_each(parallel::cut(8, 1), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) results[i] = dot(ones, ones);
  });
  for (const double r : results) EXPECT_EQ(r, 10000);
}

TEST_F(Parallel, SeveralCallersAtOnceAllGetTheirSums) {
  set_threads(2);
  Random random(233);
  const Vector a = random.normal_vector(20000);
  const double expected = squared_norm(a);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 3; ++c)
    callers.emplace_back([&] {
      for (int k = 0; k < 200; ++k) wrong += squared_norm(a) != expected;
    });
  for (std::thread& c : callers) c.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST_F(Parallel, AProgramOfManyThreadsIsNotMultiplied) {
  set_threads(4);
  constexpr int callers = 8;
  std::atomic<int> running{0}, most{0};
  std::barrier together(callers);
  std::vector<std::thread> program;
  for (int c = 0; c < callers; ++c)
    program.emplace_back([&] {
      together.arrive_and_wait();
      parallel::for_each(parallel::cut(32, 1), [&](std::size_t, std::size_t) {
        const int now = ++running;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) continue;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        --running;
      });
    });
  for (std::thread& c : program) c.join();
  EXPECT_GE(most.load(), 2) << "they come at the same time";
  EXPECT_LE(most.load(), callers + 3) << "those of the program and the three of the pool";
}

TEST_F(Parallel, TheNumberOfThreadsIsAtLeastOne) {
  set_threads(1);
  for (const int count : {0, -3}) EXPECT_THROW(set_threads(count), std::invalid_argument) << count;
  EXPECT_EQ(threads(), 1);
  set_threads(4);
  EXPECT_EQ(threads(), 4);
}

/// Each cell takes the number of its neighbour, step after step, which only works if all members
/// wait for all.
std::vector<std::size_t> after_steps(std::size_t most, int steps) {
  constexpr std::size_t cells = 8;
  std::vector<std::size_t> now(cells, 1), next(cells);
  parallel::with_team(most, [&](parallel::Team& team) {
    const auto mine = [&](const auto& work) {
      const auto [first, last] = team.share(cells);
      for (std::size_t k = first; k < last; ++k) work(k);
    };
    for (int step = 0; step < steps; ++step) {
      mine([&](std::size_t k) { next[k] = now[(k + 1) % cells] + k; });
      if (!team.wait()) return;
      mine([&](std::size_t k) { now[k] = next[k]; });
      if (!team.wait()) return;
    }
  });
  return now;
}

TEST_F(Parallel, MembersOfATeamWaitForOneAnother) {
  set_threads(1);
  const std::vector<std::size_t> expected = after_steps(4, 1000);
  for (const int count : {2, 3, 4, 9}) {
    set_threads(count);
    for (int round = 0; round < 10; ++round) EXPECT_EQ(after_steps(4, 1000), expected) << count << " threads";
  }
}

TEST_F(Parallel, ATeamSharesEverythingAndHasNoMoreMembersThanAsked) {
  set_threads(9);
  for (int round = 0; round < 20; ++round) {
    std::array<std::atomic<int>, 10> seen{};
    std::atomic<int> firsts{0};
    parallel::with_team(3, [&](parallel::Team& team) {
      EXPECT_LE(team.size(), 3u);
      firsts += team.is_first();
      const auto [first, last] = team.share(seen.size());
      for (std::size_t k = first; k < last; ++k) ++seen.at(k);
    });
    EXPECT_EQ(firsts, 1);
    for (const auto& times : seen) EXPECT_EQ(times, 1);
  }
}

/// A member that takes long for each step, as one whose processor does other work.
TEST_F(Parallel, ATeamThatWaitsForOneMemberTooOftenIsDissolved) {
  set_threads(2);
  bool dissolved = false;
  for (int round = 0; round < 20 && !dissolved; ++round) {  // the second thread may come too late
    std::array<int, 100> times{};
    dissolved = !parallel::with_team(2, [&](parallel::Team& team) {
      for (int& each : times) {
        const auto [first, last] = team.share(2);
        if (last == 2 && team.size() == 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (first == 0) ++each;
        if (!team.wait()) return;
      }
    });
    for (const int each : times) EXPECT_EQ(each, 1) << "the first member does all steps";
  }
  EXPECT_TRUE(dissolved);
}

TEST_F(Parallel, ATeamInsideABlockHasOneMember) {
  set_threads(4);
  std::atomic<int> members{0};
  parallel::for_each({8, 1, 8}, [&](std::size_t, std::size_t) {
    parallel::with_team(4, [&](parallel::Team& team) {
      ++members;
      EXPECT_EQ(team.size(), 1u);
      EXPECT_TRUE(team.wait());
    });
  });
  EXPECT_EQ(members, 8);
}

TEST_F(Parallel, AnExceptionOfAMemberEndsTheTeam) {
  for (const int count : {1, 2, 4}) {
    set_threads(count);
    for (std::size_t thrower = 0; thrower < 4; ++thrower) {
      std::atomic<bool> threw{false};
      const auto work = [&] {
        parallel::with_team(4, [&](parallel::Team& team) {
          for (int step = 0;; ++step) {
            if (step == 10 && team.share(4).first == 4 * (thrower % team.size()) / team.size()) {
              threw = true;
              throw std::runtime_error("a step");
            }
            if (!team.wait()) return;
          }
        });
      };
      EXPECT_THROW(work(), std::runtime_error);
      EXPECT_TRUE(threw);
      EXPECT_EQ(after_steps(4, 10).size(), 8u) << "the threads go on";
    }
  }
}

TEST_F(Parallel, AMemberInAChildOfForkIsRefused) {
  set_threads(4);
  constexpr int refused = 7, went_on = 8;
  int ended = 0, forks = 0;
  for (int round = 0; round < 50 && forks < 3; ++round) {
    pid_t child = -1;
    parallel::with_team(4, [&](parallel::Team& team) {
      if (team.size() == 1) return;  // the others came too late
      if (team.is_first()) {
        child = ::fork();
        if (child == 0) {
          try {
            ::_exit(team.wait() ? went_on : went_on + 1);
          } catch (const std::logic_error&) {
            ::_exit(refused);
          }
        }
      }
      EXPECT_TRUE(team.wait());
    });
    if (child < 0) continue;
    ++forks;
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ended += WIFEXITED(status) && WEXITSTATUS(status) == refused;
  }
  EXPECT_GT(forks, 0);
  EXPECT_EQ(ended, forks);
}

}  // namespace
}  // namespace geodescent::testing
