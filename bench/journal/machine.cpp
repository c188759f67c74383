#include "journal/machine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "geodescent/version.hpp"

namespace geodescent::lab {
namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (const auto colon = line.find(": "); line.rfind("model name", 0) == 0 && colon != line.npos)
      return line.substr(colon + 2);
  return "unknown";
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace

std::vector<std::pair<std::string, std::string>> machine_facts() {
  utsname system{};
  uname(&system);
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  return {{"date", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)))},
          {"geodescent", GEODESCENT_VERSION_STRING},
          {"compiler", compiler()},
          {"processor", fmt::format("{}, {} cores", processor(), std::thread::hardware_concurrency())},
          {"memory", fmt::format("{:.0f} GiB", memory / 1073741824.0)},
          {"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)}};
}

std::string quoted_for_shell(const std::string& word) {
  constexpr const char* harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  if (!word.empty() && word.find_first_not_of(harmless) == word.npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text;
  for (std::string word; std::getline(file, word, '\0');)
    text += text.empty() ? std::filesystem::path(word).filename().string() : " " + quoted_for_shell(word);
  return text;
}

}  // namespace geodescent::lab
