#include <fmt/format.h>

#include "completion.hpp"
#include "options.hpp"

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
      rest += takes_file(option) ? "-r -F " : "-x ";
  }
  return line(condition, rest + "-d " + quoted(option.get_description()));
}

std::string positional_line(const std::string& condition, const CLI::Option& option) {
  return line(condition, choices_of(option).empty() ? "-F" : choices_argument(option));
}

}  // namespace

std::string fish_completion(const CLI::App& program) {
  const std::string no_command = "__fish_use_subcommand";
  std::string text =
      "# fish completion for geodescent, made by 'geodescent completion fish'\ncomplete -c geodescent -f\n";
  for (const CLI::Option* option : options_of(program)) text += option_line(no_command, *option);
  for (const CLI::App* command : commands_of(program)) {
    text += line(no_command, fmt::format("-a {} -d {}", command->get_name(), quoted(summary_of(*command))));
    const std::string condition = "__fish_seen_subcommand_from " + command->get_name();
    for (const CLI::Option* option : options_of(*command)) text += option_line(condition, *option);
    for (const CLI::Option* option : positionals_of(*command)) text += positional_line(condition, *option);
  }
  return text;
}

}  // namespace geodescent::cli
