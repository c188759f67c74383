// The command `geodescent`: understands the command line, runs what it asks for, turns every failure into one line on
// standard error and an exit code.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "base/environment.hpp"
#include "common/command.hpp"
#include "common/command_line.hpp"
#include "common/interrupt.hpp"
#include "common/output.hpp"
#include "common/parse.hpp"
#include "geodescent/error.hpp"
#include "geodescent/instruction_set.hpp"
#include "geodescent/version.hpp"
#include "pages/help.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* description =
    R"(geodescent trains linear models and proves how good they are.

It minimises mean loss + l2/2 |w|^2 over data in LIBSVM format. With the weights w comes a lower bound that no weights can beat: the result says how far from the best possible it can be at most.

The four commands to know:

  geodescent info DATA                  what is in a file
  geodescent train DATA MODEL           trains on it and writes MODEL
  geodescent verify DATA MODEL          checks the proof that came with it
  geodescent predict TEST MODEL         how well the model does on other data

Exit codes: 0 success (training converged, or with --tol 0 reached the precision limit), 1 training ended without reaching its tolerance or a claim does not hold, 2 usage, 3 bad input or output that cannot be written, 4 a claim holds but says nothing.)";

constexpr const char* footer = R"(Examples:

  geodescent generate --preset rcv1 --scale 0.1 data.svm
  geodescent train --l2 1e-4 data.svm data.model
  geodescent predict data.svm data.model

Each command explains itself: geodescent train --help)";

struct Entry {
  std::string_view name;
  void (*add)(Command& program, Action& action);
  bool shows_all = false;  ///< it tells about the other commands, too
};
constexpr Entry entries[] = {{"train", add_train},  {"predict", add_predict}, {"verify", add_verify},
                             {"info", add_info},    {"convert", add_convert}, {"generate", add_generate},
                             {"fetch", add_fetch},  {"bench", add_bench},     {"completion", add_completion, true},
                             {"man", add_man, true}};

/// The one command that the first word names, for all of them together take longer to build than a small training;
/// all where it names none, but for the version, which needs none.
void build(Command& program, Action& action, std::string_view first_word) {
  program.add({"--version", "", "the version"}, HandledByParser{});
  program.footer = footer;
  if (first_word == "--version") return;
  const auto named = std::ranges::find(entries, first_word, &Entry::name);
  if (named != std::end(entries) && !named->shows_all) return named->add(program, action);
  for (const Entry& entry : entries) entry.add(program, action);
}

/// A misspelt command deserves a better answer than that a command is missing. Looks at the first of `words`, and where
/// that is a command with commands of its own, at the next.
void require_command(const Command& command, std::span<char*> words) {
  const std::string first = words.empty() ? "" : words.front();
  if (command.commands.empty() || (first.starts_with('-') && command.find(first) != nullptr)) return;
  std::string names;
  for (const Command& child : command.commands) {
    if (child.name == first) return require_command(child, words.subspan(1));
    names += (names.empty() ? "" : ", ") + child.name;
  }
  const std::string place = command.parent == nullptr ? "" : fmt::format(" of '{}'", full_name_of(command));
  const std::string found = words.empty() ? "no command given" : fmt::format("'{}' is no command{}", first, place);
  throw UsageError(fmt::format("{}; there are {}; {}", found, names, see_help(command)));
}

/// A misspelt limit would be no limit.
void require_known_instructions() {
  const auto wanted = environment("GEODESCENT_ISA");
  if (wanted && !instruction_set_of(*wanted))
    throw UsageError(
        fmt::format("the environment variable GEODESCENT_ISA is '{}'; portable, avx2 and avx512 are known", *wanted));
}

int fail(ExitCode code, const std::string& message, const std::string& remedy = "") {
  print_error(fmt::format("geodescent: error: {}{}{}\n", one_line(message), remedy.empty() ? "" : "; ", remedy));
  return code;
}

int run(int argc, char** argv) {
  Command program("geodescent", description);
  Action action;
  build(program, action, argc > 1 ? argv[1] : "");
  try {
    require_known_instructions();
    require_command(program, {argv + std::min(argc, 1), argv + argc});
    const Parsed parsed = parse(program, argc, argv);
    switch (parsed.wish) {
      case Wish::help:
        print_out(help_of(parsed.command));
        return success;
      case Wish::version:
        print_out("geodescent " GEODESCENT_VERSION_STRING "\n");
        return success;
      case Wish::run:
        break;
    }
    return action();
  } catch (const UsageError& error) {
    return fail(usage, error.what());
  }
}

/// Every way a run can end.
int run_safely(int argc, char** argv) {
  constexpr const char* more_memory = "use a machine with more, or data with fewer rows or features";
  try {
    guard_standard_streams();
    explain_signals();
    return run(argc, argv);
  } catch (const InputError& error) {
    return fail(failure, error.what());
  } catch (const Interrupted& stop) {
    die_of(stop.signal);
  } catch (const std::bad_alloc&) {
    return fail(failure, "not enough memory", more_memory);
  } catch (const std::length_error&) {
    return fail(failure, "not enough memory", more_memory);
  } catch (const std::invalid_argument& error) {
    return fail(usage, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(failure, error.what(), "choose another file or folder");
  } catch (const std::system_error& error) {
    return fail(failure, fmt::format("the system refused: {}", error.what()), "try fewer --threads");
  } catch (const std::exception& error) {
    return fail(failure, fmt::format("unexpected: {}", error.what()), "please report this");
  }
}

}  // namespace
}  // namespace geodescent::cli

int main(int argc, char** argv) { return geodescent::cli::run_safely(argc, argv); }
