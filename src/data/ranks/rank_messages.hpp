// What ranks tell each other about their data. Internal to the library.
#pragma once

#include <exception>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "geodescent/data/dataset.hpp"
#include "geodescent/ranks.hpp"

namespace geodescent {

/// The numbers of all ranks, one rank after the other.
std::vector<double> gather_all(Communicator& ranks, std::span<const double> ours);

/// What an error is about, which all ranks throw: the rows that a rank brings, or some of all rows.
enum class ErrorPlace { rank, row };
/// Throws the error of the first rank that has one, on all ranks; null: this rank has none. With
/// ErrorPlace::rank the message begins with the rank, unless all ranks have the same error. A lack
/// of memory is std::bad_alloc on all ranks. Another error that is not about the data is thrown by
/// its rank itself, and by the others as a std::runtime_error.
void throw_on_all(Communicator& ranks, const std::exception_ptr& error, ErrorPlace place = ErrorPlace::row);

/// Runs the work, in which ranks do not wait for each other. If it throws on some of them, all
/// throw (throw_on_all).
void on_all_ranks(Communicator& ranks, const std::function<void()>& work, ErrorPlace place = ErrorPlace::row);
/// The same on the ranks of the data.
void on_all_ranks(const Dataset& data, const std::function<void()>& work);

/// Throws std::invalid_argument for data on several ranks, which `what` cannot take.
void require_one_process(const Dataset& data, std::string_view what);

}  // namespace geodescent
