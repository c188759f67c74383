// Several processes that minimise one risk together, each with some of its rows. A rank is one of
// them. With MPI, geodescent/mpi.hpp has their communicator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "geodescent/data/dataset.hpp"

namespace geodescent {

/// What a rank has exchanged with the others.
struct Traffic {
  std::uint64_t rounds = 0;  ///< exchanges that a rank waits for
  std::uint64_t bytes = 0;   ///< received in them
};

/// How ranks exchange numbers. All ranks make the same calls in the same order; a call waits for
/// the others. Numbers arrive bit by bit as they were sent.
class Communicator {
 public:
  virtual ~Communicator() = default;
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  virtual std::size_t rank() const = 0;   ///< of this process, from 0
  virtual std::size_t ranks() const = 0;  ///< number of processes

  /// `all` = the numbers of rank 0, then those of rank 1, and so on: sizes[r] of rank r. One round.
  void gather(std::span<const double> ours, std::span<const std::size_t> sizes, std::span<double> all);
  /// add(begin, end) adds the terms of this rank to numbers begin to end. Begins with the numbers
  /// of rank 0; each rank adds to what the ranks before it have added; all ranks get the result.
  /// Ranks work on different parts of the numbers at the same time. One round.
  void add_in_order(std::span<double> numbers, const std::function<void(std::size_t begin, std::size_t end)>& add);
  /// The same; parts[p] is the first number that belongs to part p + 1, and `add` is called for
  /// whole parts.
  void add_in_order(std::span<double> numbers, std::span<const std::size_t> parts,
                    const std::function<void(std::size_t begin, std::size_t end)>& add);
  /// Rank 0 calls change() and sends the numbers to rank 1, which does the same, and so on. The
  /// last rank has the result. One round.
  void pass_on(std::span<double> numbers, const std::function<void()>& change);
  /// Waits for rank `to`; not counted as a round.
  virtual void send(std::span<const double> numbers, std::size_t to) = 0;
  /// Receives as many numbers as the other rank sends.
  virtual void receive(std::span<double> numbers, std::size_t from) = 0;

  const Traffic& traffic() const { return traffic_; }  ///< of this rank, so far

 protected:
  /// `gather` without counting.
  virtual void all_gather(std::span<const double> ours, std::span<const std::size_t> sizes, std::span<double> all) = 0;
  /// The numbers of rank `from`, on all ranks.
  virtual void broadcast(std::span<double> numbers, std::size_t from) = 0;

 private:
  Traffic traffic_;
};

/// The data of all ranks: the rows of rank 0 come first, then those of rank 1, and so on; a rank
/// may have none. Moves rows, so that each rank has whole blocks of them; a few rows at the borders
/// are then on two ranks. Needs SparseRows or DenseRows, of the same kind and number of columns on
/// all ranks. All ranks throw if one of them cannot use its rows: std::invalid_argument or
/// InputError. With one rank, the same data.
[[nodiscard]] Dataset on_ranks(const Dataset& rows_of_rank, const std::shared_ptr<Communicator>& communicator);

}  // namespace geodescent
