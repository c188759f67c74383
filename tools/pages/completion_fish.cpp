#include <fmt/format.h>

#include "common/options.hpp"
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

std::string choices_argument(const CLI::Option& option) {
  return "-a " + quoted(fmt::format("{}", fmt::join(choices_of(option), " ")));
}

std::string option_line(const std::string& condition, const CLI::Option& option) {
  std::string rest;
  for (const std::string& name : option.get_snames()) rest += "-s " + name + " ";
  for (const std::string& name : option.get_lnames()) rest += "-l " + name + " ";
  if (takes_value(option)) {
    if (!choices_of(option).empty())
      rest += "-x " + choices_argument(option) + " ";
    else
      rest += takes_file(option) ? "-r -F " : takes_folder(option) ? "-x -a '(__fish_complete_directories)' " : "-x ";
  }
  return line(condition, rest + "-d " + quoted(option.get_description()));
}

std::string positional_line(const std::string& condition, const CLI::Option& option) {
  return line(condition, choices_of(option).empty() ? "-F" : choices_argument(option));
}

/// Holds where the words so far lead to this command.
std::string reached(const CLI::App& command) {
  const CLI::App& parent = *command.get_parent();
  const std::string last = "__fish_seen_subcommand_from " + command.get_name();
  return parent.get_parent() == nullptr ? last : fmt::format("{}; and {}", reached(parent), last);
}

/// Holds where they lead to it and not further.
std::string condition_of(const CLI::App& app) {
  if (app.get_parent() == nullptr) return "__fish_use_subcommand";
  std::string names;
  for (const CLI::App* command : commands_of(app)) names += " " + command->get_name();
  return reached(app) + (names.empty() ? "" : "; and not __fish_seen_subcommand_from" + names);
}

std::string lines_of(const CLI::App& app) {
  const std::string condition = condition_of(app);
  std::string text;
  for (const CLI::Option* option : options_of(app)) text += option_line(condition, *option);
  for (const CLI::Option* option : positionals_of(app)) text += positional_line(condition, *option);
  for (const CLI::App* command : commands_of(app)) {
    text += line(condition, fmt::format("-a {} -d {}", command->get_name(), quoted(summary_of(*command))));
    text += lines_of(*command);
  }
  return text;
}

}  // namespace

std::string fish_completion(const CLI::App& program) {
  return "# fish completion for geodescent, made by 'geodescent completion fish'\ncomplete -c geodescent -f\n" +
         lines_of(program);
}

}  // namespace geodescent::cli
