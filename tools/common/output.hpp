// Where the words go: standard output, checked; standard error, unchecked; files, whole or not at all.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace geodescent::cli {

/// The text with a blank for every control character: for what a user or a file has named. A newline in a file name
/// would else look like the next line of a report.
std::string one_line(const std::string& text);

// No control character but newline and tab reaches the terminal by these.

/// Writes to standard output and makes sure that it has arrived. Throws InputError when it has not (a full disk).
void print_out(std::string_view text);
/// Numbers that are not finite become null; the others read back to the same bits.
void print_json(const nlohmann::ordered_json& value);
/// Writes to standard error. Nobody can be told when that fails.
void print_error(std::string_view text);

/// Replaces the last line on a terminal at standard error by the first `width` bytes of the text.
void print_progress(std::string_view text, std::size_t width);

/// Opens standard streams that the caller has closed such that every use of them fails; else the next file opened would
/// take their number and receive what is meant for them.
void guard_standard_streams();

/// Throws InputError unless `path` can be written: to be called before the long work. Leaves nothing behind.
void require_writable(const std::string& path);

/// A file on the command line and what it is for, for messages.
struct NamedPath {
  std::string_view role;
  std::string path;
};
/// Throws UsageError when an output would overwrite an input or another output. Empty paths and "-" are no files.
void require_distinct(std::initializer_list<NamedPath> outputs, std::initializer_list<NamedPath> inputs);

}  // namespace geodescent::cli
