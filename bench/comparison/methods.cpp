#include "comparison/methods.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace geodescent::lab {

Contender parse_method(const std::string& text) {
  Contender contender{.text = text, .method = text};
  contender.tuned = contender.method.has("smoothness") && !smoothness_of(contender.method);
  return contender;
}

std::vector<Contender> parse_methods(const std::vector<std::string>& texts) {
  std::vector<Contender> contenders;
  for (const std::string& text : texts) {
    for (const Contender& before : contenders)
      if (before.text == text) throw std::invalid_argument(fmt::format("the method {} is given twice", text));
    contenders.push_back(parse_method(text));
  }
  if (contenders.empty()) throw std::invalid_argument("no method is given");
  return contenders;
}

std::optional<double> smoothness_of(const MethodChoice& method) {
  return std::visit(
      [](const auto& settings) -> std::optional<double> {
        if constexpr (requires { settings.smoothness; }) return settings.smoothness;
        return std::nullopt;
      },
      method.settings());
}

MethodChoice with_smoothness(MethodChoice method, double smoothness) {
  method.set("smoothness", fmt::format("{}", smoothness));
  return method;
}

MethodChoice planned_for(MethodChoice method, double gap) {
  GeodMemory* const memory = method.get_if<GeodMemory>();
  if (memory && !memory->plan_for) memory->plan_for = gap;
  return method;
}

}  // namespace geodescent::lab
