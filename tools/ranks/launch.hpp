// How this process was started: alone, or with others by mpirun or srun.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace geodescent::cli {

struct Launch {
  std::size_t rank = 0;
  std::optional<std::size_t> ranks = {};  ///< unknown where the environment does not say it
};

/// Read from the environment, as Open MPI, MPICH and their relatives, and srun with --mpi set it.
/// Empty where nothing says that there are others, and with GEODESCENT_MPI=off. Throws UsageError
/// for another value of this variable.
std::optional<Launch> launch();

}  // namespace geodescent::cli
