// Training on rows that are in several processes: mpirun -n 2 example_ranks [MODEL]
#include <cstdio>
#include <exception>

#include <mpi.h>

#include "geodescent/geodescent.hpp"
#include "geodescent/mpi.hpp"

/// The rows of this rank: here a slice of rows that every rank makes; in practice a file of its
/// own.
geodescent::Dataset own_rows(std::size_t rank, std::size_t ranks) {
  using namespace geodescent;
  const std::size_t rows = 4000, columns = 20, begin = rows * rank / ranks, end = rows * (rank + 1) / ranks;
  Vector entries, targets;
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t j = 0; j < columns; ++j) entries.push_back(static_cast<double>((i * (j + 3) + j) % 17) - 8);
    targets.push_back(entries[entries.size() - columns] + static_cast<double>(i % 5) > 2 ? 1 : -1);
  }
  return dataset(std::make_shared<DenseRows>(std::move(entries), columns), std::move(targets));
}

void train_with_others(const char* file) {
  using namespace geodescent;
  const std::shared_ptr<Communicator> ranks = mpi_communicator(MPI_Comm_c2f(MPI_COMM_WORLD));
  const Dataset data = on_ranks(own_rows(ranks->rank(), ranks->ranks()), ranks);
  const TrainResult trained = train(data, {.loss = "logistic", .l2 = 1e-3, .bias = Bias::free});
  const Certificate certificate = gathered(data, *trained.certificate);
  if (ranks->rank() == 0) write_model(trained.model, certificate, file);
  if (ranks->rank() == 0)
    std::printf("%s\n%llu rounds, %llu bytes\n", trained.run.message.c_str(),
                static_cast<unsigned long long>(ranks->traffic().rounds),
                static_cast<unsigned long long>(ranks->traffic().bytes));
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    train_with_others(argc > 1 ? argv[1] : "ranks.model");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
