#include "files/scratch_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/core.h>

#include "geodescent/error.hpp"

namespace geodescent {
namespace {

std::string folder_for(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool special = path == "-" || (fs::exists(status) && !fs::is_regular_file(status));
  if (special) return fs::temp_directory_path().string();
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

ScratchFile::ScratchFile(const std::string& path) : path_(path) {
  const std::string folder = folder_for(path);
#ifdef O_TMPFILE
  // Without a name from the start, so nothing is left behind however the program ends.
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ >= 0) return;
#endif
  std::string name = folder + "/.geodescent-XXXXXX";  // for file systems without O_TMPFILE
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
  ::unlink(name.c_str());
}

ScratchFile::~ScratchFile() { ::close(descriptor_); }

void ScratchFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
}

std::shared_ptr<const MappedFile> ScratchFile::map() const {
  auto file = MappedFile::of(descriptor_);
  if (!file && size_ > 0) fail(ENOMEM);
  return file;
}

void ScratchFile::fail(int error) const {
  throw InputError(
      fmt::format("{}: cannot write a temporary file beside it: {}; free some space or choose another place", path_,
                  std::generic_category().message(error)));
}

}  // namespace geodescent
