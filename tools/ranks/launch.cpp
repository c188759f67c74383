#include "ranks/launch.hpp"

#include <charconv>

#include <fmt/format.h>

#include "base/machine/environment.hpp"
#include "common/command.hpp"

namespace geodescent::cli {
namespace {

std::optional<std::size_t> number_in_environment(const char* name) {
  const std::optional<std::string> text = environment(name);
  std::size_t number = 0;
  if (!text) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  return error == std::errc{} && end == text->data() + text->size() ? std::optional(number) : std::nullopt;
}

struct Names {
  const char* rank;
  const char* ranks;
};
// Open MPI; MPICH, Intel MPI, and srun --mpi=pmi2; PMIx, whose number of processes srun knows.
// Plain srun sets the variables of Slurm only: its processes may have nothing to do with each
// other.
constexpr Names known[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};

}  // namespace

std::optional<Launch> launch() {
  if (const auto wish = environment("GEODESCENT_MPI")) {
    if (*wish == "off") return std::nullopt;
    throw UsageError(
        fmt::format("the environment variable GEODESCENT_MPI is '{}'; it can be off, to work without MPI", *wish));
  }
  for (const Names& names : known) {
    const std::optional<std::size_t> rank = number_in_environment(names.rank);
    if (!rank) continue;
    const std::optional<std::size_t> ranks = number_in_environment(names.ranks);
    if (ranks == 1) return std::nullopt;
    return Launch{*rank, ranks};
  }
  return std::nullopt;
}

}  // namespace geodescent::cli
