// Ranks of MPI. Link the target geodescent::mpi; it exists where CMake found MPI.
#pragma once

#include <memory>

#include "geodescent/ranks.hpp"

namespace geodescent {

/// The processes of an MPI communicator, given by the handle that MPI_Comm_c2f returns. Duplicates
/// the communicator, so that messages do not mix: all its processes make this call. MPI must be
/// initialised, with MPI_THREAD_FUNNELED or more, and finalised after the last use. An error inside
/// MPI ends all processes.
[[nodiscard]] std::shared_ptr<Communicator> mpi_communicator(int handle);

}  // namespace geodescent
