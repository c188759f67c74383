// What the subcommands share: how they are declared, what they return, how they refuse.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace CLI {
class App;
}

namespace geodescent::cli {

enum ExitCode : int {
  success = 0,      ///< for train: converged
  not_reached = 1,  ///< training missed its tolerance, a claim does not hold, or a fetched set is not the expected one
  usage = 2,        ///< the command line makes no sense
  failure = 3       ///< bad input, or output that cannot be written
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
void add_train(CLI::App& program, Action& action);
void add_predict(CLI::App& program, Action& action);
void add_verify(CLI::App& program, Action& action);
void add_info(CLI::App& program, Action& action);
void add_convert(CLI::App& program, Action& action);
void add_generate(CLI::App& program, Action& action);
void add_fetch(CLI::App& program, Action& action);
void add_bench(CLI::App& program, Action& action);
void add_completion(CLI::App& program, Action& action);
void add_man(CLI::App& program, Action& action);

}  // namespace geodescent::cli
