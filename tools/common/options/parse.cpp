// The only file that includes CLI11, because each file that does takes 8 s longer to compile.
#include "common/options/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include <CLI/CLI.hpp>

#include "common/command.hpp"

namespace geodescent::cli {
namespace {

/// The options of CLI11, by ours.
using Stand = std::map<const Option*, CLI::Option*>;

struct Declare {
  CLI::App& app;
  const std::string& names;

  CLI::Option* operator()(HandledByParser) const { return nullptr; }
  CLI::Option* operator()(bool* target) const { return app.add_flag(names, *target)->disable_flag_override(); }
  CLI::Option* operator()(const OneWord& set) const { return app.add_option_function<std::string>(names, set); }
  CLI::Option* operator()(const ManyWords& words) const {
    CLI::Option* const option = app.add_option_function<std::vector<std::string>>(names, words.set);
    if (!words.in_pairs) return option;
    return option->type_size(2)
        ->expected(1, CLI::detail::expected_max_vector_size)
        ->allow_extra_args(false);  // two words each time: the next ones are files
  }
};

void declare(CLI::App& app, const Command& command, Stand& stand) {
  for (const Option& option : command.options) {
    CLI::Option* const declared = std::visit(Declare{app, option.text.names}, option.effect);
    if (declared == nullptr) continue;
    declared->type_name(option.text.value)->required(option.is_required);
    stand[&option] = declared;
  }
  for (const Option& option : command.options) {
    for (const Option* needed : option.needed) stand.at(&option)->needs(stand.at(needed));
    for (const Option* excluded : option.excluded) stand.at(&option)->excludes(stand.at(excluded));
  }
  app.set_version_flag("--version", "");
  if (!command.commands.empty()) app.require_subcommand(1);
  for (const Command& child : command.commands) declare(*app.add_subcommand(child.name, ""), child, stand);
}

/// The innermost of our commands that the words name.
Command& parsed_command(const CLI::App& app, Command& command) {
  for (const CLI::App* parsed : app.get_subcommands())
    for (Command& child : command.commands)
      if (child.name == parsed->get_name()) return parsed_command(*parsed, child);
  return command;
}

void mark_given(Command& command, const Stand& stand) {
  for (Option& option : command.options)
    if (const auto declared = stand.find(&option); declared != stand.end())
      option.given = declared->second->count() > 0;
}

/// The word that an option takes in place of a pair (ManyWords::alone), if `word` is or ends with
/// it: "-w balanced" or "-wbalanced". Empty otherwise. `before` is the previous word.
std::string pair_alone(const Command& program, const std::string& before, const std::string& word) {
  for (const Command* command : all_commands_of(program)) {
    for (const Option& option : command->options) {
      const auto* const pairs = std::get_if<ManyWords>(&option.effect);
      if (pairs == nullptr || pairs->alone.empty() || !word.ends_with(pairs->alone)) continue;
      const std::string name = word.substr(0, word.size() - pairs->alone.size());
      for (const std::string& known : switches_of(option))
        if ((name.empty() && before == known) || name == known || name == known + '=') return pairs->alone;
    }
  }
  return "";
}

/// The words for CLI11, which takes them from the back and reads pairs of two words only.
std::vector<std::string> words_for_parser(const Command& program, int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    words.emplace_back(argv[i]);
    if (const std::string alone = pair_alone(program, argv[i - 1], argv[i]); !alone.empty()) words.push_back(alone);
  }
  std::reverse(words.begin(), words.end());
  return words;
}

/// The first word that looks like an option and is unknown; empty if there is none.
std::string unknown_option(const CLI::App& app) {
  for (const std::string& word : app.remaining(true)) {
    if (word == "--") break;
    if (word.size() > 1 && word.front() == '-') return word.substr(0, word.find('='));
  }
  return "";
}

/// Replaces CLI11's message, a number of missing words, by the placeholder of the value.
std::string wrong_count_text(const Command& command, const std::string& message) {
  const std::string name = message.substr(0, message.find(':'));
  const Option* const option = command.find(name);
  if (message.find("At Most 1 required") != std::string::npos) return fmt::format("{}: give it once", name);
  return option == nullptr ? message : fmt::format("{}: a value is missing; it takes {}", name, option->text.value);
}

}  // namespace

std::string see_help(const Command& command) { return fmt::format("see '{} --help'", full_name_of(command)); }

Parsed parse(Command& program, int argc, const char* const* argv) {
  CLI::App app("", program.name);
  app.set_help_flag("-h,--help");
  Stand stand;
  declare(app, program, stand);
  const auto refuse = [&](const std::string& what) {
    const Command& command = parsed_command(app, program);
    const std::string unknown = unknown_option(app);
    throw UsageError(
        fmt::format("{}; {}", unknown.empty() ? what : unknown_option_text(command, unknown), see_help(command)));
  };
  try {
    app.parse(words_for_parser(program, argc, argv));
  } catch (const CLI::CallForHelp&) {
    return {Wish::help, parsed_command(app, program)};
  } catch (const CLI::CallForVersion&) {
    return {Wish::version, program};
  } catch (const CLI::ArgumentMismatch& error) {
    refuse(wrong_count_text(parsed_command(app, program), error.what()));
  } catch (const CLI::ExtrasError&) {
    refuse(fmt::format("unexpected argument '{}'", app.remaining(true).front()));
  } catch (const CLI::ParseError& error) {
    refuse(error.what());
  } catch (const UsageError& error) {  // thrown by an option that refuses its value
    refuse(error.what());
  }
  Command& command = parsed_command(app, program);
  mark_given(command, stand);
  if (command.callback) command.callback();
  return {Wish::run, command};
}

}  // namespace geodescent::cli
