// Standard output, with a check that it arrives; standard error; checks of output files before the
// work.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace geodescent::cli {

/// The text with a blank for every control character, for names from users and files. Otherwise a
/// newline in a file name would look like the next line of a report.
std::string one_line(const std::string& text);

/// Nothing is printed from now on: another process prints for this one.
void silence();

// These print no control character except newline and tab.

/// Writes to standard output. Throws InputError if the text does not arrive (a full disk).
void print_out(std::string_view text);
/// Numbers that are not finite become null; the others read back to the same bits.
void print_json(const nlohmann::ordered_json& value);
/// Writes to standard error. A failure is ignored, since it cannot be reported.
void print_error(std::string_view text);
/// The same, even if silenced: for the error of this process alone.
void print_for_all(std::string_view text);

/// Replaces the last line on a terminal at standard error by the first `width` bytes of the text.
void print_progress(std::string_view text, std::size_t width);

/// Opens standard streams that the caller has closed, such that every use of them fails. Otherwise
/// the next file opened would take their number and receive their output.
void guard_standard_streams();

/// Throws InputError if `path` cannot be written. Call it before long work. Leaves nothing behind.
void require_writable(const std::string& path);

/// A file on the command line and its role, for messages.
struct NamedPath {
  std::string_view role;
  std::string path;
};
/// Throws UsageError if an output would overwrite an input or another output. Empty paths and "-"
/// are no files.
void require_distinct(std::initializer_list<NamedPath> outputs, const std::vector<NamedPath>& inputs);

}  // namespace geodescent::cli
