// Any bytes are either a certificate or one InputError with a place; a certificate keeps its
// promises. The checksum would refuse nearly everything, so the bytes are tried a second time with
// the right one.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "certificate/fingerprint/sha256.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/error.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

/// A row for each class, one column, and a model of them.
struct Small {
  geodescent::Dataset data;
  geodescent::LinearModel model;

  explicit Small(const geodescent::Certificate& certificate) {
    const bool three = certificate.classes == 3;
    data.name = "d";
    const geodescent::Vector entries = three ? geodescent::Vector{1, -1, 2} : geodescent::Vector{1, -1};
    data.rows = std::make_shared<geodescent::DenseRows>(entries, 1);
    data.targets = three ? geodescent::Vector{1, 2, 3} : geodescent::Vector{1, -1};
    model.weights = three ? geodescent::Vector{0.5, -0.5, 0} : geodescent::Vector{0.5};
    if (three) model.classes = {{1, 1}, {2, 1}, {3, 1}};
    model.risk = certificate.risk;
    if (model.risk.bias != geodescent::Bias::none) model.bias_weights.assign(model.weights.size(), 0.25);
  }
};

/// Whatever a file says, a verification ends with a verdict and never proves more than 0 <= f*.
void verify(const geodescent::Certificate& certificate) {
  const auto [data, model] = Small(certificate);
  geodescent::Certificate forged = certificate;
  forged.fingerprint = geodescent::fingerprint(data);
  const geodescent::Verification found = geodescent::verify(data, model, forged);
  require(found.holds == found.reason.empty());
  require(found.proven.lower_bound <= found.proven.value);
}

void parse(const std::string& text) {
  try {
    const geodescent::Certificate certificate = geodescent::parse_certificate(text, "c");
    const bool joint = certificate.claims.empty();
    const std::size_t values = certificate.rows * (joint ? std::max<std::size_t>(1, certificate.classes) : 1);
    require((joint ? 0 : certificate.classes) == certificate.claims.size());
    require(certificate.dual.steps.size() == (joint ? values : 0) && certificate.rows <= text.size());
    for (const geodescent::Claim& one : certificate.claims)
      require(one.dual.steps.size() == values && std::isfinite(one.value) && one.lower_bound >= 0);
    require(std::isfinite(certificate.value) && certificate.risk.l2 > 0);
    verify(certificate);
  } catch (const geodescent::InputError& error) {
    const std::string what = error.what();
    require(what.starts_with("c:") && what.find("; ") != std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string text(bytes, bytes + size);
  parse(text);
  if (const std::size_t end = text.rfind("\nend "); end != std::string::npos) text.resize(end);
  text += '\n';
  geodescent::Sha256 hash;
  hash.update(text);
  parse(text + "end sha256:" + hash.hex_digest() + "\n");
  return 0;
}
