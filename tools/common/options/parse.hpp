// Parses a command line into the variables of the options.
#pragma once

#include "common/options/command_line.hpp"

namespace geodescent::cli {

enum class Wish { run, help, version };

struct Parsed {
  Wish wish;
  const Command& command;  ///< the innermost command of the words
};

/// Sets the options of `program` and of its commands, then calls the callback of the innermost
/// command unless help or the version is wanted. Throws UsageError with the command of the help.
Parsed parse(Command& program, int argc, const char* const* argv);

/// "see 'geodescent train --help'"
std::string see_help(const Command& command);

}  // namespace geodescent::cli
