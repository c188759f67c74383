#include "common/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "common/command.hpp"
#include "files/output_file.hpp"
#include "geodescent/error.hpp"

namespace geodescent::cli {
namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& path) { return !path.empty() && path != "-"; }

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (!fs::exists(a, error) || !fs::exists(b, error)) {
    return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
  }
  // Two outputs may well go to the same terminal or to /dev/null.
  return fs::is_regular_file(a, error) && fs::equivalent(a, b, error);
}

}  // namespace

void print_out(std::string_view text) {
  OutputFile out("/dev/stdout");
  out.write(text);
  out.commit();
}

void print_json(const nlohmann::ordered_json& value) {
  // Paths may be anything; what is no UTF-8 in them is replaced instead of ending the program.
  print_out(value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
}

void print_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void guard_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is taken, which is `stream` itself.
    if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

void require_writable(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool special = fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
  // Opening and closing a pipe would already tell its reader that all is over.
  if (!special) const OutputFile probe(path);
}

void require_distinct(std::initializer_list<NamedPath> outputs, std::initializer_list<NamedPath> inputs) {
  std::vector<NamedPath> taken(inputs);
  for (const NamedPath& output : outputs) {
    if (!is_file(output.path)) continue;
    for (const NamedPath& other : taken) {
      if (!is_file(other.path) || !same_file(output.path, other.path)) continue;
      throw UsageError(fmt::format("{}: {} and {} are the same file; choose another name for {}", output.path,
                                   other.role, output.role, output.role));
    }
    taken.push_back(output);
  }
}

}  // namespace geodescent::cli
