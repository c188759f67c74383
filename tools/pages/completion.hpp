// Completion scripts from the tree of commands and options.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace geodescent::cli {

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

/// All names with their dashes, short ones first.
std::vector<std::string> switches_of(const CLI::Option& option);
bool takes_value(const CLI::Option& option);

}  // namespace geodescent::cli
