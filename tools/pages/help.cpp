#include "pages/help.hpp"

#include <fmt/format.h>

#include <sstream>

namespace geodescent::cli {
namespace {

constexpr std::size_t width = 80;
constexpr std::size_t column = 26;  // where descriptions of options start

/// The words of `text` in lines of at most `width`, all but the first indented; `used` characters
/// of the first are taken.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t used) {
  std::istringstream words{std::string(text)};
  std::string result;
  std::size_t at = used;
  bool line_has_words = false;
  for (std::string word; words >> word;) {
    if (line_has_words && at + 1 + word.size() > width) {
      result += '\n' + std::string(indent, ' ');
      at = indent;
      line_has_words = false;
    }
    if (line_has_words) result += ' ';
    at += word.size() + (line_has_words ? 1 : 0);
    result += word;
    line_has_words = true;
  }
  return result + '\n';
}

std::string entry(const std::string& left, std::string_view description) {
  std::string result = "  " + left;
  if (result.size() + 2 > column)
    result += '\n' + std::string(column, ' ');
  else
    result.resize(column, ' ');
  return result + wrapped(description, column, column);
}

std::string entry(const Option& option) {
  std::string left = shown_names(option);
  const std::string value = option.text.value;
  if (!is_positional(option) && !value.empty()) left += ' ' + value;
  return entry(left, option.text.description);
}

std::string prose(std::string_view text) {
  std::string result;
  for (const TextBlock& block : blocks_of(text)) {
    if (!result.empty()) result += '\n';
    result += block.verbatim ? block.text : wrapped(block.text, 0, 0);
  }
  return result;
}

std::string option_groups(const Command& app) {
  std::string result;
  for (const std::string& group : groups_of(app)) {
    result += fmt::format("\n{}:\n", group);
    for (const Option* option : options_of(app)) {
      if (option->group == group) result += entry(*option);
    }
  }
  return result;
}

}  // namespace

std::vector<TextBlock> blocks_of(std::string_view text) {
  std::vector<TextBlock> blocks;
  bool fresh = true;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      fresh = true;
      continue;
    }
    const bool verbatim = line.front() == ' ';
    if (fresh || blocks.empty() || blocks.back().verbatim != verbatim) blocks.push_back({"", verbatim});
    blocks.back().text += line + '\n';
    fresh = false;
  }
  return blocks;
}

std::string list_line(std::string_view name, std::string_view meaning) {
  constexpr std::size_t indent = 18;
  return fmt::format("  {:<15} {}", name, wrapped(meaning, indent, indent));
}

std::string help_of(const Command& command) {
  std::string result = fmt::format("Usage: {}\n\n{}", synopsis_of(command), prose(summary_of(command)));
  if (const std::string details = details_of(command); !details.empty()) result += '\n' + prose(details);
  if (!command.commands.empty()) {
    result += "\nCommands:\n";
    for (const Command& child : command.commands) result += entry(child.name, summary_of(child));
  }
  if (const auto positionals = positionals_of(command); !positionals.empty()) {
    result += "\nArguments:\n";
    for (const Option* option : positionals) result += entry(*option);
  }
  result += option_groups(command);
  if (!command.footer.empty()) result += '\n' + prose(command.footer);
  return result;
}

}  // namespace geodescent::cli
