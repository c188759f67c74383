// The program `geodescent`: parses the command line, runs the command, and turns every failure into
// one line on standard error and an exit code.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/machine/environment.hpp"
#include "base/text/near_words.hpp"
#include "common/command.hpp"
#include "common/interrupt.hpp"
#include "common/options/command_line.hpp"
#include "common/options/parse.hpp"
#include "common/output.hpp"
#include "geodescent/error.hpp"
#include "geodescent/instruction_set.hpp"
#include "geodescent/version.hpp"
#include "pages/help.hpp"
#include "ranks/ranks.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* description =
    R"(geodescent trains linear models and proves how good they are.

It minimises mean loss + l2/2 |w|^2 over data in LIBSVM format. With the coefficients w it computes a lower bound: no coefficients have a smaller objective. So the result is provably within value - lower bound of the optimum.

The four main commands:

  geodescent info DATA                  describes a data file
  geodescent train DATA MODEL           trains a model and writes it with its proof
  geodescent verify DATA MODEL          checks the proof
  geodescent predict TEST MODEL         applies the model to other data

Exit codes: 0 success (training converged, or with --tol 0 reached the precision limit), 1 training ended without reaching its tolerance or a claim does not hold, 2 usage, 3 bad input or output that cannot be written, 4 a claim holds but says nothing.)";

constexpr const char* footer = R"(Examples:

  geodescent generate --preset rcv1 --scale 0.1 data.svm
  geodescent train --l2 1e-4 data.svm data.model
  geodescent predict data.svm data.model

Every command has a help: geodescent train --help)";

struct Entry {
  std::string_view name;
  void (*add)(Command& program, Action& action);
  bool runs_on_ranks = false;
  bool shows_all = false;  ///< its output describes all commands
};
constexpr Entry entries[] = {
    {"train", add_train, true},  {"predict", add_predict, true}, {"verify", add_verify, true},
    {"info", add_info, true},    {"convert", add_convert},       {"generate", add_generate},
    {"fetch", add_fetch},        {"bench", add_bench},           {"completion", add_completion, true, true},
    {"man", add_man, true, true}};

/// A command that does not work on ranks would do everything once in each of them.
void require_one_process(std::string_view command) {
  const auto named = std::ranges::find(entries, command, &Entry::name);
  if (named != std::end(entries) && !named->runs_on_ranks) refuse_on_ranks(fmt::format("geodescent {}", command));
}

/// Adds the command that the first word names; all commands if it names none or needs all. Building
/// all of them takes longer than a small training. The version needs none.
void build(Command& program, Action& action, std::string_view first_word) {
  program.add({"--version", "", "the version"}, HandledByParser{});
  program.footer = footer;
  if (first_word == "--version") return;
  const auto named = std::ranges::find(entries, first_word, &Entry::name);
  if (named != std::end(entries) && !named->shows_all) return named->add(program, action);
  for (const Entry& entry : entries) entry.add(program, action);
}

/// Throws UsageError with the known commands if the first of `words` is unknown; in a command with
/// commands, the next.
void require_command(const Command& command, std::span<char*> words) {
  const std::string first = words.empty() ? "" : words.front();
  if (command.commands.empty() || command.find(first) != nullptr || first == "--version") return;
  std::vector<std::string_view> names;
  for (const Command& child : command.commands) {
    if (child.name == first) return require_command(child, words.subspan(1));
    names.push_back(child.name);
  }
  const std::string found =
      words.empty() ? "no command given" : fmt::format("unknown command '{}'{}", first, did_you_mean(first, names));
  throw UsageError(fmt::format("{}; the commands of {} are {}; {}", found, full_name_of(command),
                               fmt::join(names, ", "), see_help(command)));
}

/// A misspelt limit would have no effect.
void require_known_instructions() {
  const auto wanted = environment("GEODESCENT_ISA");
  if (wanted && !instruction_set_of(*wanted))
    throw UsageError(
        fmt::format("the environment variable GEODESCENT_ISA is '{}'; it must be portable, avx2 or avx512", *wanted));
}

/// How the program ends. No error: the text is empty.
struct Ending {
  int code = success;
  std::string error = {};
};

Ending fail(ExitCode code, const std::string& message, const std::string& remedy = "") {
  return {code, fmt::format("{}{}{}", one_line(message), remedy.empty() ? "" : "; ", remedy)};
}

/// "geodescent help train" is "geodescent train --help".
std::vector<char*> words_of(int argc, char** argv) {
  static char help[] = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc < 2 || std::string_view(argv[1]) != "help") return words;
  words.erase(words.begin() + 1);
  words.push_back(help);
  return words;
}

Ending run(std::vector<char*> words) {
  Command program("geodescent", description);
  Action action;
  build(program, action, words.size() > 1 ? words[1] : "");
  try {
    require_known_instructions();
    require_command(program, std::span(words).subspan(std::min<std::size_t>(words.size(), 1)));
    const Parsed parsed = parse(program, static_cast<int>(words.size()), words.data());
    switch (parsed.wish) {
      case Wish::help:
        print_out(help_of(parsed.command));
        return {};
      case Wish::version:
        print_out("geodescent " GEODESCENT_VERSION_STRING "\n");
        return {};
      case Wish::run:
        break;
    }
    require_one_process(words[1]);
    return {action()};
  } catch (const UsageError& error) {
    return fail(usage, error.what());
  }
}

/// Turns every exception into a message and an exit code.
Ending run_safely(int argc, char** argv) {
  const auto fail_for_memory = [] {
    return fail(failure, "not enough memory",
                is_alone() ? "use a machine with more, or data with fewer rows or features"
                           : "use more machines, or machines with more");
  };
  try {
    guard_standard_streams();
    explain_signals();
    join_ranks();
    return run(words_of(argc, argv));
  } catch (const UsageError& error) {
    return fail(usage, error.what());
  } catch (const InputError& error) {
    return fail(failure, error.what());
  } catch (const Interrupted& stop) {
    die_of(stop);
  } catch (const std::bad_alloc&) {
    return fail_for_memory();
  } catch (const std::length_error&) {
    return fail_for_memory();
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

int main(int argc, char** argv) {
  const geodescent::cli::Ending ending = geodescent::cli::run_safely(argc, argv);
  return geodescent::cli::end_ranks(ending.code, ending.error);
}
