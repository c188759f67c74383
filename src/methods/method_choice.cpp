#include "geodescent/optimize/method_choice.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/text/near_words.hpp"

namespace geodescent {
namespace {

constexpr std::array<std::string_view, 2> line_search_names{"wolfe", "exact"};

/// Calls `take(M())` for each method.
template <std::size_t... Places>
void each_method(auto&& take, std::index_sequence<Places...> /*places*/) {
  (take(std::variant_alternative_t<Places, AnyMethod>()), ...);
}
void each_method(auto&& take) { each_method(take, std::make_index_sequence<std::variant_size_v<AnyMethod>>()); }

AnyMethod method_called(std::string_view name) {
  std::optional<AnyMethod> found;
  std::vector<std::string_view> known;
  each_method([&](auto method) {
    known.push_back(method.name);
    if (method.name == name) found = std::move(method);
  });
  if (found) return *std::move(found);
  throw std::invalid_argument(fmt::format("unknown method '{}'{}; the methods are {}", name, did_you_mean(name, known),
                                          fmt::join(known, ", ")));
}

void each_setting(AnyMethod& method, auto&& take) {
  std::visit([&](auto& m) { m.each_setting(take); }, method);
}

std::vector<std::string_view> settings_of(AnyMethod method) {
  std::vector<std::string_view> names;
  each_setting(method, [&](std::string_view name, auto&, Allowed) { names.push_back(name); });
  return names;
}

/// Empty if the number is allowed, otherwise the allowed range as text.
std::string_view what_is_allowed(double number, Allowed allowed) {
  switch (allowed) {
    case Allowed::counts:
      return number >= 1 ? "" : "at least 1";
    case Allowed::positive:
      return number > 0 && std::isfinite(number) ? "" : "positive and finite";
    case Allowed::below_one:
      return number >= 0 && number < 1 ? "" : "at least 0 and below 1";
    default:
      return number >= 0 ? "" : "at least 0";
  }
}

/// A larger number is a mistake, and could overflow the planner's arithmetic.
constexpr std::size_t most_remembered = 1'000'000;

[[noreturn]] void refuse(std::string_view setting, const std::string& value, const std::string& allowed) {
  throw std::invalid_argument(fmt::format("{} must be {}, but is {}", setting, allowed, value));
}

void check_number(std::string_view setting, double value, Allowed allowed) {
  const std::string_view wanted = what_is_allowed(value, allowed);
  if (!wanted.empty()) refuse(setting, fmt::format("{}", value), std::string(wanted));
}

void check_name(std::string_view setting, std::string_view value, const auto& names) {
  if (std::ranges::find(names, value) == names.end())
    refuse(setting, fmt::format("'{}'{}", value, did_you_mean(value, {names.begin(), names.end()})),
           fmt::format("one of {}", fmt::join(names, ", ")));
}

void check_value(std::string_view setting, const std::string& value, Allowed /*allowed*/) {
  check_name(setting, value, direction_names());
}
void check_value(std::string_view, LineSearch, Allowed) {}
void check_value(std::string_view setting, double value, Allowed allowed) { check_number(setting, value, allowed); }
void check_value(std::string_view setting, std::size_t value, Allowed allowed) {
  if (value > most_remembered) refuse(setting, fmt::format("{}", value), "a whole number up to 1e6");
  check_number(setting, static_cast<double>(value), allowed);
}
template <class T>
void check_value(std::string_view setting, const std::optional<T>& value, Allowed allowed) {
  if (value) check_value(setting, *value, allowed);
}

void read_value(std::string_view setting, std::string_view text, double& value) {
  const char* const end = text.data() + text.size();
  const auto read = fast_float::from_chars(text.data(), end, value);
  if (text.empty() || read.ec != std::errc{} || read.ptr != end || !std::isfinite(value))
    refuse(setting, fmt::format("'{}'", text), "a finite number");
}
void read_value(std::string_view setting, std::string_view text, std::size_t& value) {
  double number = 0;
  read_value(setting, text, number);
  if (number != std::floor(number) || !(number >= 0 && number <= most_remembered))
    refuse(setting, fmt::format("'{}'", text), "a whole number up to 1e6");
  value = static_cast<std::size_t>(number);
}
void read_value(std::string_view, std::string_view text, std::string& value) { value = text; }
void read_value(std::string_view setting, std::string_view text, LineSearch& value) {
  check_name(setting, text, line_search_names);
  value = static_cast<LineSearch>(std::ranges::find(line_search_names, text) - line_search_names.begin());
}
template <class T>
void read_value(std::string_view setting, std::string_view text, std::optional<T>& value) {
  read_value(setting, text, value.emplace());
}

}  // namespace

MethodChoice::MethodChoice(std::string_view text) : settings_(method_called(text.substr(0, text.find(':')))) {
  for (std::size_t begin = name().size() + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos)
      throw std::invalid_argument(
          fmt::format("'{}' in '{}' is not a setting; write name:setting=value:setting=value", part, text));
    const std::string_view setting = part.substr(0, equals);
    if (text.rfind(fmt::format(":{}=", setting)) + 1 != begin)
      throw std::invalid_argument(fmt::format("{} is given twice in '{}'", setting, text));
    set(setting, part.substr(equals + 1));
    begin = end + 1;
  }
}

std::string_view MethodChoice::name() const {
  return std::visit([](const auto& m) { return m.name; }, settings_);
}

bool MethodChoice::has(std::string_view setting) const {
  const std::vector<std::string_view> names = settings_of(settings_);
  return std::ranges::find(names, setting) != names.end();
}

void MethodChoice::set(std::string_view setting, std::string_view value) {
  if (!has(setting)) {
    const std::string problem =
        methods_with(setting).empty()
            ? fmt::format("unknown setting '{}'{}", setting, did_you_mean(setting, settings_of(settings_)))
            : fmt::format("{} has no effect on the method {}", setting, name());
    throw std::invalid_argument(
        fmt::format("{}; the settings of {} are {}", problem, name(), fmt::join(settings_of(settings_), ", ")));
  }
  AnyMethod changed = settings_;
  each_setting(changed, [&](std::string_view known, auto& target, Allowed allowed) {
    if (known != setting) return;
    read_value(setting, value, target);
    check_value(setting, target, allowed);
  });
  settings_ = std::move(changed);
}

void MethodChoice::check() const {
  AnyMethod copy = settings_;
  each_setting(
      copy, [](std::string_view setting, const auto& value, Allowed allowed) { check_value(setting, value, allowed); });
}

std::unique_ptr<Method> MethodChoice::make(const Purpose& purpose) const {
  check();
  return std::visit([&](const auto& m) { return m.make(purpose); }, settings_);
}

std::span<const MethodInfo> methods() {
  // An array has a trivial destructor, so threads that run during program exit may still read it.
  static const auto all = [] {
    std::array<MethodInfo, std::variant_size_v<AnyMethod>> table;
    auto place = table.begin();
    each_method([&](const auto& method) { *place++ = {method.name, method.summary}; });
    return table;
  }();
  return all;
}

std::vector<std::string_view> methods_with(std::string_view setting) {
  std::vector<std::string_view> names;
  for (const MethodInfo& method : methods())
    if (MethodChoice(method.name).has(setting)) names.push_back(method.name);
  return names;
}

}  // namespace geodescent
