#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "geodescent/optimize/method.hpp"

namespace geodescent {

#define GEODESCENT_METHOD(name, function, settings, summary) \
  std::unique_ptr<Method> make_##function(const MethodSettings&);
#include "methods/methods.def"
#undef GEODESCENT_METHOD

std::span<const MethodInfo> methods() {
  static constexpr MethodInfo table[] = {
#define GEODESCENT_METHOD(name, function, settings, summary) {name, summary, settings, &make_##function},
#include "methods/methods.def"
#undef GEODESCENT_METHOD
  };
  return table;
}

std::unique_ptr<Method> make_method(std::string_view name, const MethodSettings& settings) {
  std::string known;
  for (const MethodInfo& m : methods()) {
    if (m.name == name) return m.make(settings);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", m.name);
  }
  throw std::invalid_argument(fmt::format("no method is called '{}'; there are {}", name, known));
}

}  // namespace geodescent
