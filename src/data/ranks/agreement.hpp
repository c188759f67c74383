// What ranks tell each other while they read data. Where there is one process, nothing is sent.
// Internal to the library.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "geodescent/ranks.hpp"

namespace geodescent {

class Agreement {
 public:
  /// `ranks` is null where all is here.
  explicit Agreement(Communicator* ranks) : ranks_(ranks != nullptr && ranks->ranks() > 1 ? ranks : nullptr) {}

  bool alone() const { return ranks_ == nullptr; }
  std::size_t rank() const { return alone() ? 0 : ranks_->rank(); }
  std::size_t ranks() const { return alone() ? 1 : ranks_->ranks(); }

  /// The numbers of all ranks, one rank after the other; each has any count of them.
  std::vector<double> gather(std::span<const double> ours) const;
  /// One number of each rank.
  std::vector<double> gather(double ours) const { return gather({&ours, 1}); }
  bool any(bool ours) const;
  bool all(bool ours) const { return !any(!ours); }
  std::size_t sum(std::size_t ours) const;
  /// The sum over the ranks before this one.
  std::size_t sum_before(std::size_t ours) const;

  /// Runs the work, in which ranks do not wait for each other. If it throws on some ranks, all
  /// throw the error of the first of them, with its number unless all have the same error
  /// (throw_on_all).
  void together(const std::function<void()>& work) const;
  /// Runs the work on rank 0 alone. If it throws, all throw its error.
  void on_first(const std::function<void()>& work) const;

 private:
  Communicator* ranks_;
};

}  // namespace geodescent
