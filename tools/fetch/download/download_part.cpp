#include "fetch/download/download_part.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "files/output_file.hpp"
#include "geodescent/error.hpp"

namespace geodescent::cli {
namespace {

constexpr std::string_view version_heading = "geodescent-part 1";

std::string version_file(const std::string& part) { return part + ".version"; }

const char* remedy_for(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space, or choose another folder with --data DIR; what has come is kept";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder where you may write with --data DIR or GEODESCENT_DATA";
    case ENOTDIR:
    case EEXIST:
      return "something that is not a folder has this name; choose another with --data DIR";
    default:
      return "check the folder and the device, or choose another with --data DIR";
  }
}

void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);  // some file systems cannot; the file is complete there, too
  ::close(descriptor);
}

}  // namespace

void cannot_write(const std::string& path, int error) {
  throw InputError(
      fmt::format("{}: cannot write: {}; {}", path, std::generic_category().message(error), remedy_for(error)));
}

void move_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) cannot_write(to, errno);
  sync_folder_of(to);
}

PartFile::PartFile(const std::string& path, const std::string& address) : part_(path + ".part"), address_(address) {
  descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
  struct stat found {};
  if (::fstat(descriptor_, &found) != 0) {
    const int error = errno;
    close();
    fail(error);
  }
  size_ = static_cast<std::uint64_t>(found.st_size);
  read_version();
}

PartFile::~PartFile() {
  close();
  if (size_ > 0) return;
  // Without a byte the file is of no use to the next run.
  ::unlink(part_.c_str());
  ::unlink(version_file(part_).c_str());
}

void PartFile::read_version() {
  std::ifstream in(version_file(part_));
  std::string heading, address, length;
  RemoteVersion version;
  if (!std::getline(in, heading) || !std::getline(in, address) || !std::getline(in, length)) return;
  if (!std::getline(in, version.tag) || heading != version_heading || address != address_) return;
  const auto parsed = std::from_chars(length.data(), length.data() + length.size(), version.length);
  if (parsed.ec != std::errc{}) return;
  // More than the whole file is not the start of it.
  if (version.length == 0 || size_ <= version.length) version_ = version;
}

void PartFile::restart(const RemoteVersion& version) {
  // The order matters: bytes must never stand beside the version of other bytes.
  if (::ftruncate(descriptor_, 0) != 0) fail(errno);
  size_ = 0;
  version_ = version;
  OutputFile file(version_file(part_));
  file.write(fmt::format("{}\n{}\n{}\n{}\n", version_heading, address_, version.length, version.tag));
  file.commit();
  sync_folder_of(version_file(part_));
}

void PartFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      size_ += static_cast<std::uint64_t>(written);
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

void PartFile::finish(const std::string& path) {
  if (::fsync(descriptor_) != 0) fail(errno);
  move_file(part_, path);
  ::unlink(version_file(part_).c_str());
  close();
}

void PartFile::discard() {
  ::unlink(part_.c_str());
  ::unlink(version_file(part_).c_str());
  close();
}

void PartFile::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void PartFile::fail(int error) const { cannot_write(part_, error); }

}  // namespace geodescent::cli
