// Other programs: started without a shell, timed by the wall clock, ended when they take too long or nobody waits.
#pragma once

#include <sys/types.h>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace geodescent::lab {

/// Called about ten times a second while a program runs. May throw, which ends the program.
using Waiting = std::function<void()>;

struct ProgramCall {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment = {};  ///< on top of ours
  double seconds = std::numeric_limits<double>::infinity();
  Waiting waiting = {};
};

struct ProgramEnd {
  int code = -1;  ///< exit code; 128 + n when it died of signal n
  bool out_of_time = false;
  double seconds = 0;  ///< from its start to its end
  std::string out;
  std::string err;

  /// Why it failed, on one line: the time limit, or the exit code with the end of what it said. Empty when it did not.
  std::string trouble() const;
};

/// Runs a program to its end. Throws InputError when it cannot be started.
ProgramEnd run_program(const ProgramCall& call);

/// A program that stays and answers lines by lines. It ends with this object, and so do all that it started.
class Conversation {
 public:
  Conversation(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment);
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  struct Answer {
    std::string line;          ///< empty when there is none
    bool out_of_time = false;  ///< the program was ended
    std::string trouble = {};  ///< why there is none: what it said at last on standard error
    explicit operator bool() const { return !line.empty(); }
  };
  Answer ask(const std::string& line, double seconds, const Waiting& waiting);
  bool alive() const;

 private:
  struct Child;
  std::unique_ptr<Child> child_;
};

}  // namespace geodescent::lab
