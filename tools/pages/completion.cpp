// `geodescent completion`: scripts for the shells, made from the tree of commands and options.
#include "pages/completion.hpp"

#include <fmt/format.h>

#include <memory>

#include "common/command.hpp"
#include "common/options/options.hpp"
#include "common/output.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* completion_description =
    R"(Prints a completion script for a shell.

The installed package brings these scripts along. Without it, load the script in the shell's start-up file, or save it where the shell looks for completions.)";

constexpr const char* completion_examples = R"(Examples:

  source <(geodescent completion bash)
  geodescent completion zsh > ~/.zfunc/_geodescent
  geodescent completion fish > ~/.config/fish/completions/geodescent.fish)";

}  // namespace

void add_completion(Command& program, Action& action) {
  const auto shell = std::make_shared<std::string>();
  Command& app = program.add_command("completion", completion_description);
  add_choice(app, {"SHELL", "", "the shell"}, *shell, {"bash", "zsh", "fish"})->required();
  app.footer = completion_examples;
  app.callback = [shell, &program, &action] {
    action = [shell, &program] {
      print_out(*shell == "bash"  ? bash_completion(program)
                : *shell == "zsh" ? zsh_completion(program)
                                  : fish_completion(program));
      return success;
    };
  };
}

}  // namespace geodescent::cli
