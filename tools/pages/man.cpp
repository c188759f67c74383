// `geodescent man`: the manual page, made from the tree of commands and options.
#include <fmt/format.h>

#include "common/command.hpp"
#include "common/output.hpp"
#include "geodescent/version.hpp"
#include "learn/model_file/liblinear_model.hpp"
#include "learn/model_file/model_file.hpp"
#include "pages/help.hpp"
#include "train/trace.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* man_description = R"(Prints the manual page.

An installed package has it: man geodescent.)";

constexpr const char* man_examples = R"(Examples:

  geodescent man | man -l -
  geodescent man > ~/.local/share/man/man1/geodescent.1)";

// The sections that are not made from the options.
constexpr const char* exit_status = R"(.SH EXIT STATUS
.TP
.B 0
Success.
\fBtrain\fR: converged, the proven relative gap is at most \fB\-\-tol\fR; with \fB\-\-tol 0\fR: at the limit of double
precision.
.TP
.B 1
\fBtrain\fR: ended without reaching the tolerance; the best model so far is written.
\fBverify\fR: the claim does not hold.
\fBfetch\fR: a set is not the expected one.
.TP
.B 2
Wrong usage of the command line.
.TP
.B 3
Bad input, or output that cannot be written. No output file is touched then.
.TP
.B 4
\fBverify\fR: the claim holds, but its relative gap is infinite.
)";

constexpr const char* data_files = R"(.SH FILES
.SS Data
LIBSVM text: one row a line,
.PP
.nf
    label [qid:number] index:value index:value ... [# comment]
.fi
.PP
separated by blanks or tabs, plain or compressed by gzip, bzip2, xz, lzma or zstd, which is recognised by the content.
Indices increase within a row and start at 1, or at 0 where an index 0 occurs.
Entries that are not written are 0.
The larger one of two labels is the positive class.
Every command that reads text also reads the binary file of \fBgeodescent convert\fR.
)";

constexpr const char* environment_and_more = R"(.PP
Output files appear whole or not at all.
.SH ENVIRONMENT
.TP
.B GEODESCENT_DATA
The folder of the data sets that \fBfetch\fR gets and \fBbench\fR reads.
.TP
.B GEODESCENT_MIRROR
The server from which \fBfetch\fR gets them.
.TP
.B GEODESCENT_ISA
The instruction set: portable, avx2 or avx512. Results have the same bits with each.
.TP
.B TERM
If it is unset or \fIdumb\fR, progress is written as plain lines.
.SH SEE ALSO
S. Bubeck, Y. T. Lee, M. Singh,
.I A geometric alternative to Nesterov's accelerated gradient descent
(2015), describes the method.
.BR liblinear\-train (1)
reads the same data.
)";

/// Escapes text for roff: nothing in it is read as a request or a hyphen.
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

/// The names and versions are those that writers and readers use.
std::string files() {
  const std::string section = roff(fmt::format("{} {}", section_first_word, section_version));
  const std::string certificate = roff(fmt::format("{} {}", certificate_first_word, certificate_version));
  const std::string of_classes = roff(fmt::format("{} {}", certificate_first_word, certificate_version_of_classes));
  return fmt::format(R"({}.SS Model
A model file of LIBLINEAR.
After the coefficients come the line \fI{}\fR and lines of a key and its value, such as loss, l2, labels, status, value and
lower_bound, up to the line \fIend\fR.
Then comes the certificate, which begins with the line \fI{}\fR and contains bytes that are not text.
With several classes its first line is \fI{}\fR.
Numbers in the text are the shortest that read back to the same bits.
Models of \fBliblinear\-train\fR are read, too.
.SS Trace
CSV with the columns {}.
Row 0 is the start.
With one class against the rest each row begins with the label of its class.
{})",
                     data_files, section, certificate, of_classes, fmt::join(trace_columns, ", "),
                     environment_and_more);
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
  return text + ".SH EXAMPLES\n" + after_heading(program.footer) + exit_status + files();
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
