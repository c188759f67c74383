// From the words of a command line to the variables that the options set.
#pragma once

#include "common/command_line.hpp"

namespace geodescent::cli {

enum class Wish { run, help, version };

struct Parsed {
  Wish wish;
  const Command& command;  ///< the innermost one that the words name
};

/// Sets the options of `program` and of its commands, then calls the callback of the innermost command unless help or
/// the version is wanted. Throws UsageError, with where to find help, for words that make no sense.
Parsed parse(Command& program, int argc, const char* const* argv);

/// "see 'geodescent train --help'"
std::string see_help(const Command& command);

}  // namespace geodescent::cli
