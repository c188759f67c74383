#include "ranks/ranks.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/crc32c.hpp"
#include "base/text/counted.hpp"
#include "common/command.hpp"
#include "common/interrupt.hpp"
#include "common/output.hpp"
#include "data/ranks/agreement.hpp"
#include "files/mapped_file.hpp"
#include "geodescent/error.hpp"
#include "geodescent/threads.hpp"
#include "ranks/component.hpp"
#include "ranks/launch.hpp"

namespace geodescent::cli {
namespace {

using namespace std::chrono_literals;

const mpi::Component* component = nullptr;
std::shared_ptr<Communicator> all_ranks;
std::size_t rank_of_launch = 0;

/// A number that is equal on the ranks that share the same processors, and exact as a double.
double processors_shared() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  cpu_set_t processors;
  CPU_ZERO(&processors);
  ::sched_getaffinity(0, sizeof processors, &processors);
  std::string text(host.data());
  text.append(reinterpret_cast<const char*>(&processors), sizeof processors);
  return static_cast<double>(std::hash<std::string>{}(text) >> 12);
}

/// Ranks that share processors divide them: together they have as many threads as one process.
void share_processors() {
  const double ours = processors_shared();
  std::vector<double> of_all(all_ranks->ranks());
  all_ranks->gather({&ours, 1}, std::vector<std::size_t>(of_all.size(), 1), of_all);
  const auto sharing = static_cast<int>(std::ranges::count(of_all, ours));
  set_threads(std::max(1, threads() / sharing));
}

void be_silent() {
  silence();
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO);
}

void require_same_mpi(const Launch& launch) {
  const std::size_t found = component->ranks();
  if (found > 1 && (!launch.ranks || *launch.ranks == found)) return;
  if (found == 1 && !launch.ranks) return;
  component = nullptr;
  throw InputError(
      fmt::format("{} started, but the MPI of this geodescent knows of {}; start it by the mpirun of the MPI that it "
                  "was built with",
                  counted(launch.ranks.value_or(0), "process", "processes"), found));
}

/// Waits until all ranks end; false if some do not within this time.
bool all_end(std::optional<std::chrono::milliseconds> patience) {
  const auto began = std::chrono::steady_clock::now();
  while (!component->all_are_ending()) {
    if (patience && std::chrono::steady_clock::now() - began > *patience) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

/// Runs it with an agreement; wrong usage stays wrong usage.
template <class Run>
void agree(const std::function<void()>& work, const Run& run) {
  if (is_alone()) return work();
  const Agreement agreement(all_ranks.get());
  bool is_usage = false;
  try {
    run(agreement, [&] {
      try {
        work();
      } catch (const UsageError&) {
        is_usage = true;
        throw;
      }
    });
  } catch (const std::exception& error) {
    if (agreement.any(is_usage)) throw UsageError(error.what());
    throw;
  }
}

std::string line_of(const std::string& error) { return fmt::format("geodescent: error: {}\n", error); }

/// Ends all ranks by the error of this one.
[[noreturn]] void end_all(int code, const std::string& error) {
  print_for_all(line_of(fmt::format("rank {}: {}", all_ranks->rank(), error)));
  std::this_thread::sleep_for(100ms);  // mpirun passes the line on
  component->abort(code);
  std::_Exit(code);
}

}  // namespace

void join_ranks() {
  const std::optional<Launch> found = launch();
  if (!found) return;
  rank_of_launch = found->rank;
  let_mpirun_explain_signals();
  component = &load_component();
  component->start();
  require_same_mpi(*found);
  if (component->ranks() == 1) return;
  all_ranks = communicator_of(*component);
  explain_signals();  // MPI may have replaced handlers
  if (!is_first_rank()) be_silent();
  share_processors();
}

const std::shared_ptr<Communicator>& ranks() { return all_ranks; }

void on_first_rank(const std::function<void()>& work) {
  agree(work, [](const Agreement& all, const auto& guarded) { all.on_first(guarded); });
}

void on_every_rank(const std::function<void()>& work) {
  agree(work, [](const Agreement& all, const auto& guarded) { all.together(guarded); });
}

bool on_any_rank(bool holds_here) { return Agreement(all_ranks.get()).any(holds_here); }

void require_same_on_ranks(double number, const std::string& what) {
  const std::vector<double> of_all = Agreement(all_ranks.get()).gather(number);
  if (std::ranges::any_of(of_all, [&](double other) { return other != of_all.front(); }))
    throw InputError(what + "; give all machines the same files");
}

void require_same_file_on_ranks(const std::string& path) {
  if (is_alone()) return;
  const auto mapped = MappedFile::open(path);
  const std::string_view bytes = mapped ? mapped->bytes() : std::string_view();
  require_same_on_ranks(crc32c(std::as_bytes(std::span(bytes))), path + ": not the same file on all ranks");
}

void refuse_on_ranks(std::string_view what) {
  if (!is_alone()) throw UsageError(fmt::format("{} works in one process; start it without mpirun", what));
}

int end_ranks(int code, const std::string& error) {
  if (is_alone()) {
    if (!error.empty() && rank_of_launch == 0) print_error(line_of(error));
    // mpirun ends all processes when one of them fails. The first one prints before that.
    if (!error.empty() && rank_of_launch > 0) std::this_thread::sleep_for(2s);
    if (component != nullptr) component->end();
    return code;
  }
  const std::size_t rank = all_ranks->rank();
  // Ranks that fail alone do not all speak at once.
  std::optional<std::chrono::milliseconds> patience;
  if (!error.empty()) patience = std::min(300ms + 20ms * static_cast<int>(rank), 2000ms);
  if (!all_end(patience)) end_all(code, error);
  const std::array<double, 2> ours{error.empty() ? 0.0 : 1.0, static_cast<double>(code)};
  std::vector<double> of_all(ours.size() * all_ranks->ranks());
  all_ranks->gather(ours, std::vector<std::size_t>(all_ranks->ranks(), ours.size()), of_all);
  std::size_t first = 0;  // the first rank with an error; without errors the first of all
  while (first + 1 < all_ranks->ranks() && of_all[2 * first] == 0) ++first;
  if (of_all[2 * first] == 0) first = 0;
  if (first == rank && !error.empty()) print_for_all(line_of(error));
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) signal(number, SIG_IGN);  // from mpirun, for an exit code over 0
  const double last = 0;
  std::vector<double> printed(all_ranks->ranks());
  all_ranks->gather({&last, 1}, std::vector<std::size_t>(all_ranks->ranks(), 1), printed);
  component->end();
  return static_cast<int>(of_all[2 * first + 1]);
}

}  // namespace geodescent::cli
