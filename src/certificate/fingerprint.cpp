// What a data set says, as bytes: the same for every way of writing or storing it.
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "certificate/sha256.hpp"
#include "geodescent/certificate.hpp"

namespace geodescent {
namespace {

/// Collects little-endian numbers and hashes them in large pieces.
class NumberHash {
 public:
  void add(std::uint64_t number, int bytes = 8) {
    for (int k = 0; k < bytes; ++k) buffer_[size_++] = static_cast<char>(number >> (8 * k));
    if (size_ > piece - 8) flush();
  }
  /// -0 and 0 are the same number.
  void add(double number) { add(std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number)); }

  std::string digest() {
    flush();
    return hash_.hex_digest();
  }

 private:
  static constexpr std::size_t piece = 1 << 14;

  void flush() {
    hash_.update({buffer_.data(), size_});
    size_ = 0;
  }

  Sha256 hash_;
  std::array<char, piece> buffer_;
  std::size_t size_ = 0;
};

}  // namespace

std::string fingerprint(const Dataset& data) {
  NumberHash hash;
  hash.add(std::uint64_t{data.targets.size()});
  hash.add(std::uint64_t{data.rows->columns()});
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    data.rows->copy_row(i, indices, values);
    hash.add(data.targets[i]);
    hash.add(data.weights.empty() ? 1.0 : data.weights[i]);
    hash.add(std::uint64_t{indices.size()});
    for (std::size_t k = 0; k < indices.size(); ++k) {
      hash.add(indices[k], 4);
      hash.add(values[k]);
    }
  }
  return "sha256:" + hash.digest();
}

}  // namespace geodescent
