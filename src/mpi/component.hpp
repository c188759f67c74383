// What the command line needs of MPI, as a table of functions. It is in a module that the command
// line loads when mpirun has started it, so that the program itself does not link to MPI.
#pragma once

#include <cstddef>

namespace geodescent::mpi {

/// Changes with the table.
inline constexpr int component_version = 1;

/// One thread makes all calls, `start` first and `end` or `abort` last.
struct Component {
  int version;

  void (*start)();
  std::size_t (*rank)();
  std::size_t (*ranks)();

  void (*send)(const double* numbers, std::size_t count, std::size_t to);
  void (*receive)(double* numbers, std::size_t count, std::size_t from);
  void (*all_gather)(const double* ours, const std::size_t* sizes, double* all);
  void (*broadcast)(double* numbers, std::size_t count, std::size_t from);

  bool (*all_are_ending)();  ///< whether all ranks have called it; does not wait
  void (*end)();             ///< waits for all ranks
  void (*abort)(int code);   ///< ends all ranks at once; does not return
};

/// The function of the module that returns the table.
inline constexpr const char* component_symbol = "geodescent_mpi_component";
using ComponentFunction = const Component* (*)();

}  // namespace geodescent::mpi
