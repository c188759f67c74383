// Child processes: started without a shell, timed by the wall clock, and ended at a time limit or
// by an exception.
#pragma once

#include <sys/types.h>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace geodescent::lab {

/// Called about ten times a second while a program runs. Throwing ends the program.
using Waiting = std::function<void()>;

struct ProgramCall {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment = {};  ///< added to the environment of this process
  double seconds = std::numeric_limits<double>::infinity();
  Waiting waiting = {};
};

struct ProgramEnd {
  int code = -1;  ///< exit code; 128 + n after signal n
  bool out_of_time = false;
  double seconds = 0;  ///< wall-clock time
  std::string out;
  std::string err;

  /// Why it failed, on one line: the time limit, or the exit code with the end of its output. Empty
  /// if it succeeded.
  std::string trouble() const;
};

/// Runs a program to its end. Throws InputError if it cannot be started.
ProgramEnd run_program(const ProgramCall& call);

/// A program that keeps running and answers each line with a line. The destructor ends it and all
/// that it started.
class Conversation {
 public:
  Conversation(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment);
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  struct Answer {
    std::string line;          ///< empty if there is none
    bool out_of_time = false;  ///< the program was ended at the time limit
    std::string trouble = {};  ///< why there is no line: the end of its standard error
    explicit operator bool() const { return !line.empty(); }
  };
  Answer ask(const std::string& line, double seconds, const Waiting& waiting);
  bool alive() const;

 private:
  struct Child;
  std::unique_ptr<Child> child_;
};

}  // namespace geodescent::lab
