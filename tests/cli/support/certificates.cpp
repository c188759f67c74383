#include "cli/support/certificates.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

extern char** environ;

namespace geodescent::testing {
namespace {

/// certificates.py, which answers each line with a line.
class CertificateChecker {
 public:
  CertificateChecker() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw std::runtime_error("socketpair");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const char* const counts = std::getenv("GEODESCENT_CERTIFICATE_COUNTS");
    std::vector<std::string> words{"python3", "-B", GEODESCENT_CERTIFICATES, "check", GEODESCENT_CHECKER};
    if (counts != nullptr) words.emplace_back(counts);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const int error = ::posix_spawnp(&id_, "python3", &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    socket_ = ends[0];
    if (error != 0) throw std::runtime_error("cannot start python3");
  }
  /// It writes its counts at the end of its input.
  ~CertificateChecker() {
    ::close(socket_);
    ::waitpid(id_, nullptr, 0);
  }
  CertificateChecker(const CertificateChecker&) = delete;
  CertificateChecker& operator=(const CertificateChecker&) = delete;

  std::string ask(const std::string& line) {
    if (::send(socket_, line.data(), line.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(line.size()))
      return "certificates.py does not read";
    std::string answer;
    for (char character = 0; ::read(socket_, &character, 1) == 1; answer += character) {
      if (character == '\n') return answer;
    }
    return "certificates.py has ended";
  }

 private:
  pid_t id_ = -1;
  int socket_ = -1;
};

}  // namespace

std::string objection_to_training(const std::vector<std::string>& arguments, int code, const std::string& folder,
                                  const std::string& input) {
  static CertificateChecker checker;
  const std::string here = folder.empty() ? std::filesystem::current_path().string() : folder;
  // Names of files may be no UTF-8.
  const nlohmann::json training{{"words", arguments}, {"code", code}, {"folder", here}, {"input", input}};
  return checker.ask(training.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace geodescent::testing
