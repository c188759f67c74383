#include "report/figures/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <geodescent/error.hpp>
#include <memory>
#include <sstream>
#include <system_error>

#include "base/machine/find_program.hpp"

extern char** environ;

namespace geodescent::lab {
namespace {

void require(bool fine, const char* what) {
  if (!fine)
    throw InputError(
        fmt::format("gnuplot: {}: {}; are disk and memory full?", what, std::generic_category().message(errno)));
}

/// A temporary file without a name. Files are simpler than pipes here: no process waits for
/// another, and a child that ends early raises no signal.
class Scratch {
 public:
  Scratch() : file_(std::tmpfile(), &std::fclose) {
    require(file_ != nullptr, "cannot make a temporary file");
    ::fcntl(descriptor(), F_SETFD, FD_CLOEXEC);
  }
  int descriptor() const { return ::fileno(file_.get()); }

  void fill(std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
    require(written && std::fflush(file_.get()) == 0, "cannot write a temporary file");
    std::rewind(file_.get());
  }

  std::string contents() {
    std::rewind(file_.get());
    std::string text;
    char buffer[1 << 16];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file_.get())) text.append(buffer, count);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) require(errno == EINTR, "cannot wait for it");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Runs a program with these files as its standard streams. Returns its exit code.
int run(std::string program, const Scratch& in, const Scratch& out, const Scratch& err) {
  // -d ignores the user's settings, which would change the picture.
  std::string defaults = "-d";
  // Its standard input by name: gnuplot reads a file in large pieces, but a stream character by
  // character.
  std::string script = "/dev/stdin";
  char* const arguments[] = {program.data(), defaults.data(), script.data(), nullptr};
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_adddup2(&streams, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&streams, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&streams, err.descriptor(), STDERR_FILENO);
  pid_t child = -1;
  errno = ::posix_spawn(&child, program.c_str(), &streams, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&streams);
  require(errno == 0, "cannot start it");
  return wait_for(child);
}

/// gnuplot's message on one line: the quoted command, a ^ at the place, and the error.
std::string one_line(const std::string& complaint) {
  std::istringstream words(complaint);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line.empty() ? "no reason given" : line;
}

std::string output_of(const std::string& script) {
  const std::string program = find_program("gnuplot");
  if (program.empty()) throw InputError(gnuplot_remedy());
  Scratch in, out, err;
  in.fill(script);
  const int code = run(program, in, out, err);
  std::string picture = out.contents();
  if (code != 0 || picture.empty()) {
    throw InputError(fmt::format("gnuplot: failed (exit code {}): {}", code, one_line(err.contents())));
  }
  return picture;
}

/// Replaces the date that cairo writes by blanks of the same length, so that offsets in the file
/// stay valid.
void blank_date(std::string& pdf) {
  const std::size_t start = pdf.find("/CreationDate (");
  if (start == std::string::npos) return;
  const std::size_t end = pdf.find(')', start);
  if (end != std::string::npos) pdf.replace(start, end + 1 - start, end + 1 - start, ' ');
}

}  // namespace

bool gnuplot_installed() { return !find_program("gnuplot").empty(); }

std::string gnuplot_remedy() {
  return "gnuplot is not installed; 'apt-get install gnuplot-nox' as root, and run again";
}

std::string svg_by_gnuplot(std::string_view script_body, int width, int height) {
  return output_of(
      fmt::format("set encoding utf8\n"
                  "set terminal svg enhanced size {},{} dynamic "
                  " font 'sans-serif,10' dashlength 1.25 background '#ffffff'\n"
                  "{}\n",
                  width, height, script_body));
}

/// Scaled so that font sizes, line widths and dashes match the SVG.
std::string pdf_by_gnuplot(std::string_view script_body, int width, int height) {
  std::string pdf = output_of(
      fmt::format("set encoding utf8\n"
                  "set terminal pdfcairo enhanced color size {},{} font 'sans-serif,10' fontscale 0.75 linewidth 2 "
                  "dashlength 1.7 background '#ffffff'\n"
                  "{}\n",
                  width / 72.0, height / 72.0, script_body));
  blank_date(pdf);
  return pdf;
}

std::string gif_by_gnuplot(std::span<const std::string> script_bodies, int width, int height, int hundredths) {
  std::string script =
      fmt::format("set encoding utf8\nset terminal gif enhanced animate delay {} loop 0 size {},{} font 'sans,11'\n",
                  hundredths, width, height);
  for (const std::string& body : script_bodies) script += "reset\n" + body + "\n";
  return output_of(script + "unset output\n");
}

std::string gnuplot_string(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    // Single-quoted strings have no escape but the doubled quote, and end at the end of the line.
    if (c == '\'') quoted += '\'';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + "'";
}

}  // namespace geodescent::lab
