#include "common/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "base/text/utf8.hpp"
#include "common/command.hpp"
#include "files/output_file.hpp"
#include "geodescent/error.hpp"

namespace geodescent::cli {
namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& path) { return !path.empty() && path != "-"; }

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (!fs::exists(a, error) || !fs::exists(b, error)) {
    return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
  }
  // Two outputs may both go to the terminal or to /dev/null.
  return fs::is_regular_file(a, error) && fs::equivalent(a, b, error);
}

unsigned byte_of(const std::string& text, std::size_t place) { return static_cast<unsigned char>(text[place]); }

/// The number of bytes of a control character at `place`: of ASCII, or from 0x80 to 0x9f, as a byte
/// or in UTF-8. Terminals take 0x9b for ESC [.
std::size_t control_length(const std::string& text, std::size_t place, int length_of_character) {
  const auto in_upper_half = [](unsigned byte) { return byte >= 0x80 && byte < 0xa0; };
  const unsigned byte = byte_of(text, place);
  if (length_of_character == 1) return byte < ' ' || byte == 0x7f ? 1 : 0;
  if (length_of_character == 0) return in_upper_half(byte) ? 1 : 0;
  return byte == 0xc2 && in_upper_half(byte_of(text, place + 1)) ? 2 : 0;
}

/// Replaces every control character except `kept` by `replace(code)`.
template <class Replace>
std::string replace_controls(const std::string& text, std::string_view kept, const Replace& replace) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t k = 0; k < text.size();) {
    const int length = utf8_length(text.data() + k);
    const std::size_t bytes = std::max<std::size_t>(1, static_cast<std::size_t>(length));
    const std::size_t control = kept.find(text[k]) == kept.npos ? control_length(text, k, length) : 0;
    if (control == 0)
      result.append(text, k, bytes);
    else
      result += replace(byte_of(text, k + control - 1));
    k += bytes;
  }
  return result;
}

/// Lines and tables, with a blank for every other control character.
std::string for_terminal(std::string_view text) {
  return replace_controls(std::string(text), "\n\t", [](unsigned) { return " "; });
}

bool is_silent = false;

void write_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string one_line(const std::string& text) {
  return replace_controls(text, "", [](unsigned) { return " "; });
}

void silence() { is_silent = true; }

void print_out(std::string_view text) {
  if (is_silent) return;
  OutputFile out("/dev/stdout");
  out.write(for_terminal(text));
  out.commit();
}

void print_json(const nlohmann::ordered_json& value) {
  // Paths may have any bytes; those that are not UTF-8 are replaced.
  const std::string text = value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  print_out(replace_controls(text, "\n", [](unsigned code) { return fmt::format("\\u{:04x}", code); }) + '\n');
}

void print_error(std::string_view text) {
  if (!is_silent) write_error(for_terminal(text));
}

void print_for_all(std::string_view text) { write_error(for_terminal(text)); }

void print_progress(std::string_view text, std::size_t width) {
  if (!is_silent) write_error(fmt::format("\r\x1b[K{}", one_line(std::string(text.substr(0, width)))));
}

void guard_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is taken, which is `stream` itself.
    if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

void require_writable(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool special = fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
  // Opening and closing a pipe would end the input of its reader.
  if (!special) const OutputFile probe(path);
}

void require_distinct(std::initializer_list<NamedPath> outputs, const std::vector<NamedPath>& inputs) {
  std::vector<NamedPath> taken = inputs;
  for (const NamedPath& output : outputs) {
    if (!is_file(output.path)) continue;
    for (const NamedPath& other : taken) {
      if (!is_file(other.path) || !same_file(output.path, other.path)) continue;
      throw UsageError(fmt::format("{}: {} and {} are the same file; choose another name for {}", output.path,
                                   other.role, output.role, output.role));
    }
    taken.push_back(output);
  }
}

}  // namespace geodescent::cli
