// `geodescent completion`: scripts for the shells, made from the tree of commands and options.
#include "pages/completion.hpp"

#include <fmt/format.h>

#include <memory>

#include "common/command.hpp"
#include "common/options.hpp"
#include "common/output.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* description =
    R"(Prints a completion script for a shell.

The installed package brings these scripts along. Without it, load the script in the shell's start-up file, or save it where the shell looks for completions.)";

constexpr const char* examples = R"(Examples:

  source <(geodescent completion bash)
  geodescent completion zsh > ~/.zfunc/_geodescent
  geodescent completion fish > ~/.config/fish/completions/geodescent.fish)";

}  // namespace

std::vector<std::string> switches_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

void add_completion(CLI::App& program, Action& action) {
  const auto shell = std::make_shared<std::string>();
  CLI::App& app = *program.add_subcommand("completion", description);
  add_choice(app, {"SHELL", "", "the shell"}, *shell, {"bash", "zsh", "fish"})->required();
  app.footer(examples);
  app.callback([shell, &program, &action] {
    action = [shell, &program] {
      print_out(*shell == "bash"  ? bash_completion(program)
                : *shell == "zsh" ? zsh_completion(program)
                                  : fish_completion(program));
      return success;
    };
  });
}

}  // namespace geodescent::cli
