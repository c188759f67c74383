// peak_memory FILE COMMAND...: runs the command, writes its peak memory in bytes to FILE, and
// returns its exit code. Linux includes the memory of the starting process in the peak of a
// program, so this program is small and has no sanitizers.
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdio>

extern char** environ;

int main(int argc, char** argv) {
  constexpr int failed = 127, signalled = 128;
  if (argc < 3) return failed;
  pid_t id = 0;
  int status = 0;
  rusage usage{};
  if (::posix_spawnp(&id, argv[2], nullptr, nullptr, argv + 2, environ) != 0) return failed;
  if (::wait4(id, &status, 0, &usage) != id) return failed;
  std::FILE* const file = std::fopen(argv[1], "w");
  if (file == nullptr) return failed;
  std::fprintf(file, "%ld\n", 1024 * usage.ru_maxrss);
  if (std::fclose(file) != 0) return failed;
  return WIFEXITED(status) ? WEXITSTATUS(status) : signalled + WTERMSIG(status);
}
