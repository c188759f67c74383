#include "component.hpp"

#include <mpi.h>

#include <cstdlib>
#include <numeric>

#include "messages.hpp"

namespace geodescent::mpi {
namespace {

MPI_Comm comm = MPI_COMM_NULL;    // for all messages but one
MPI_Comm ending = MPI_COMM_NULL;  // for the message that a rank ends: others may wait for it in another call
MPI_Request ended = MPI_REQUEST_NULL;

void start() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &ending);
}

std::size_t rank() {
  int number = 0;
  MPI_Comm_rank(comm, &number);
  return static_cast<std::size_t>(number);
}

std::size_t ranks() {
  int number = 1;
  MPI_Comm_size(comm, &number);
  return static_cast<std::size_t>(number);
}

bool all_are_ending() {
  static bool called = false;
  if (!called) MPI_Ibarrier(ending, &ended);
  called = true;
  int all = 0;
  MPI_Test(&ended, &all, MPI_STATUS_IGNORE);
  return all != 0;
}

void end() {
  MPI_Comm_free(&ending);
  MPI_Comm_free(&comm);
  MPI_Finalize();
}

void abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

constexpr Component component = {
    .version = component_version,
    .start = start,
    .rank = rank,
    .ranks = ranks,
    .send =
        [](const double* numbers, std::size_t count, std::size_t to) {
          send({numbers, count}, to, comm);
        },
    .receive =
        [](double* numbers, std::size_t count, std::size_t from) {
          receive({numbers, count}, from, comm);
        },
    .all_gather =
        [](const double* ours, const std::size_t* sizes, double* all) {
          const std::span<const std::size_t> counts(sizes, ranks());
          const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
          all_gather({ours, counts[rank()]}, counts, {all, total}, comm);
        },
    .broadcast =
        [](double* numbers, std::size_t count, std::size_t from) {
          broadcast({numbers, count}, from, comm);
        },
    .all_are_ending = all_are_ending,
    .end = end,
    .abort = abort,
};

}  // namespace
}  // namespace geodescent::mpi

extern "C" __attribute__((visibility("default"))) const geodescent::mpi::Component* geodescent_mpi_component() {
  return &geodescent::mpi::component;
}
