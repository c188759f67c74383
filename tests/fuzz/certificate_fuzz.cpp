// Any bytes are either a certificate or one InputError with a place; a certificate keeps its promises. The checksum
// would refuse nearly everything, so the bytes are tried a second time with the right one.
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

/// Whatever a file says, a verification ends with a verdict and never proves more than 0 <= f*.
void verify(const geodescent::Certificate& certificate) {
  geodescent::Dataset data;
  data.name = "d";
  data.rows = std::make_shared<geodescent::DenseRows>(geodescent::Vector{1, -1}, 1);
  data.targets = {1, -1};
  geodescent::LinearModel model;
  model.weights = {0.5};
  model.risk = certificate.risk;
  geodescent::Certificate forged = certificate;
  forged.fingerprint = geodescent::fingerprint(data);
  const geodescent::Verification found = geodescent::verify(data, model, forged);
  require(found.holds == found.reason.empty());
  require(found.proven.lower_bound <= found.proven.value);
}

void parse(const std::string& text) {
  try {
    const geodescent::Certificate certificate = geodescent::parse_certificate(text, "c");
    require(certificate.dual.steps.size() == certificate.rows && certificate.rows <= text.size());
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
