// What all commands share: declaration, exit codes, errors of usage.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace geodescent::cli {

struct Command;

enum ExitCode : int {
  success = 0,      ///< for train: converged, or with --tol 0 at the precision limit
  not_reached = 1,  ///< training missed its tolerance, a claim does not hold, or a fetched set is not the expected one
  usage = 2,        ///< wrong usage of the command line
  failure = 3,      ///< bad input, or output that cannot be written
  nothing_said = 4  ///< a claim holds but says nothing
};

/// Wrong usage of the command line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs a command; returns the exit code.
using Action = std::function<int()>;

// Each adds its command to the program. Parsing sets `action` to run the command that was given.
// Help, manual page and completion are made from the same tree of commands and options.
void add_train(Command& program, Action& action);
void add_predict(Command& program, Action& action);
void add_verify(Command& program, Action& action);
void add_info(Command& program, Action& action);
void add_convert(Command& program, Action& action);
void add_generate(Command& program, Action& action);
void add_fetch(Command& program, Action& action);
void add_bench(Command& program, Action& action);
void add_completion(Command& program, Action& action);
void add_man(Command& program, Action& action);

}  // namespace geodescent::cli
