// The processes that mpirun has started this program in. All of them run the same command; the
// first one, rank 0, prints and writes for all.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "geodescent/ranks.hpp"

namespace geodescent::cli {

/// Call once at the start. Loads MPI where this process has others beside it; all ranks but the
/// first are silent from then on. Throws InputError where MPI is missing.
void join_ranks();

/// All ranks; null where this process is alone.
const std::shared_ptr<Communicator>& ranks();
inline bool is_alone() { return ranks() == nullptr; }
inline std::size_t rank_count() { return is_alone() ? 1 : ranks()->ranks(); }
/// Whether this process prints and writes.
inline bool is_first_rank() { return is_alone() || ranks()->rank() == 0; }

/// Runs the work on the first rank; the others wait. Where it throws, all ranks throw the same
/// error.
void on_first_rank(const std::function<void()>& work);
/// Runs the work on every rank, without messages between them. Where it throws on some, all throw
/// the first error.
void on_every_rank(const std::function<void()>& work);

/// Whether it holds on one of the ranks.
bool on_any_rank(bool holds_here);

/// Throws InputError if the ranks have different numbers: "`what`; give all machines the same
/// files".
void require_same_on_ranks(double number, const std::string& what);

/// Throws InputError if the ranks see different files at `path`. Ranks that work with different
/// models would wait for each other, or mix the predictions of both.
void require_same_file_on_ranks(const std::string& path);

/// Throws UsageError on several ranks: `what` works in one process.
void refuse_on_ranks(std::string_view what);

/// The end of the program: the exit code, and the line of an error, empty for none. Returns the
/// exit code. An error that all ranks have is printed by the first of them. An error of some ranks
/// ends all: others may wait for them for ever.
int end_ranks(int code, const std::string& error);

}  // namespace geodescent::cli
