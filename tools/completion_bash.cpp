#include <fmt/format.h>

#include "completion.hpp"
#include "options.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* head = R"(# bash completion for geodescent, made by 'geodescent completion bash'
_geodescent() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
  # In --option=value bash sees three words.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  COMPREPLY=()
)";

constexpr const char* tail = R"(}
complete -F _geodescent geodescent
)";

std::string words_reply(const std::string& words) {
  return fmt::format(R"(mapfile -t COMPREPLY < <(compgen -W "{}" -- "$current"))", words);
}

/// An empty reply with this option makes bash complete file names itself, whatever characters they have.
constexpr const char* files_reply = "compopt -o default";

std::string pattern_of(const CLI::App& command, const CLI::Option& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : switches_of(option))
    patterns.push_back(fmt::format("\"{} {}\"", command.get_name(), name));
  return fmt::format("{}", fmt::join(patterns, " | "));
}

std::string value_case(const CLI::App& command, const CLI::Option& option) {
  const auto choices = choices_of(option);
  std::string reply = ":";
  if (!choices.empty())
    reply = words_reply(fmt::format("{}", fmt::join(choices, " ")));
  else if (takes_file(option))
    reply = files_reply;
  return fmt::format("    {}) {}; return ;;\n", pattern_of(command, option), reply);
}

std::string all_switches(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(app)) {
    for (const std::string& name : switches_of(*option)) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string positional_reply(const CLI::App& command) {
  const auto positionals = positionals_of(command);
  if (positionals.empty()) return ":";
  const auto choices = choices_of(*positionals.front());
  return choices.empty() ? files_reply : words_reply(fmt::format("{}", fmt::join(choices, " ")));
}

std::string command_case(const CLI::App& command) {
  return fmt::format("    {}) if [[ $current == -* ]]; then {}; else {}; fi ;;\n", command.get_name(),
                     words_reply(all_switches(command)), positional_reply(command));
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::string first_words;
  std::string values;
  std::string commands;
  for (const CLI::App* command : commands_of(program)) {
    first_words += command->get_name() + " ";
    for (const CLI::Option* option : options_of(*command)) {
      if (takes_value(*option)) values += value_case(*command, *option);
    }
    commands += command_case(*command);
  }
  return fmt::format("{}  if ((COMP_CWORD == 1)); then\n    {}\n    return\n  fi\n", head,
                     words_reply(first_words + all_switches(program))) +
         fmt::format("  case \"$command $previous\" in\n{}  esac\n  case \"$command\" in\n{}  esac\n{}", values,
                     commands, tail);
}

}  // namespace geodescent::cli
