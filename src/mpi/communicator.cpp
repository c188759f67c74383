#include <mpi.h>

#include "geodescent/mpi.hpp"
#include "messages.hpp"

namespace geodescent {
namespace {

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
  void send(std::span<const double> numbers, std::size_t to) override { mpi::send(numbers, to, comm_); }
  void receive(std::span<double> numbers, std::size_t from) override { mpi::receive(numbers, from, comm_); }

 private:
  void all_gather(std::span<const double> ours, std::span<const std::size_t> sizes, std::span<double> all) override {
    mpi::all_gather(ours, sizes, all, comm_);
  }
  void broadcast(std::span<double> numbers, std::size_t from) override { mpi::broadcast(numbers, from, comm_); }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, ranks_ = 1;
};

}  // namespace

std::shared_ptr<Communicator> mpi_communicator(int handle) {
  return std::make_shared<MpiCommunicator>(MPI_Comm_f2c(static_cast<MPI_Fint>(handle)));
}

}  // namespace geodescent
