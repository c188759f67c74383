#include "peers/programs/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <system_error>

#include "geodescent/error.hpp"

extern char** environ;

namespace geodescent::lab {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

void require(bool fine, const std::string& what) {
  if (!fine)
    throw InputError(fmt::format("{}: {}; are memory and disk full?", what, std::generic_category().message(errno)));
}

/// A file without a name for the output of a program. Unlike a pipe it never blocks the program.
class Notes {
 public:
  Notes() : file_(std::tmpfile(), &std::fclose) {
    require(file_ != nullptr, "a temporary file");
    ::fcntl(descriptor(), F_SETFD, FD_CLOEXEC);
  }
  int descriptor() const { return ::fileno(file_.get()); }
  std::string text() const {
    std::string text;
    char buffer[1 << 14];
    for (ssize_t count = 0;
         (count = ::pread(descriptor(), buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0;)
      text.append(buffer, static_cast<std::size_t>(count));
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& extra) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : extra) variables.push_back(name + "=" + value);
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!extra.contains(std::string(*entry, std::strcspn(*entry, "=")))) variables.emplace_back(*entry);
  return variables;
}

/// A started program, the leader of its own process group. Ending it ends all processes that it
/// started.
class Started {
 public:
  Started(std::vector<std::string> command, const std::map<std::string, std::string>& extra, int in, int out, int err) {
    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    if (in < 0)
      posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    else
      posix_spawn_file_actions_adddup2(&streams, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&streams, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&streams, err, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> variables = environment_with(extra);
    const int error = ::posix_spawnp(&id_, command[0].c_str(), &streams, &attributes, pointers(command).data(),
                                     pointers(variables).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&streams);
    if (error != 0)
      throw InputError(
          fmt::format("{}: cannot start it: {}; is it installed?", command[0], std::generic_category().message(error)));
    handle_ = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));  // glibc declares it for C only
  }
  ~Started() {
    if (id_ > 0) end();
    if (handle_ >= 0) ::close(handle_);
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  /// Becomes readable when the program ends; -1 if the system has no such handles.
  int handle() const { return handle_; }
  bool running() const { return id_ > 0; }

  /// Whether the program has ended; sets `code` to its exit code.
  bool ended(int& code) {
    int status = 0;
    const pid_t found = ::waitpid(id_, &status, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR)) return false;
    code = !WIFEXITED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    ::kill(-id_, SIGKILL);  // ends processes that it may have left behind
    id_ = -1;
    return true;
  }

  void end() {
    ::kill(-id_, SIGKILL);
    while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) continue;
    id_ = -1;
  }

 private:
  pid_t id_ = -1;
  int handle_ = -1;
};

/// Milliseconds until the limits are checked again: at most 100, less if a limit is nearer.
int pause_before(double seconds_left) {
  return static_cast<int>(std::clamp(std::ceil(1000 * seconds_left), 1.0, 100.0));
}

/// The end of the text, on one line.
std::string end_of(const std::string& text) {
  constexpr std::size_t most = 300;
  std::istringstream words(text.size() > most ? text.substr(text.size() - most) : text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line.empty() ? "nothing said" : line;
}

}  // namespace

std::string ProgramEnd::trouble() const {
  if (out_of_time) return fmt::format("not finished within {:.3g} s", seconds);
  if (code == 0) return "";
  return fmt::format("exit code {}: {}", code, end_of(err.empty() ? out : err));
}

ProgramEnd run_program(const ProgramCall& call) {
  const Notes out, err;
  ProgramEnd end;
  const auto began = Clock::now();
  Started program(call.command, call.environment, -1, out.descriptor(), err.descriptor());
  while (!program.ended(end.code)) {
    if (call.waiting) call.waiting();
    const double left = call.seconds - seconds_since(began);
    if (left <= 0) {
      program.end();
      end.out_of_time = true;
      break;
    }
    pollfd handle{program.handle(), POLLIN, 0};
    ::poll(&handle, handle.fd >= 0 ? 1 : 0, handle.fd >= 0 ? pause_before(left) : 1);
  }
  end.seconds = seconds_since(began);
  end.out = out.text();
  end.err = err.text();
  return end;
}

struct Conversation::Child {
  Notes err;
  int ours = -1;  // the parent's end of the standard streams
  std::unique_ptr<Started> program;
  std::string heard;  // text after the last complete line

  ~Child() {
    program.reset();
    if (ours >= 0) ::close(ours);
  }
};

Conversation::Conversation(const std::vector<std::string>& command,
                           const std::map<std::string, std::string>& environment)
    : child_(std::make_unique<Child>()) {
  int ends[2];
  require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, "a socket");
  child_->ours = ends[0];
  const std::unique_ptr<const int, void (*)(const int*)> theirs(&ends[1], [](const int* end) { ::close(*end); });
  child_->program = std::make_unique<Started>(command, environment, ends[1], ends[1], child_->err.descriptor());
}

Conversation::~Conversation() = default;

bool Conversation::alive() const { return child_->program->running(); }

Conversation::Answer Conversation::ask(const std::string& line, double seconds, const Waiting& waiting) {
  const auto began = Clock::now();
  const std::string text = line + "\n";
  // MSG_NOSIGNAL: a program that has ended must not raise SIGPIPE here. Requests are far smaller
  // than the socket's buffer.
  if (alive()) static_cast<void>(::send(child_->ours, text.data(), text.size(), MSG_NOSIGNAL));
  for (;;) {
    if (const std::size_t newline = child_->heard.find('\n'); newline != std::string::npos) {
      const std::string answer = child_->heard.substr(0, newline);
      child_->heard.erase(0, newline + 1);
      return {.line = answer};
    }
    if (!alive()) return {.line = {}, .trouble = end_of(child_->err.text())};
    if (waiting) waiting();
    const double left = seconds - seconds_since(began);
    if (left <= 0) {
      child_->program->end();
      return {.line = {}, .out_of_time = true, .trouble = fmt::format("not finished within {:.3g} s", seconds)};
    }
    pollfd stream{child_->ours, POLLIN, 0};
    if (::poll(&stream, 1, pause_before(left)) <= 0) continue;
    char buffer[4096];
    const ssize_t count = ::read(child_->ours, buffer, sizeof buffer);
    if (count > 0) {
      child_->heard.append(buffer, static_cast<std::size_t>(count));
    } else if (count == 0) {
      child_->program->end();  // the program has closed its end
    }
  }
}

}  // namespace geodescent::lab
