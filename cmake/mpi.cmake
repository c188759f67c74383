# The component for ranks of MPI, where MPI is found: the library geodescent::mpi for C++ programs, and a module that the command
# line loads when mpirun has started it. Nothing else links to MPI.
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
if(GEODESCENT_TOOLS)
  add_library(geodescent_mpi_module MODULE src/mpi/component.cpp)
  target_compile_features(geodescent_mpi_module PRIVATE cxx_std_20)
  target_link_libraries(geodescent_mpi_module PRIVATE MPI::MPI_CXX geodescent_warnings)
  set_target_properties(geodescent_mpi_module PROPERTIES PREFIX "" OUTPUT_NAME geodescent_mpi CXX_VISIBILITY_PRESET hidden
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()
