// Where and by what a result was made.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace geodescent::lab {

/// Date, version, compiler, processor, cores, memory, system.
std::vector<std::pair<std::string, std::string>> machine_facts();

/// The word as a shell must be given it: itself, or in quotes.
std::string quoted_for_shell(const std::string& word);

/// The command line of this process, as a person would type it.
std::string command_line();

}  // namespace geodescent::lab
