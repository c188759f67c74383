// Writes a temporary file, then fsync, then rename: after a crash the old or the new file is there,
// complete. The folder is not synchronised, so after a crash of the system it may still be the old
// file.
#include "files/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "geodescent/error.hpp"

namespace geodescent {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;
constexpr unsigned permission_bits = 0777;

const char* remedy_for(int error) {
  switch (error) {
    case ENOENT:
      return "create the folder first";
    case EACCES:
    case EPERM:
      return "choose a place where you may write";
    case EROFS:
      return "the file system is read-only, choose another place";
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another place";
    case EFBIG:
      return "raise the limit on the size of files (ulimit -f) or choose another place";
    case EISDIR:
      return "give the name of a file";
    case EPIPE:
      return "the reader of the pipe has ended";
    default:
      return "check the path and the device";
  }
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// The path after symbolic links are resolved, even if the target does not exist yet. Empty for a
/// cycle of links.
std::string behind_links(const std::string& path) {
  constexpr int most_links = 40;  // the limit of Linux
  std::filesystem::path target = path;
  std::error_code error;
  for (int k = 0; k < most_links; ++k) {
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) return target.string();  // not a link
    target = target.parent_path() / next;
  }
  return {};
}

/// The prefix of all temporary files of this host. It contains the host name because locks may not
/// work across hosts.
std::string temporary_prefix() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) return ".geodescent-";
  return fmt::format(".geodescent-{}-", host.data());
}
constexpr std::string_view temporary_suffix = ".tmp";

/// A name that no other thread or process of this host uses.
std::string unique_name(const std::string& folder) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}/{}{}-{}{}", folder, temporary_prefix(), ::getpid(), counter++, temporary_suffix);
}

/// Whether the path still names the open file.
bool is_still(const std::string& path, int descriptor) {
  struct stat named {};
  struct stat open {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(descriptor, &open) == 0 && named.st_dev == open.st_dev &&
         named.st_ino == open.st_ino;
}

/// A writer holds the lock of its temporary file until the rename. A free lock means that the
/// writer has died.
void remove_if_abandoned(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  struct stat found {};
  if (::fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
      is_still(path, descriptor))
    ::unlink(path.c_str());
  ::close(descriptor);
}

/// Removes temporary files that killed writers left in this folder.
void remove_abandoned(const std::string& folder) {
  const std::string prefix = temporary_prefix();
  std::error_code error;  // a folder that cannot be read is not cleared
  for (auto entry = std::filesystem::directory_iterator(folder, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(temporary_suffix)) remove_if_abandoned(entry->path().string());
  }
}

/// On file systems without locks, abandoned files are not removed.
void lock(int descriptor) {
  while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
  }
}

int standard_stream(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  return path == "/dev/stderr" ? STDERR_FILENO : -1;
}

/// Whether the path is a device or a pipe, links followed. /dev/fd/63 of a shell's >(command) does
/// not resolve to a path.
bool is_special(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (const int stream = standard_stream(path); stream >= 0) {
    descriptor_ = ::fcntl(stream, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail(errno);
  } else if (is_special(path)) {
    target_ = path;
    open_directly();
  } else {
    target_ = behind_links(path);
    if (target_.empty()) fail(path.empty() ? ENOENT : ELOOP);
    open_target();
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::open_target() {
  struct stat old {};
  if (::stat(target_.c_str(), &old) != 0) {
    if (errno != ENOENT) fail(errno);
    return open_aside(0666, false);
  }
  if (S_ISDIR(old.st_mode)) fail(EISDIR);
  // rename() checks the permission of the folder only; a read-only file must not be replaced.
  if (::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  open_aside(old.st_mode & permission_bits, true);
}

void OutputFile::open_aside(unsigned permissions, bool keep_permissions) {
  const std::string folder = folder_of(target_);
  remove_abandoned(folder);
  constexpr int most_tries = 100;
  for (int tries = 0;; ++tries) {
    temporary_ = unique_name(folder);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    if (descriptor_ < 0 && errno == EEXIST) continue;
    if (descriptor_ < 0) {
      const int error = errno;
      temporary_.clear();
      fail(error);
    }
    lock(descriptor_);
    // Another writer may have removed the file as abandoned before it was locked.
    if (is_still(temporary_, descriptor_) || tries >= most_tries) break;
    close();
  }
  // A new file gets the umask of the process; an existing file keeps its permission bits.
  if (keep_permissions && ::fchmod(descriptor_, permissions) != 0) {
    const int error = errno;
    close();
    ::unlink(temporary_.c_str());
    fail(error);
  }
}

void OutputFile::open_directly() {
  descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
}

void OutputFile::write(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() >= buffer_size) flush();
}

void OutputFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
  buffer_.clear();
}

void OutputFile::commit() {
  assert(descriptor_ >= 0);
  flush();
  if (temporary_.empty()) return close();
  if (::fsync(descriptor_) != 0) fail(errno);
  // The lock is held during the rename: without it the file would count as abandoned.
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  ::close(std::exchange(descriptor_, -1));  // fsync has succeeded: the data are on the disk
}

void OutputFile::close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0 && errno != EINTR) fail(errno);
}

void OutputFile::fail(int error) const {
  throw InputError(fmt::format("{}: cannot write: {}; {}", path_.empty() ? "''" : path_,
                               std::generic_category().message(error), remedy_for(error)));
}

}  // namespace geodescent
