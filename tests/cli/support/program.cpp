#include "cli/support/program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "cli/support/certificates.hpp"
#include "support/temporary_folder.hpp"

extern char** environ;

namespace geodescent::testing {
namespace {

void require(int error, const std::string& what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  Pipe() {
    int ends[2];
    require(::pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno, "pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& extra) {
  std::vector<std::string> result;
  for (const auto& [name, value] : extra) result.push_back(name + "=" + value);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name(*entry, std::strcspn(*entry, "="));
    if (extra.count(name) == 0) result.emplace_back(*entry);
  }
  return result;
}

/// Appends what is there to `text`; false at the end of the stream.
bool take(int descriptor, std::string& text) {
  char buffer[4096];
  const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
  if (count <= 0) return false;
  text.append(buffer, static_cast<std::size_t>(count));
  return true;
}

}  // namespace

Program::Program(const std::vector<std::string>& command, const Surroundings& s)
    : command_(command), folder_(s.folder), input_(s.input) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, s.input.c_str(), O_RDONLY, 0);
  const Pipe out;
  const Pipe err;
  if (s.output.empty())
    posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, s.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (s.terminal.empty())
    posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, s.terminal.c_str(), O_WRONLY | O_NOCTTY, 0);
  if (!s.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, s.folder.c_str());

  // A test in the background of a shell ignores Ctrl-C, under nohup SIGHUP, and its children would
  // inherit that.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> words = command;
  std::vector<std::string> variables = environment_with(s.environment);
  const int error =
      ::posix_spawnp(&id_, words[0].c_str(), &actions, &attributes, pointers(words).data(), pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(out.write_end);
  ::close(err.write_end);
  out_ = out.read_end;
  err_ = err.read_end;
  require(error, "cannot start " + command[0]);
}

Program::~Program() {
  if (id_ > 0) {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  for (const int descriptor : {out_, err_}) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

void Program::send(int signal) const { require(::kill(id_, signal) == 0 ? 0 : errno, "kill"); }

bool Program::read_some() {
  pollfd streams[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
  if (out_ < 0 && err_ < 0) return false;
  if (::poll(streams, 2, -1) < 0) return errno == EINTR;
  const auto read_one = [](const pollfd& stream, int& descriptor, std::string& text) {
    if (descriptor < 0 || stream.revents == 0 || take(descriptor, text)) return;
    ::close(descriptor);
    descriptor = -1;
  };
  read_one(streams[0], out_, outcome_.out);
  read_one(streams[1], err_, outcome_.err);
  return true;
}

bool Program::wait_until_it_says(const std::string& text) {
  while (outcome_.err.find(text) == std::string::npos) {
    if (!read_some()) return false;
  }
  return true;
}

Outcome Program::wait() {
  while (read_some()) continue;
  int status = 0;
  require(::waitpid(id_, &status, 0) == id_ ? 0 : errno, "waitpid");
  id_ = -1;
  outcome_.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  check_certificates();
  return outcome_;
}

void Program::check_certificates() const {
  const bool written = outcome_.code == 0 || outcome_.code == 1;
  const auto program = std::find(command_.begin(), command_.end(), binary());  // others may start it
  if (!written || command_.end() - program < 3 || program[1] != "train" || program[2] == "--help" ||
      program[2] == "--version")
    return;
  const std::string objection = objection_to_training({program + 2, command_.end()}, outcome_.code, folder_, input_);
  EXPECT_EQ(objection, "") << ::testing::PrintToString(command_);
}

bool says(const std::string& text, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [&](const auto& w) { return text.find(w) != std::string::npos; });
}

bool installed(const std::string& name) {
  std::istringstream folders(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

Outcome run(const std::vector<std::string>& command, const Surroundings& surroundings) {
  return Program(command, surroundings).wait();
}

std::string binary() {
  const char* const other = std::getenv("GEODESCENT_BINARY");
  return other != nullptr ? other : GEODESCENT_BINARY;
}

bool sanitized() {
#if defined(GEODESCENT_SANITIZE)
  return binary() == GEODESCENT_BINARY;
#else
  return false;
#endif
}

std::vector<std::string> geodescent_command(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), binary());
  return arguments;
}

Outcome geodescent(std::vector<std::string> arguments, const Surroundings& surroundings) {
  return run(geodescent_command(std::move(arguments)), surroundings);
}

nlohmann::json train_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"train", "--json", "--quiet"});
  const Outcome outcome = geodescent(std::move(arguments));
  if (outcome.out.empty()) throw std::runtime_error("no result: " + outcome.err);
  nlohmann::json result = nlohmann::json::parse(outcome.out);
  result["exit_code"] = outcome.code;
  return result;
}

void generate_data(const std::string& path, std::vector<std::string> options) {
  options.insert(options.begin(), {"generate", "--quiet", path});
  const Outcome outcome = geodescent(std::move(options));
  if (outcome.code != 0) throw std::runtime_error("generate failed: " + outcome.err);
}

bool is_one_error_line(const std::string& text) {
  return text.rfind("geodescent: error: ", 0) == 0 && text.find('\n') == text.size() - 1;
}

std::map<std::string, std::string> snapshot(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files[entry.path().filename().string()] = entry.is_regular_file() ? contents(entry.path().string()) : "";
  }
  return files;
}

}  // namespace geodescent::testing
