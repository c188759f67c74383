#include "fetch/lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include "common/interrupt.hpp"
#include "common/output.hpp"
#include "fetch/download/download_part.hpp"

namespace geodescent::cli {

FolderLock::FolderLock(const std::string& folder, bool quiet) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) cannot_write(folder, error.value());
  // The file stays: another program may have opened it already.
  const std::string path = folder + "/.geodescent-fetch.lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) cannot_write(path, errno);
  try {
    wait(folder, quiet);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

FolderLock::~FolderLock() { ::close(descriptor_); }

void FolderLock::wait(const std::string& folder, bool quiet) const {
  bool said = quiet;
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) cannot_write(folder, errno);
    if (!said) print_error(fmt::format("waiting for another fetch into {}\n", one_line(folder)));
    said = true;
    if (interrupted() != 0) throw Interrupted{interrupted()};
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace geodescent::cli
