// Ranks that are threads of the test.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "geodescent/ranks.hpp"

namespace geodescent::testing {

/// Messages between threads. A rank that ends with an exception ends those that wait for it, but no
/// rank whose messages are still on their way: each throws for the same reason in every run.
struct Mail {
  std::mutex guard;
  std::condition_variable arrived;
  std::map<std::pair<std::size_t, std::size_t>, std::deque<std::vector<double>>> boxes;
  std::set<std::size_t> lost;
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(std::shared_ptr<Mail> mail, std::size_t rank, std::size_t ranks)
      : mail_(std::move(mail)), rank_(rank), ranks_(ranks) {}

  std::size_t rank() const override { return rank_; }
  std::size_t ranks() const override { return ranks_; }
  void send(std::span<const double> numbers, std::size_t to) override {
    const std::scoped_lock lock(mail_->guard);
    mail_->boxes[{rank_, to}].emplace_back(numbers.begin(), numbers.end());
    mail_->arrived.notify_all();
  }
  void receive(std::span<double> numbers, std::size_t from) override {
    std::unique_lock lock(mail_->guard);
    auto& box = mail_->boxes[{from, rank_}];
    mail_->arrived.wait(lock, [&] { return !box.empty() || mail_->lost.contains(from); });
    if (box.empty()) throw std::runtime_error("another rank is lost");
    if (box.front().size() != numbers.size()) throw std::logic_error("a message has another length");
    std::ranges::copy(box.front(), numbers.begin());
    box.pop_front();
  }

 private:
  void all_gather(std::span<const double> ours, std::span<const std::size_t> sizes, std::span<double> all) override {
    for (std::size_t r = 0; r < ranks_; ++r) send(ours, r);
    std::size_t at = 0;
    for (std::size_t r = 0; r < ranks_; at += sizes[r++]) receive(all.subspan(at, sizes[r]), r);
    if (at != all.size()) throw std::logic_error("the sizes of a gather are wrong");
  }
  void broadcast(std::span<double> numbers, std::size_t from) override {
    if (rank_ == from)
      for (std::size_t r = 0; r < ranks_; ++r) send(numbers, r);
    receive(numbers, from);
  }

  std::shared_ptr<Mail> mail_;
  std::size_t rank_, ranks_;
};

/// Runs body(communicator) on so many ranks. Returns what each rank threw: empty if nothing.
inline std::vector<std::string> run_ranks(std::size_t ranks,
                                          const std::function<void(std::shared_ptr<Communicator>)>& body) {
  const auto mail = std::make_shared<Mail>();
  std::vector<std::string> thrown(ranks);
  std::vector<std::jthread> threads;
  for (std::size_t r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      try {
        body(std::make_shared<ThreadRank>(mail, r, ranks));
      } catch (const std::exception& e) {
        thrown[r] = e.what();
        const std::scoped_lock lock(mail->guard);
        mail->lost.insert(r);
        mail->arrived.notify_all();
      }
    });
  threads.clear();
  return thrown;
}

}  // namespace geodescent::testing
