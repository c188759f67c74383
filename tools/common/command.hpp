// What the subcommands share: how they are declared, what they return, how they refuse.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace geodescent::cli {

struct Command;

enum ExitCode : int {
  success = 0,      ///< for train: converged, or with --tol 0 at the precision limit
  not_reached = 1,  ///< training missed its tolerance, a claim does not hold, or a fetched set is not the expected one
  usage = 2,        ///< the command line makes no sense
  failure = 3,      ///< bad input, or output that cannot be written
  nothing_said = 4  ///< a claim that holds and says nothing
};

/// A command line that parses and still makes no sense.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a command line asks for; returns the exit code.
using Action = std::function<int()>;

// Each adds its subcommand to the program; parsing then leaves in `action` what is to be done. The tree of commands and
// options built here is the one source of help, man page and completion.
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
