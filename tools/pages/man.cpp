// `geodescent man`: the manual page, made from the tree of commands and options.
#include <fmt/format.h>

#include "common/command.hpp"
#include "common/output.hpp"
#include "geodescent/version.hpp"
#include "pages/help.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* man_description = R"(Prints the manual page.

The installed package brings it along: man geodescent.)";

constexpr const char* man_examples = R"(Examples:

  geodescent man | man -l -
  geodescent man > ~/.local/share/man/man1/geodescent.1)";

// The sections that no table of options can tell.
constexpr const char* exit_status = R"(.SH EXIT STATUS
.TP
.B 0
Success. For \fBtrain\fR: converged, the proven relative gap is at most \fB\-\-tol\fR.
.TP
.B 1
Training ended without reaching the tolerance: a limit, the precision of the numbers, or Ctrl\-C.
The best model so far is written.
.TP
.B 2
The command line makes no sense.
.TP
.B 3
Bad input, or output that cannot be written. No output file is touched then.
)";

constexpr const char* files = R"(.SH FILES
.SS Data
LIBSVM text: one row a line,
.PP
.nf
    label [qid:number] index:value index:value ... [# comment]
.fi
.PP
separated by blanks or tabs, plain or compressed by gzip, bzip2, xz or zstd, which is recognised by the content.
Indices increase within a row and start at 1, or at 0 where an index 0 occurs.
Entries that are not written are 0.
The larger one of two labels is the positive class.
.SS Model
A model file of LIBLINEAR; behind the weights the line \fIgeodescent\-model 2\fR and lines of a key and its value (loss, l2,
labels, status, value, lower_bound and others) as far as the line \fIend\fR; then the certificate, which begins with the line
\fIgeodescent\-certificate 2\fR and contains numbers that are no text.
Numbers in the text are the shortest that read back to the same bits.
.SS Trace
CSV with the columns iteration, value, lower_bound, gradient_norm, forward_passes, backward_passes, line_evaluations, subspace_evaluations,
seconds.
Row 0 is the start.
.PP
Output files appear whole or not at all.
.SH ENVIRONMENT
.TP
.B TERM
Where it is unset or \fIdumb\fR, progress is written as plain lines.
.SH SEE ALSO
S. Bubeck, Y. T. Lee, M. Singh,
.I A geometric alternative to Nesterov's accelerated gradient descent
(2015), describes the method.
.BR liblinear\-train (1)
reads the same data.
)";

/// Text as roff: nothing in it is taken for a request or a hyphen.
std::string roff(const std::string& text) {
  std::string result;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '^')
      result += "\\(ha";
    else if (c == '~')
      result += "\\(ti";
    else if (c == '\'')
      result += "\\(aq";
    else
      result += c;
    line_start = c == '\n';
  }
  return result;
}

std::string prose(const std::string& text) {
  std::string result;
  for (const TextBlock& block : blocks_of(text)) {
    result +=
        block.verbatim ? fmt::format(".PP\n.nf\n{}.fi\n", roff(block.text)) : fmt::format(".PP\n{}", roff(block.text));
  }
  return result;
}

/// A heading ends a paragraph by itself.
std::string after_heading(const std::string& text) {
  constexpr std::string_view paragraph = ".PP\n";
  const std::string result = prose(text);
  return result.rfind(paragraph, 0) == 0 ? result.substr(paragraph.size()) : result;
}

std::string roff_entry(const Option& option) {
  std::string head = fmt::format("\\fB{}\\fR", roff(shown_names(option)));
  const std::string value = option.text.value;
  if (!is_positional(option) && !value.empty()) {
    head += fmt::format(" \\f{}{}\\fR", choices_of(option).empty() ? 'I' : 'R', roff(value));
  }
  return fmt::format(".TP\n{}\n{}\n", head, roff(option.text.description));
}

std::string command_section(const Command& command) {
  std::string text = fmt::format(".SS \"{}\"\n", roff(synopsis_of(command)));
  text += after_heading(command.description);
  for (const Option* option : positionals_of(command)) text += roff_entry(*option);
  for (const Option* option : options_of(command)) {
    if (option != &command.options.front()) text += roff_entry(*option);
  }
  return text + prose(command.footer);
}

std::string manual(const Command& program) {
  std::string text =
      fmt::format(".TH GEODESCENT 1 \"\" \"geodescent {}\" \"User Commands\"\n", GEODESCENT_VERSION_STRING);
  text += ".SH NAME\ngeodescent \\- train linear models and prove how good they are\n.SH SYNOPSIS\n";
  const auto commands = all_commands_of(program);
  for (const Command* command : commands) {
    if (!command->commands.empty()) continue;  // those below it do the work
    text += fmt::format("{}{}\n", command == commands.front() ? "" : ".br\n", roff(synopsis_of(*command)));
  }
  text += ".SH DESCRIPTION\n" + after_heading(program.description);
  text += ".SH OPTIONS\nThese need no command; every command has its own \\fB\\-\\-help\\fR.\n";
  for (const Option* option : options_of(program)) text += roff_entry(*option);
  text += ".SH COMMANDS\n";
  for (const Command* command : commands) text += command_section(*command);
  return text + ".SH EXAMPLES\n" + after_heading(program.footer) + exit_status + files;
}

}  // namespace

void add_man(Command& program, Action& action) {
  Command& app = program.add_command("man", man_description);
  app.footer = man_examples;
  app.callback = [&program, &action] {
    action = [&program] {
      print_out(manual(program));
      return success;
    };
  };
}

}  // namespace geodescent::cli
