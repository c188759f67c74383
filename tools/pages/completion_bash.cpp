#include <fmt/format.h>

#include "pages/completion.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* bash_head = R"(# bash completion for geodescent, made by 'geodescent completion bash'
_geodescent() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="" word
  # In --option=value bash sees three words.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  COMPREPLY=()
)";

constexpr const char* bash_tail = R"(}
complete -F _geodescent geodescent
)";

std::string words_reply(const std::string& words) {
  return fmt::format(R"(mapfile -t COMPREPLY < <(compgen -W "{}" -- "$current"))", words);
}

/// An empty reply with this option makes bash complete file names itself, with any characters.
constexpr const char* files_reply = "compopt -o default";
constexpr const char* folders_reply = "compopt -o dirnames";

std::string pattern_of(const Command& command, const Option& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : switches_of(option))
    patterns.push_back(fmt::format("\"{} {}\"", command_words_of(command), name));
  return fmt::format("{}", fmt::join(patterns, " | "));
}

std::string value_case(const Command& command, const Option& option) {
  const auto choices = choices_of(option);
  std::string reply = ":";
  if (!choices.empty())
    reply = words_reply(fmt::format("{}", fmt::join(choices, " ")));
  else if (takes_file(option))
    reply = files_reply;
  else if (takes_folder(option))
    reply = folders_reply;
  return fmt::format("    {}) {}; return ;;\n", pattern_of(command, option), reply);
}

std::string all_switches(const Command& app) {
  std::vector<std::string> names;
  for (const Option* option : options_of(app)) {
    for (const std::string& name : switches_of(*option)) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

/// Completions other than options.
std::string word_reply(const Command& app) {
  std::vector<std::string> words;
  for (const Command& command : app.commands) words.push_back(command.name);
  const auto positionals = positionals_of(app);
  if (words.empty() && positionals.empty()) return ":";
  if (words.empty()) words = choices_of(*positionals.front());
  return words.empty() ? files_reply : words_reply(fmt::format("{}", fmt::join(words, " ")));
}

std::string command_case(const Command& app) {
  return fmt::format("    \"{}\") if [[ $current == -* ]]; then {}; else {}; fi ;;\n", command_words_of(app),
                     words_reply(all_switches(app)), word_reply(app));
}

/// Joins the words that lead to a command: "bench paper".
std::string find_command(const std::vector<const Command*>& commands) {
  std::vector<std::string> names;
  for (const Command* command : commands) names.push_back(fmt::format("\"{}\"", command_words_of(*command)));
  return fmt::format(
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
      "    case \"${{command:+$command }}$word\" in\n      {}) command=\"${{command:+$command }}$word\" ;;\n    esac\n"
      "  done\n",
      fmt::join(names, " | "));
}

}  // namespace

std::string bash_completion(const Command& program) {
  const auto all = all_commands_of(program);
  std::string values;
  std::string commands = command_case(program);
  for (const Command* command : all) {
    for (const Option* option : options_of(*command)) {
      if (takes_value(*option)) values += value_case(*command, *option);
    }
    commands += command_case(*command);
  }
  return bash_head + find_command(all) +
         fmt::format("  case \"$command $previous\" in\n{}  esac\n  case \"$command\" in\n{}  esac\n{}", values,
                     commands, bash_tail);
}

}  // namespace geodescent::cli
