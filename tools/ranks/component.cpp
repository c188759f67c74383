#include "ranks/component.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "geodescent/error.hpp"

namespace geodescent::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "geodescent_mpi.so";

/// Beside the program, where it was built; in the folder of modules, where it was installed. Empty
/// if it is in neither.
fs::path component_path() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& path : {folder / file_name, folder / GEODESCENT_MODULES / file_name})
    if (fs::exists(path, error)) return path;
  return {};
}

class AllRanks final : public Communicator {
 public:
  explicit AllRanks(const mpi::Component& component) : component_(component) {}

  std::size_t rank() const override { return component_.rank(); }
  std::size_t ranks() const override { return component_.ranks(); }
  void send(std::span<const double> numbers, std::size_t to) override {
    component_.send(numbers.data(), numbers.size(), to);
  }
  void receive(std::span<double> numbers, std::size_t from) override {
    component_.receive(numbers.data(), numbers.size(), from);
  }

 private:
  void all_gather(std::span<const double> ours, std::span<const std::size_t> sizes, std::span<double> all) override {
    component_.all_gather(ours.data(), sizes.data(), all.data());
  }
  void broadcast(std::span<double> numbers, std::size_t from) override {
    component_.broadcast(numbers.data(), numbers.size(), from);
  }

  const mpi::Component& component_;
};

}  // namespace

const mpi::Component& load_component() {
  const fs::path path = component_path();
  if (path.empty())
    throw InputError(
        "this geodescent was built without MPI and works in one process; start it without mpirun, or build it where "
        "MPI is installed (Debian: libopenmpi-dev)");
  // Global: the plugins of an MPI may look for its names.
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* const found = module == nullptr ? nullptr : ::dlsym(module, mpi::component_symbol);
  if (found == nullptr)
    throw InputError(
        fmt::format("{}: cannot load: {}; install the MPI that geodescent was built with, or build it again",
                    path.string(), ::dlerror()));  // NOLINT(concurrency-mt-unsafe): each thread has its own
  const mpi::Component& component = *reinterpret_cast<mpi::ComponentFunction>(found)();
  if (component.version != mpi::component_version)
    throw InputError(
        fmt::format("{}: is of another geodescent; install program and component together", path.string()));
  return component;
}

std::shared_ptr<Communicator> communicator_of(const mpi::Component& component) {
  return std::make_shared<AllRanks>(component);
}

}  // namespace geodescent::cli
