# The component for ranks of MPI: target geodescent::mpi, where MPI is found. Nothing else links to MPI.
set(MPI_CXX_SKIP_MPICXX TRUE)  # the C interface only
find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  message(STATUS "MPI not found: no component for ranks of MPI (Debian: libopenmpi-dev)")
  return()
endif()
add_library(geodescent_mpi src/mpi/communicator.cpp)
add_library(geodescent::mpi ALIAS geodescent_mpi)
target_link_libraries(geodescent_mpi PUBLIC geodescent PRIVATE MPI::MPI_CXX $<BUILD_INTERFACE:geodescent_warnings>)
set_target_properties(geodescent_mpi PROPERTIES EXPORT_NAME mpi POSITION_INDEPENDENT_CODE ON
                      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
