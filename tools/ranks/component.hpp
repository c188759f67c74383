// Loads the module with the functions of MPI.
#pragma once

#include <memory>

#include "geodescent/ranks.hpp"
#include "mpi/component.hpp"

namespace geodescent::cli {

/// Throws InputError where this geodescent has no such module, or it cannot be loaded.
const mpi::Component& load_component();

/// A communicator of all ranks. The component has started.
std::shared_ptr<Communicator> communicator_of(const mpi::Component& component);

}  // namespace geodescent::cli
