// The program, machine and time of a result.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace geodescent::lab {

/// Date, version, compiler, processor, cores, memory, system.
std::vector<std::pair<std::string, std::string>> machine_facts();

/// The word, quoted if a shell requires it.
std::string quoted_for_shell(const std::string& word);

/// The command line of this process, quoted for a shell.
std::string command_line();

}  // namespace geodescent::lab
