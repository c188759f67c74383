// A library to preload into a program. The program's n-th change of a regular file (write, fsync,
// rename, unlink) fails, or kills the program.
//   CRASH_AT   n, from 1
//   CRASH_AS   an error number, such as ENOSPC; 0 kills the process, a write after half of its bytes
//   CRASH_MARK a file that is created when this happens
//   CRASH_CUT  a file that is truncated to 0 bytes as soon as a file is mapped
//   CRASH_READ a file whose device fails: it cannot be read
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>

namespace {

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

long number_in(const char* variable) {
  const char* const text = ::getenv(variable);
  return text == nullptr ? 0 : ::strtol(text, nullptr, 10);
}

std::atomic<long> changes{0};

/// Whether this change must fail; sets errno. If the process must be killed, calls `before` and
/// does not return.
template <class Before>
bool fails(Before&& before) {
  static const long at = number_in("CRASH_AT"), as = number_in("CRASH_AS");
  if (++changes != at) return false;
  if (const char* const mark = ::getenv("CRASH_MARK")) ::close(::open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (as == 0) {
    before();
    ::kill(::getpid(), SIGKILL);
  }
  errno = static_cast<int>(as);
  return true;
}

bool fails() {
  return fails([] {});
}

bool is_named(int descriptor, const char* path) {
  struct stat found {
  }, named{};
  return ::fstat(descriptor, &found) == 0 && ::stat(path, &named) == 0 && found.st_dev == named.st_dev &&
         found.st_ino == named.st_ino;
}

bool is_file(int descriptor) {
  struct stat found {};
  return ::fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode);
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t count) {
  static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
  if (is_file(descriptor) && fails([&] { static_cast<void>(real(descriptor, bytes, count / 2)); })) return -1;
  return real(descriptor, bytes, count);
}

ssize_t read(int descriptor, void* bytes, size_t count) {
  static auto* const real = next<ssize_t(int, void*, size_t)>("read");
  const char* const file = ::getenv("CRASH_READ");
  if (file == nullptr || !is_named(descriptor, file)) return real(descriptor, bytes, count);
  errno = EIO;
  return -1;
}

int fsync(int descriptor) {
  static auto* const real = next<int(int)>("fsync");
  return is_file(descriptor) && fails() ? -1 : real(descriptor);
}

int rename(const char* from, const char* to) {
  static auto* const real = next<int(const char*, const char*)>("rename");
  return fails() ? -1 : real(from, to);
}

int unlink(const char* path) {
  static auto* const real = next<int(const char*)>("unlink");
  return fails() ? -1 : real(path);
}

void* mmap(void* address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  static auto* const real = next<void*(void*, size_t, int, int, int, off_t)>("mmap");
  void* const mapped = real(address, length, protection, flags, descriptor, offset);
  const char* const file = ::getenv("CRASH_CUT");
  if (file != nullptr && descriptor >= 0 && is_file(descriptor) && ::truncate(file, 0) != 0) ::abort();
  return mapped;
}
}
