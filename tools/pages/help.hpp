// The text of --help, from the tree of commands and options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/options/command_line.hpp"

namespace geodescent::cli {

std::string help_of(const Command& command);

/// A piece of a longer text: paragraphs are separated by empty lines, and lines that start with a
/// blank stay as they are.
struct TextBlock {
  std::string text;
  bool verbatim = false;
};
std::vector<TextBlock> blocks_of(std::string_view text);

/// `name` and what it means, in two columns, for lists inside a longer text.
std::string list_line(std::string_view name, std::string_view meaning);

}  // namespace geodescent::cli
