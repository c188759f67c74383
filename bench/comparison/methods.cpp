#include "comparison/methods.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace geodescent::lab {
namespace {

const MethodInfo& info_of(const std::string& name) {
  std::string known;
  for (const MethodInfo& method : methods()) {
    if (method.name == name) return method;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", method.name);
  }
  throw std::invalid_argument(fmt::format("no method is called '{}'; there are {}", name, known));
}

double number(const std::string& key, const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc{} || read.ptr != end || !(value > 0) || !std::isfinite(value))
    throw std::invalid_argument(fmt::format("'{}' given for {}, but it takes a positive number", text, key));
  return value;
}

std::size_t count(const std::string& key, const std::string& text) {
  const double value = number(key, text);
  if (value != std::floor(value) || value > 1e6)
    throw std::invalid_argument(fmt::format("'{}' given for {}, but it takes a whole number up to 1e6", text, key));
  return static_cast<std::size_t>(value);
}

Directions directions(const std::string& text) {
  const auto named = std::ranges::find(direction_names, text);
  if (named == direction_names.end())
    throw std::invalid_argument(
        fmt::format("'{}' given for directions, but it takes {}", text, fmt::join(direction_names, ", ")));
  return static_cast<Directions>(named - direction_names.begin());
}

void set(MethodChoice& choice, const MethodInfo& info, const std::string& key, const std::string& value) {
  const auto heeded = [&](std::string_view setting) {
    if (info.settings.find(setting) == std::string_view::npos)
      throw std::invalid_argument(fmt::format("{} has no effect on the method {}", key, info.name));
  };
  if (key == "memory") {
    heeded("memory");
    choice.settings.memory = count(key, value);
  } else if (key == "balls") {
    heeded("balls");
    choice.settings.balls = count(key, value);
  } else if (key == "pairs") {
    heeded("pairs");
    choice.settings.pairs = value == "0" ? 0 : count(key, value);
  } else if (key == "line-search") {
    heeded("line_search");
    if (value != "wolfe" && value != "exact")
      throw std::invalid_argument(fmt::format("'{}' given for line-search, but it takes wolfe or exact", value));
    choice.settings.line_search = value == "exact" ? LineSearch::exact : LineSearch::wolfe;
  } else if (key == "directions") {
    heeded("directions");
    choice.settings.directions = directions(value);
  } else if (key == "plan-for") {
    heeded("directions");
    choice.settings.plan_for = number(key, value);
  } else if (key == "smoothness") {
    heeded("smoothness");
    choice.settings.smoothness = number(key, value);
    choice.tuned = false;
  } else if (key == "line-tolerance") {
    if (info.name == "afg" || info.name == "ball")
      throw std::invalid_argument(fmt::format("{} has no effect on the method {}", key, info.name));
    choice.settings.line_tolerance = number(key, value);
    if (choice.settings.line_tolerance >= 1) throw std::invalid_argument("line-tolerance must be below 1");
  } else {
    throw std::invalid_argument(fmt::format(
        "no setting is called '{}'; there are memory, balls, pairs, directions, plan-for, line-search, line-tolerance "
        "and smoothness",
        key));
  }
}

}  // namespace

MethodChoice parse_method(const std::string& text) {
  MethodChoice choice;
  choice.text = text;
  const std::size_t colon = text.find(':');
  choice.name = text.substr(0, colon);
  const MethodInfo& info = info_of(choice.name);
  choice.tuned = info.settings.find("smoothness") != std::string_view::npos;
  if (colon == std::string::npos) return choice;
  for (std::size_t begin = colon + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const std::string setting = text.substr(begin, end - begin);
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw std::invalid_argument(
          fmt::format("'{}' in '{}' is no setting; write name:key=value:key=value", setting, text));
    const std::string key = setting.substr(0, equals);
    if (text.rfind(":" + key + "=") + 1 != begin)
      throw std::invalid_argument(fmt::format("{} is given twice in '{}'", key, text));
    set(choice, info, key, setting.substr(equals + 1));
    begin = end + 1;
  }
  return choice;
}

std::vector<MethodChoice> parse_methods(const std::vector<std::string>& texts) {
  std::vector<MethodChoice> choices;
  for (const std::string& text : texts) {
    for (const MethodChoice& before : choices)
      if (before.text == text) throw std::invalid_argument(fmt::format("the method {} is given twice", text));
    choices.push_back(parse_method(text));
  }
  if (choices.empty()) throw std::invalid_argument("no method is given");
  return choices;
}

}  // namespace geodescent::lab
