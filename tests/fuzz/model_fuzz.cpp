// Any bytes are either a model or one InputError with a place; a model keeps its promises.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>

#include "geodescent/error.hpp"
#include "geodescent/learn/model.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  try {
    const geodescent::LinearModel model = geodescent::parse_model(text, "m");
    for (const double weight : model.weights) require(std::isfinite(weight));
    require(!model.labels || model.labels->negative < model.labels->positive);
    require(std::isfinite(model.value) && std::isfinite(model.risk.l2) && std::isfinite(model.bias_weight()));
    require(model.risk.bias == geodescent::Bias::none || model.risk.constant >= 0);
    require(model.weights.size() <= text.size() && model.weights.size() == model.features() * model.outputs());
    require(model.risk.bias == geodescent::Bias::none || model.bias_weights.size() == model.outputs());
    const auto falls = std::ranges::adjacent_find(model.classes, std::greater_equal(), &geodescent::ClassRows::label);
    require(falls == model.classes.end());
  } catch (const geodescent::InputError& error) {
    const std::string what = error.what();
    require(what.starts_with("m:") && what.find("; ") != std::string::npos);
  }
  return 0;
}
