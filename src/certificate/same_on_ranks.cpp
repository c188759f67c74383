#include "certificate/same_on_ranks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "certificate/fingerprint/sha256.hpp"
#include "data/ranks/shared_rows.hpp"
#include "geodescent/error.hpp"

namespace geodescent {
namespace {

/// A hash of numbers and words, each with its length.
class Digest {
 public:
  void add(std::span<const double> numbers) {
    add_bytes(numbers.size(), {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }
  void add(double number) { add(std::span(&number, 1)); }
  void add(std::string_view word) { add_bytes(word.size(), word); }
  void add(const Risk& risk) {
    add(std::string_view(risk.loss));
    add(std::array{risk.loss_parameter, risk.l2, static_cast<double>(risk.bias), risk.constant});
  }
  std::vector<double> numbers() {
    const std::array<char, 32> bytes = hash_.digest();
    std::vector<double> result;
    for (const char byte : bytes) result.push_back(static_cast<double>(static_cast<unsigned char>(byte)));
    return result;
  }

 private:
  void add_bytes(std::uint64_t length, std::string_view bytes) {
    hash_.update({reinterpret_cast<const char*>(&length), sizeof length});
    hash_.update(bytes);
  }

  Sha256 hash_;
};

void require_same(const Dataset& data, Digest& digest, std::string_view what) {
  Communicator& ranks = *data.ranks->ranks;
  const std::vector<double> ours = digest.numbers();
  std::vector<double> all(ours.size() * ranks.ranks());
  ranks.gather(ours, std::vector<std::size_t>(ranks.ranks(), ours.size()), all);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k] != all[k % ours.size()])
      throw InputError(
          fmt::format("{}: the ranks have different {}s; give all of them the same file", data.name, what));
}

}  // namespace

void require_same_on_ranks(const Dataset& data, const LinearModel& model) {
  if (!data.ranks) return;
  Digest digest;
  digest.add(model.risk);
  digest.add(model.weights);
  digest.add(model.bias_weights);
  if (const auto& two = model.labels)
    digest.add(std::array{two->negative, two->positive, static_cast<double>(two->negatives),
                          static_cast<double>(two->positives)});
  for (const ClassRows& one : model.classes) digest.add(std::array{one.label, static_cast<double>(one.rows)});
  digest.add(std::string_view(model.status));
  digest.add(std::array{model.value, model.lower_bound, model.has_section ? 1.0 : 0.0});
  require_same(data, digest, "model");
}

void require_same_on_ranks(const Dataset& data, const Certificate& certificate) {
  if (!data.ranks) return;
  Digest digest;
  digest.add(certificate.risk);
  for (const ClassWeight& one : certificate.class_weights) digest.add(std::array{one.label, one.weight});
  digest.add(std::string_view(certificate.fingerprint));
  digest.add(std::array{static_cast<double>(certificate.rows), certificate.total_weight,
                        static_cast<double>(certificate.features), static_cast<double>(certificate.classes)});
  digest.add(std::array{certificate.value, certificate.lower_bound, certificate.relative_gap,
                        static_cast<double>(certificate.dual.exponent)});
  for (const Claim& claim : certificate.claims)
    digest.add(
        std::array{claim.value, claim.lower_bound, claim.relative_gap, static_cast<double>(claim.dual.exponent)});
  require_same(data, digest, "certificate");
}

}  // namespace geodescent
