#include "base/machine/find_program.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace geodescent {

std::string find_program(const std::string& name) {
  const auto runs = [](const std::string& path) {
    std::error_code ignored;
    return ::access(path.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(path, ignored);
  };
  if (name.find('/') != std::string::npos) return runs(name) ? name : "";
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): the program never sets it
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && runs(folder + "/" + name)) return folder + "/" + name;
  return "";
}

}  // namespace geodescent
