// Messages of doubles between the processes of an MPI communicator, of any length: MPI counts in
// int.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace geodescent::mpi {

template <class Number, class Body>
void for_pieces(std::span<Number> numbers, const Body& body) {
  constexpr std::size_t most_numbers = std::size_t{1} << 28;
  for (std::size_t begin = 0; begin < numbers.size(); begin += most_numbers)
    body(numbers.subspan(begin, std::min(most_numbers, numbers.size() - begin)));
}

inline void send(std::span<const double> numbers, std::size_t to, MPI_Comm comm) {
  for_pieces(numbers, [&](std::span<const double> piece) {
    MPI_Send(piece.data(), static_cast<int>(piece.size()), MPI_DOUBLE, static_cast<int>(to), 0, comm);
  });
}

inline void receive(std::span<double> numbers, std::size_t from, MPI_Comm comm) {
  for_pieces(numbers, [&](std::span<double> piece) {
    MPI_Recv(piece.data(), static_cast<int>(piece.size()), MPI_DOUBLE, static_cast<int>(from), 0, comm,
             MPI_STATUS_IGNORE);
  });
}

/// sizes[r] numbers of each rank r.
inline void all_gather(std::span<const double> ours, std::span<const std::size_t> sizes, std::span<double> all,
                       MPI_Comm comm) {
  if (all.size() > std::numeric_limits<int>::max())
    throw std::length_error("ranks cannot gather more than 2^31 numbers at once");
  std::vector<int> counts(sizes.begin(), sizes.end()), places(sizes.size());
  for (std::size_t r = 1; r < places.size(); ++r) places[r] = places[r - 1] + counts[r - 1];
  MPI_Allgatherv(ours.data(), static_cast<int>(ours.size()), MPI_DOUBLE, all.data(), counts.data(), places.data(),
                 MPI_DOUBLE, comm);
}

inline void broadcast(std::span<double> numbers, std::size_t from, MPI_Comm comm) {
  for_pieces(numbers, [&](std::span<double> piece) {
    MPI_Bcast(piece.data(), static_cast<int>(piece.size()), MPI_DOUBLE, static_cast<int>(from), comm);
  });
}

}  // namespace geodescent::mpi
