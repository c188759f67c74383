// Completion scripts from the tree of commands and options.
#pragma once

#include <string>

#include "common/options/command_line.hpp"

namespace geodescent::cli {

std::string bash_completion(const Command& program);
std::string zsh_completion(const Command& program);
std::string fish_completion(const Command& program);

}  // namespace geodescent::cli
