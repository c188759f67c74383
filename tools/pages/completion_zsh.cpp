#include <fmt/format.h>

#include <algorithm>

#include "pages/completion.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* zsh_head = R"(#compdef geodescent
# zsh completion for geodescent, made by 'geodescent completion zsh'
)";

constexpr const char* zsh_tail = R"(if [[ $funcstack[1] == _geodescent ]]; then
  _geodescent "$@"
else
  compdef _geodescent geodescent
fi
)";

/// For use inside '...[...]' of _arguments.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string value_action(const Option& option) {
  const auto choices = choices_of(option);
  if (!choices.empty()) return fmt::format("({})", fmt::join(choices, " "));
  if (takes_folder(option)) return "_files -/";
  return takes_file(option) ? "_files" : " ";
}

std::string value_name(const Option& option) {
  return choices_of(option).empty() ? escaped(option.text.value) : "choice";
}

/// '(-c --cost)'{-c,--cost}'[what it does]:C: '
std::string option_spec(const Option& option) {
  const auto names = switches_of(option);
  std::string tail_text = fmt::format("[{}]", escaped(option.text.description));
  if (takes_value(option)) tail_text += fmt::format(":{}:{}", value_name(option), value_action(option));
  if (names.size() == 1) return fmt::format("'{}{}'", names.front(), tail_text);
  return fmt::format("'({})'{{{}}}'{}'", fmt::join(names, " "), fmt::join(names, ","), tail_text);
}

std::string specs_of(const Command& app, const std::string& indent) {
  std::string result;
  for (const Option* option : options_of(app)) result += fmt::format(" \\\n{}{}", indent, option_spec(*option));
  for (const Option* option : positionals_of(app)) {
    result += fmt::format(" \\\n{}'{}:{}:{}'", indent, option->is_required ? "" : ":", escaped(option->text.names),
                          value_action(*option));
  }
  return result;
}

/// The function that completes after a command which has commands of its own.
std::string function_name(const Command& app) {
  std::string name = "_" + full_name_of(app);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::string arguments_of(const Command& command) {
  return command.commands.empty() ? "_arguments -s" + specs_of(command, "        ") : function_name(command);
}

/// The function itself, after those it calls.
std::string function_of(const Command& app) {
  std::string below;
  std::string names;
  std::string cases;
  for (const Command& command : app.commands) {
    if (!command.commands.empty()) below += function_of(command);
    names += fmt::format("    '{}:{}'\n", command.name, escaped(summary_of(command)));
    cases += fmt::format("    {})\n      {}\n      ;;\n", command.name, arguments_of(command));
  }
  return below +
         fmt::format("{}() {{\n  local curcontext=\"$curcontext\" state line\n  typeset -A opt_args\n",
                     function_name(app)) +
         fmt::format("  local -a commands=(\n{}  )\n", names) +
         fmt::format("  _arguments -C{} \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n",
                     specs_of(app, "    ")) +
         fmt::format(
             "  case $state in\n  command)\n    _describe command commands\n    ;;\n  argument)\n"
             "    case $line[1] in\n{}    esac\n    ;;\n  esac\n}}\n",
             cases);
}

}  // namespace

std::string zsh_completion(const Command& program) { return zsh_head + function_of(program) + zsh_tail; }

}  // namespace geodescent::cli
