#include <fmt/format.h>

#include "pages/completion.hpp"

namespace geodescent::cli {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string line(const std::string& condition, const std::string& rest) {
  return fmt::format("complete -c geodescent -n {} {}\n", quoted(condition), rest);
}

std::string choices_argument(const Option& option) {
  return "-a " + quoted(fmt::format("{}", fmt::join(choices_of(option), " ")));
}

std::string option_line(const std::string& condition, const Option& option) {
  std::string rest;
  for (const std::string& name : switches_of(option))
    rest += name.starts_with("--") ? fmt::format("-l {} ", name.substr(2)) : fmt::format("-s {} ", name.substr(1));
  if (takes_value(option)) {
    if (!choices_of(option).empty())
      rest += "-x " + choices_argument(option) + " ";
    else
      rest += takes_file(option) ? "-r -F " : takes_folder(option) ? "-x -a '(__fish_complete_directories)' " : "-x ";
  }
  return line(condition, rest + "-d " + quoted(option.text.description));
}

std::string positional_line(const std::string& condition, const Option& option) {
  return line(condition, choices_of(option).empty() ? "-F" : choices_argument(option));
}

/// True if the words so far lead to this command.
std::string reached(const Command& command) {
  const Command& parent = *command.parent;
  const std::string last = "__fish_seen_subcommand_from " + command.name;
  return parent.parent == nullptr ? last : fmt::format("{}; and {}", reached(parent), last);
}

/// True if they lead to this command and no further.
std::string condition_of(const Command& app) {
  if (app.parent == nullptr) return "__fish_use_subcommand";
  std::string names;
  for (const Command& command : app.commands) names += " " + command.name;
  return reached(app) + (names.empty() ? "" : "; and not __fish_seen_subcommand_from" + names);
}

std::string lines_of(const Command& app) {
  const std::string condition = condition_of(app);
  std::string text;
  for (const Option* option : options_of(app)) text += option_line(condition, *option);
  for (const Option* option : positionals_of(app)) text += positional_line(condition, *option);
  for (const Command& command : app.commands) {
    text += line(condition, fmt::format("-a {} -d {}", command.name, quoted(summary_of(command))));
    text += lines_of(command);
  }
  return text;
}

}  // namespace

std::string fish_completion(const Command& program) {
  return "# fish completion for geodescent, made by 'geodescent completion fish'\ncomplete -c geodescent -f\n" +
         lines_of(program);
}

}  // namespace geodescent::cli
