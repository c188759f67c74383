#include "geodescent/mpi.hpp"

#include <mpi.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

namespace geodescent {
namespace {

/// MPI counts in int.
constexpr std::size_t most_numbers = std::size_t{1} << 28;

class MpiCommunicator final : public Communicator {
 public:
  explicit MpiCommunicator(MPI_Comm comm) {
    MPI_Comm_dup(comm, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &ranks_);
  }
  ~MpiCommunicator() override {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized) MPI_Comm_free(&comm_);
  }

  std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
  std::size_t ranks() const override { return static_cast<std::size_t>(ranks_); }

  void send(std::span<const double> numbers, std::size_t to) override {
    for_pieces(numbers, [&](std::span<const double> piece) {
      MPI_Send(piece.data(), static_cast<int>(piece.size()), MPI_DOUBLE, static_cast<int>(to), 0, comm_);
    });
  }
  void receive(std::span<double> numbers, std::size_t from) override {
    for_pieces(numbers, [&](std::span<double> piece) {
      MPI_Recv(piece.data(), static_cast<int>(piece.size()), MPI_DOUBLE, static_cast<int>(from), 0, comm_,
               MPI_STATUS_IGNORE);
    });
  }

 private:
  void all_gather(std::span<const double> ours, std::span<const std::size_t> sizes, std::span<double> all) override {
    if (all.size() > std::numeric_limits<int>::max())
      throw std::length_error("ranks cannot gather more than 2^31 numbers at once");
    std::vector<int> counts(sizes.begin(), sizes.end()), places(sizes.size());
    for (std::size_t r = 1; r < places.size(); ++r) places[r] = places[r - 1] + counts[r - 1];
    MPI_Allgatherv(ours.data(), static_cast<int>(ours.size()), MPI_DOUBLE, all.data(), counts.data(), places.data(),
                   MPI_DOUBLE, comm_);
  }
  void broadcast(std::span<double> numbers, std::size_t from) override {
    for_pieces(numbers, [&](std::span<double> piece) {
      MPI_Bcast(piece.data(), static_cast<int>(piece.size()), MPI_DOUBLE, static_cast<int>(from), comm_);
    });
  }

  template <class Number, class Body>
  static void for_pieces(std::span<Number> numbers, const Body& body) {
    for (std::size_t begin = 0; begin < numbers.size(); begin += most_numbers)
      body(numbers.subspan(begin, std::min(most_numbers, numbers.size() - begin)));
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, ranks_ = 1;
};

}  // namespace

std::shared_ptr<Communicator> mpi_communicator(int handle) {
  return std::make_shared<MpiCommunicator>(MPI_Comm_f2c(static_cast<MPI_Fint>(handle)));
}

}  // namespace geodescent
