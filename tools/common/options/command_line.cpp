#include "common/options/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/text/near_words.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* help_group = "Options";

std::vector<const Option*> options_where(const Command& command, bool positional) {
  std::vector<const Option*> result;
  for (const Option& option : command.options)
    if (is_positional(option) == positional) result.push_back(&option);
  return result;
}

bool is_called(const Option& option, std::string_view name) {
  const std::vector<std::string> names = switches_of(option);
  return std::ranges::find(names, name) != names.end();
}

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

/// Empty if none is near.
std::string nearest_option(const Command& command, std::string_view typed) {
  std::vector<std::string> names;
  for (const Option& option : command.options) {
    const std::vector<std::string> switches = switches_of(option);
    names.insert(names.end(), switches.begin(), switches.end());
  }
  std::vector<std::string_view> words;
  for (const std::string& name : names) words.push_back(without_dashes(name));
  const std::string_view nearest = nearest_word(without_dashes(typed), words);
  for (const std::string& name : names)
    if (!nearest.empty() && without_dashes(name) == nearest) return name;
  return "";
}

}  // namespace

std::string unknown_option_text(const Command& command, std::string_view typed) {
  for (const ForeignOption& foreign : command.foreign_options)
    if (typed.starts_with(foreign.name)) return fmt::format("unknown option {}: {}", foreign.name, foreign.answer);
  const std::string nearest = nearest_option(command, typed);
  return fmt::format("unknown option {}{}", typed, nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest));
}

std::vector<std::string> split(const std::string& text, char separator) {
  if (text.empty()) return {""};
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

Option* Option::required() {
  is_required = true;
  return this;
}

Option* Option::needs(const Option* other) {
  needed.push_back(other);
  return this;
}

Option* Option::excludes(const Option* other) {
  excluded.push_back(other);
  return this;
}

Command::Command(std::string command_name, std::string about, const Command* above)
    : name(std::move(command_name)), description(std::move(about)), parent(above), group_(help_group) {
  add({"-h,--help", "", "this text"}, HandledByParser{});
}

Command& Command::add_command(std::string command_name, std::string about) {
  return commands.emplace_back(std::move(command_name), std::move(about), this);
}

void Command::start_group(std::string group) { group_ = std::move(group); }

Option* Command::add(OptionText text, Effect effect) {
  Option& option = options.emplace_back();
  option.text = std::move(text);
  option.group = group_;
  option.effect = std::move(effect);
  return &option;
}

const Option* Command::find(std::string_view option_name) const {
  for (const Option& option : options)
    if (is_called(option, option_name)) return &option;
  return nullptr;
}

Option* Command::option(std::string_view option_name) {
  for (Option& option : options)
    if (is_called(option, option_name)) return &option;
  throw std::logic_error(fmt::format("{} has no option {}", full_name_of(*this), option_name));
}

bool is_positional(const Option& option) { return !option.text.names.starts_with('-'); }

bool takes_value(const Option& option) {
  return !std::holds_alternative<HandledByParser>(option.effect) && !std::holds_alternative<bool*>(option.effect);
}

std::vector<std::string> switches_of(const Option& option) {
  return is_positional(option) ? std::vector<std::string>{} : split(option.text.names, ',');
}

std::string shown_names(const Option& option) {
  return is_positional(option) ? option.text.names : fmt::format("{}", fmt::join(switches_of(option), ", "));
}

std::vector<std::string> choices_of(const Option& option) {
  const std::string& value = option.text.value;
  const bool capitals = std::any_of(value.begin(), value.end(), [](unsigned char c) { return std::isupper(c) != 0; });
  if (capitals || value.empty()) return {};
  return split(value, '|');
}

bool takes_file(const Option& option) {
  if (is_positional(option)) return choices_of(option).empty();
  return option.text.value.starts_with("FILE");
}

bool takes_folder(const Option& option) { return option.text.value == "DIR"; }

std::vector<const Option*> positionals_of(const Command& command) { return options_where(command, true); }

std::vector<const Option*> options_of(const Command& command) { return options_where(command, false); }

std::vector<const Command*> all_commands_of(const Command& command) {
  std::vector<const Command*> result;
  for (const Command& child : command.commands) {
    result.push_back(&child);
    const auto below = all_commands_of(child);
    result.insert(result.end(), below.begin(), below.end());
  }
  return result;
}

std::string full_name_of(const Command& command) {
  return command.parent == nullptr ? command.name : fmt::format("{} {}", full_name_of(*command.parent), command.name);
}

std::string command_words_of(const Command& command) {
  const std::string name = full_name_of(command);
  const std::size_t blank = name.find(' ');
  return blank == std::string::npos ? "" : name.substr(blank + 1);
}

std::vector<std::string> groups_of(const Command& command) {
  std::vector<std::string> groups;
  for (const Option* option : options_of(command)) {
    if (option->group != help_group && std::ranges::find(groups, option->group) == groups.end())
      groups.push_back(option->group);
  }
  groups.emplace_back(help_group);
  return groups;
}

std::string synopsis_of(const Command& command) {
  if (!command.commands.empty()) return full_name_of(command) + " COMMAND [options] ...";
  std::string result = full_name_of(command) + " [options]";
  for (const Option* option : positionals_of(command)) {
    const std::vector<std::string> choices = choices_of(*option);
    std::string shown = choices.empty() ? option->text.names : fmt::format("{}", fmt::join(choices, "|"));
    if (std::holds_alternative<ManyWords>(option->effect)) shown += "...";
    result += fmt::format(fmt::runtime(option->is_required ? " {}" : " [{}]"), shown);
  }
  return result;
}

std::string summary_of(const Command& command) { return command.description.substr(0, command.description.find('\n')); }

std::string details_of(const Command& command) {
  const std::string& text = command.description;
  const std::size_t start = text.find_first_not_of('\n', std::min(text.find('\n'), text.size()));
  return start == std::string::npos ? "" : text.substr(start);
}

}  // namespace geodescent::cli
