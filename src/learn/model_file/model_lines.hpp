// The lines of a model file, with errors that name the line. Internal to the library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace geodescent {

class ModelLines {
 public:
  /// Both must outlive the reader. Errors call the file `name`.
  ModelLines(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  /// The next line without its end. A last line without newline is refused: it may have lost
  /// digits.
  std::string_view next();
  /// Whether the next line is `key` or starts with it and a blank.
  bool next_is(std::string_view key) const;
  /// The value in the next line, which must have this key.
  std::string_view value_of(std::string_view key);
  double number_of(std::string_view key) { return number(value_of(key)); }
  /// Whether nothing but blanks and empty lines follows.
  bool at_end() const;

  double number(std::string_view text) const;  ///< a finite one
  std::uint64_t count(std::string_view text) const;
  [[noreturn]] void fail(const std::string& reason, const std::string& remedy) const;

 private:
  std::string_view rest_;
  const std::string& name_;
  std::uint64_t line_ = 0;
};

std::string_view without_blanks(std::string_view text);  ///< at both ends
std::vector<std::string_view> words_of(std::string_view text);
/// A piece of the file for a message: short and printable.
std::string shown(std::string_view text);

}  // namespace geodescent
